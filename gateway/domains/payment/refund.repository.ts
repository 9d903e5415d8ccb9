import { type Selectable, sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { Db, Tx } from '../../db/client';
import type { RefundTable } from '../../db/schemaCommerce';
import { refundDelayMs } from './payment.rules';
import type { GivenBack, OrderLot } from './refund.rules';

export type StoredRefund = Selectable<RefundTable>;

type NewRefund = Pick<StoredRefund, 'orderId' | 'memberId' | 'paymentId' | 'reason' | 'amountFen' | 'isWhole' | 'actor'> &
  Pick<StoredRefund, 'idemKey' | 'createdAt'> &
  Partial<Pick<StoredRefund, 'id' | 'note' | 'withdrawnMicro' | 'withdrawnPoints' | 'spentPointsFen' | 'returnedPoints'>> &
  Partial<Pick<StoredRefund, 'returnsCoupon' | 'endsPackage'>>;

/** A refund that is asked for, to be tried at once. */
export async function insertRefund(tx: Tx, refund: NewRefund): Promise<string> {
  const id = refund.id ?? uuidv7();
  await tx
    .insertInto('refund')
    .values({ ...refund, id, endedAt: null, nextTryAt: refund.createdAt })
    .execute();
  return id;
}

export function selectRefund(reader: Db | Tx, refundId: string): Promise<StoredRefund | undefined> {
  return reader.selectFrom('refund').selectAll().where('id', '=', refundId).executeTakeFirst();
}

export function selectRefundByKey(reader: Db | Tx, idemKey: string): Promise<StoredRefund | undefined> {
  return reader.selectFrom('refund').selectAll().where('idemKey', '=', idemKey).executeTakeFirst();
}

export function selectRefundForUpdate(tx: Tx, refundId: string): Promise<StoredRefund> {
  return tx.selectFrom('refund').selectAll().where('id', '=', refundId).forUpdate().executeTakeFirstOrThrow();
}

/** Ids of refunds that are due, soonest first. */
export async function selectDueRefunds(db: Db, at: Date, most: number): Promise<string[]> {
  const due = await db.selectFrom('refund').select('id').where('nextTryAt', '<=', at).orderBy('nextTryAt').limit(most).execute();
  return due.map(({ id }) => id);
}

/** Takes a refund on for one try; undefined where it has ended. `at` null tries it whether it is due or not. */
export async function claimRefund(db: Db, refundId: string, at: Date, isDueOnly: boolean): Promise<StoredRefund | undefined> {
  const steps = Array.from({ length: 13 }, (_, tries) => refundDelayMs(tries));
  return db
    .updateTable('refund')
    .set({
      state: 'SUBMITTED',
      tries: sql<number>`tries + 1`,
      nextTryAt: sql<Date>`${at}::timestamptz + (${steps}::bigint[])[least(tries, 12) + 1] * interval '1 millisecond'`,
    })
    .where('id', '=', refundId)
    .where('state', 'in', ['REQUESTED', 'SUBMITTED'])
    .$if(isDueOnly, (query) => query.where('nextTryAt', '<=', at))
    .returningAll()
    .executeTakeFirst();
}

export async function endRefund(
  tx: Tx,
  refundId: string,
  end: { state: 'SUCCEEDED' | 'FAILED'; endedAt: Date; failure?: string; returnsCoupon?: boolean },
): Promise<void> {
  await tx
    .updateTable('refund')
    .set({ ...end, nextTryAt: null })
    .where('id', '=', refundId)
    .execute();
}

export async function addRefundedToPayment(tx: Tx, paymentId: string, amountFen: bigint): Promise<void> {
  await sql`update payment set refunded_fen = refunded_fen + ${amountFen}::bigint where id = ${paymentId}::uuid`.execute(tx);
}

/** What went back of the order before, refunds under way included and refused ones not. */
export async function selectGivenBack(reader: Db | Tx, orderId: string): Promise<GivenBack & { refunds: number }> {
  const { rows } = await sql<GivenBack & { refunds: number }>`
    select coalesce(sum(withdrawn_micro), 0)::bigint as micro, coalesce(sum(amount_fen), 0)::bigint as fen,
      coalesce(sum(withdrawn_points), 0)::bigint as withdrawn_points, coalesce(sum(spent_points_fen), 0)::bigint as spent_points_fen,
      coalesce(sum(returned_points), 0)::bigint as returned_points, count(*)::int as refunds
    from refund where order_id = ${orderId}::uuid and reason <> 'SURPLUS' and state <> 'FAILED'`.execute(reader);
  const row = rows[0];
  if (!row) throw new Error('a sum has a row');
  return row;
}

/** Every lot of an order, used up or not. */
export async function selectOrderLots(reader: Db | Tx, orderId: string, at: Date): Promise<OrderLot[]> {
  const lots = await reader
    .selectFrom('dcuLot')
    .select(['id', 'source', 'granted', 'remaining', 'expiresAt'])
    .where('orderId', '=', orderId)
    .orderBy(sql`expires_at nulls last, granted_at, id`)
    .execute();
  return lots.map(({ id, expiresAt, ...lot }) => ({ ...lot, lotId: id, isExpired: expiresAt !== null && expiresAt <= at }));
}

/** What a refund took out of lots, by when it would have expired. */
export async function selectWithdrawn(tx: Tx, refundId: string): Promise<{ micro: bigint; expiresAt: Date | null }[]> {
  const { rows } = await sql<{ micro: bigint; expiresAt: Date | null }>`
    select sum(u.amount)::bigint as micro, l.expires_at from lot_use u join ledger_tx t on t.id = u.tx_id join dcu_lot l on l.id = u.lot_id
    where t.idem_key = ${withdrawalKey(refundId)} group by l.expires_at order by l.expires_at nulls last`.execute(tx);
  return rows;
}

/** The key of what a refund took out of the books. */
export function withdrawalKey(refundId: string): string {
  return `refund:${refundId}`;
}
