import { type Selectable, sql } from 'kysely';
import type { Db, Tx } from '../../../db/client';
import type { SandboxAccountTable, SandboxMoneyTable, SandboxRefundTable, SandboxTradeTable } from '../../../db/schemaSandbox';
import type { KeyPair } from './sandboxSignature';

export type Trade = Selectable<SandboxTradeTable>;
export type Money = Selectable<SandboxMoneyTable>;
export type StoredRefund = Selectable<SandboxRefundTable>;
type Account = Selectable<SandboxAccountTable>;

/** The sandbox's one account, its key pair made by whoever asks first. */
export async function selectAccount(db: Db, makeKeys: () => KeyPair): Promise<Account> {
  const found = await db.selectFrom('sandboxAccount').selectAll().executeTakeFirst();
  if (found) return found;
  await db
    .insertInto('sandboxAccount')
    .values(makeKeys())
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return db.selectFrom('sandboxAccount').selectAll().executeTakeFirstOrThrow();
}

export async function updateNotifyOrigin(db: Db, notifyOrigin: string): Promise<void> {
  await db.updateTable('sandboxAccount').set({ notifyOrigin }).execute();
}

/** The trade of a payment: the one there is, or this one. */
export async function insertTrade(
  db: Db,
  trade: Omit<Trade, 'subject' | 'state' | 'refunds' | 'lateAt'> & { subject: string },
): Promise<Trade> {
  await db
    .insertInto('sandboxTrade')
    .values(trade)
    .onConflict((conflict) => conflict.column('paymentId').doNothing())
    .execute();
  return db.selectFrom('sandboxTrade').selectAll().where('paymentId', '=', trade.paymentId).executeTakeFirstOrThrow();
}

export function selectTradeOfPayment(reader: Db | Tx, paymentId: string): Promise<Trade | undefined> {
  return reader.selectFrom('sandboxTrade').selectAll().where('paymentId', '=', paymentId).executeTakeFirst();
}

export function selectTrade(reader: Db | Tx, tradeId: string): Promise<Trade | undefined> {
  return reader.selectFrom('sandboxTrade').selectAll().where('id', '=', tradeId).executeTakeFirst();
}

export function selectTradeForUpdate(tx: Tx, tradeId: string): Promise<Trade | undefined> {
  return tx.selectFrom('sandboxTrade').selectAll().where('id', '=', tradeId).forUpdate().executeTakeFirst();
}

export async function updateTrade(
  tx: Tx,
  tradeId: string,
  changes: Partial<Pick<Trade, 'state' | 'refunds' | 'lateAt'>>,
): Promise<void> {
  await tx.updateTable('sandboxTrade').set(changes).where('id', '=', tradeId).execute();
}

/** Trades whose late money is due; those another sandbox works on are left to it. */
export async function selectLateTradesForUpdate(tx: Tx, at: Date): Promise<Trade[]> {
  return tx.selectFrom('sandboxTrade').selectAll().where('lateAt', '<=', at).forUpdate().skipLocked().limit(50).execute();
}

export function selectMoneyOf(reader: Db | Tx, tradeId: string): Promise<Money[]> {
  return reader.selectFrom('sandboxMoney').selectAll().where('tradeId', '=', tradeId).orderBy('paidAt').orderBy('txn').execute();
}

export async function insertMoney(tx: Tx, money: Pick<Money, 'txn' | 'tradeId' | 'amountFen' | 'paidAt'>): Promise<void> {
  await tx.insertInto('sandboxMoney').values(money).execute();
}

export function selectMoneyForUpdate(tx: Tx, txn: string): Promise<Money | undefined> {
  return tx.selectFrom('sandboxMoney').selectAll().where('txn', '=', txn).forUpdate().executeTakeFirst();
}

/** False when more would go back than came. */
export async function addRefunded(tx: Tx, txn: string, amountFen: bigint): Promise<boolean> {
  const { rows } = await sql`
    update sandbox_money set refunded_fen = refunded_fen + ${amountFen}::bigint
    where txn = ${txn} and refunded_fen + ${amountFen}::bigint <= amount_fen returning txn`.execute(tx);
  return rows.length > 0;
}

export function selectRefund(reader: Db | Tx, refundId: string): Promise<StoredRefund | undefined> {
  return reader.selectFrom('sandboxRefund').selectAll().where('id', '=', refundId).executeTakeFirst();
}

export async function insertRefund(tx: Tx, refund: StoredRefund): Promise<void> {
  await tx.insertInto('sandboxRefund').values(refund).execute();
}

export async function updateRefundState(tx: Tx, refundId: string, state: StoredRefund['state']): Promise<void> {
  await tx.updateTable('sandboxRefund').set({ state }).where('id', '=', refundId).execute();
}

export interface DueNotice {
  id: string;
  body: string;
  notifyPath: string;
}

export async function insertNotice(
  tx: Tx,
  notice: { id: string; tradeId: string; body: string; nextTryAt: Date; createdAt: Date },
): Promise<void> {
  await tx.insertInto('sandboxNotice').values(notice).execute();
}

/** Takes due notices on, each to be tried again later by then; after the last try it is given up. */
export async function claimNotices(
  db: Db,
  at: Date,
  { most, triesMost }: { most: number; triesMost: number },
): Promise<DueNotice[]> {
  const { rows } = await sql<DueNotice>`
    update sandbox_notice n set tries = n.tries + 1, next_try_at = case when n.tries + 1 >= ${triesMost}::int then null
      else ${at}::timestamptz + least(2 * power(2, n.tries), 600) * interval '1 second' end
    from sandbox_trade t where t.id = n.trade_id and n.id in (
      select id from sandbox_notice where next_try_at <= ${at} order by next_try_at, id limit ${most} for update skip locked)
    returning n.id, n.body, t.notify_path`.execute(db);
  return rows;
}

export async function acknowledgeNotice(db: Db, id: string, at: Date): Promise<void> {
  await db.updateTable('sandboxNotice').set({ acknowledgedAt: at, nextTryAt: null }).where('id', '=', id).execute();
}
