import { sql } from 'kysely';
import type { PointsChangeKind } from '../../contract/points';
import { planKept, type Tx } from '../../db/client';
import type { LedgerPurpose } from '../../db/schema';
import type { Wallet } from './wallet.repository';

export interface PointPosting {
  kind: PointsChangeKind;
  /** Above nothing: into the wallet; below: out of it. */
  points: bigint;
  /** How much of what was held goes with it. */
  fromHeld: bigint;
  counter: LedgerPurpose;
  idemKey: string;
  refType: string;
  refId: string;
  note: string;
  actor: string;
  at: Date;
}

/** Writes one change of points and moves the wallet, in one statement; false when its key was used before. */
export async function insertPointPosting(tx: Tx, wallet: Wallet, posting: PointPosting): Promise<boolean> {
  const { rows } = await sql<{ id: bigint }>`${planKept}
    with tx as (
      insert into ledger_tx (kind, idem_key, ref_type, ref_id, note, actor, created_at)
      values (${posting.kind}, ${posting.idemKey}, ${posting.refType}, ${posting.refId}, ${posting.note}, ${posting.actor}, ${posting.at})
      on conflict (idem_key) do nothing returning id, kind, created_at),
    entries as (
      insert into ledger_entry (tx_id, line, account_id, asset, amount, account_seq, balance_after, kind, at)
      select id, 1, ${wallet.accountId}::bigint, 'POINT', ${posting.points}::bigint, ${wallet.seq + 1n}::bigint,
        ${wallet.posted + posting.points}::bigint, kind, created_at from tx
      union all
      select tx.id, 2, a.id, 'POINT', -${posting.points}::bigint, null, null, tx.kind, tx.created_at from tx, ledger_account a
      where a.owner_kind = 'platform' and a.asset = 'POINT' and a.purpose = ${posting.counter}),
    moved as (
      update wallet set posted = posted + ${posting.points}::bigint, held = held - ${posting.fromHeld}::bigint, seq = seq + 1
      where account_id = ${wallet.accountId}::bigint and exists (select from tx))
    select id from tx`.execute(tx);
  return rows.length > 0;
}

export async function updatePointHold(tx: Tx, wallet: Wallet, delta: bigint): Promise<void> {
  await sql`update wallet set held = held + ${delta}::bigint where account_id = ${wallet.accountId}::bigint`.execute(tx);
}
