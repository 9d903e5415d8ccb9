import type { Selectable } from 'kysely';
import type { Db, Tx } from '../../db/client';
import type { BalanceAlertTable } from '../../db/schemaCommerce';
import type { Language } from '../../locales/messages';
import type { AlertState } from './alert.rules';

export type StoredAlert = Selectable<BalanceAlertTable>;

export function selectAlert(reader: Db | Tx, memberId: string): Promise<StoredAlert | undefined> {
  return reader.selectFrom('balanceAlert').selectAll().where('memberId', '=', memberId).executeTakeFirst();
}

export function selectAlertForUpdate(tx: Tx, memberId: string): Promise<StoredAlert | undefined> {
  return tx.selectFrom('balanceAlert').selectAll().where('memberId', '=', memberId).forUpdate().executeTakeFirst();
}

/** Writes what the member wants; what was told under another threshold is told no longer. */
export async function upsertAlert(
  tx: Tx,
  wish: { memberId: string; thresholdMicro: bigint; isBySms: boolean; language: Language; updatedAt: Date },
): Promise<void> {
  const { memberId, ...wanted } = wish;
  const row = { ...wanted, belowSince: null, textDueAt: null };
  await tx
    .insertInto('balanceAlert')
    .values({ memberId, ...row, textSentAt: null })
    .onConflict((conflict) => conflict.column('memberId').doUpdateSet(row))
    .execute();
}

export async function deleteAlert(tx: Tx, memberId: string): Promise<void> {
  await tx.deleteFrom('balanceAlert').where('memberId', '=', memberId).execute();
}

export async function updateAlert(
  tx: Db | Tx,
  memberId: string,
  change: Partial<Pick<AlertState, 'belowSince' | 'textDueAt' | 'textSentAt'>>,
): Promise<void> {
  await tx.updateTable('balanceAlert').set(change).where('memberId', '=', memberId).execute();
}

/**
 * Members whose balance may have crossed their threshold. What running labs used and were not charged for is at most what they hold, so
 * posted − held and posted are the bounds of the balance.
 */
export async function selectCandidates(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('balanceAlert as a')
    .innerJoin('wallet as w', (join) => join.onRef('w.memberId', '=', 'a.memberId').on('w.asset', '=', 'DCU'))
    .select('a.memberId')
    .where(({ eb, and, or, ref }) =>
      or([
        and([eb('a.belowSince', 'is', null), eb(eb(ref('w.posted'), '-', ref('w.held')), '<', ref('a.thresholdMicro'))]),
        and([eb('a.belowSince', 'is not', null), eb('w.posted', '>=', ref('a.thresholdMicro'))]),
      ]),
    )
    .orderBy('a.memberId')
    .execute();
  return rows.map(({ memberId }) => memberId);
}

/** Takes the texts that are due for this gateway alone: another one that looks meanwhile finds them due `until` only. */
export function claimDueTexts(db: Db, at: Date, until: Date): Promise<StoredAlert[]> {
  return db.updateTable('balanceAlert').set({ textDueAt: until }).where('textDueAt', '<=', at).returningAll().execute();
}
