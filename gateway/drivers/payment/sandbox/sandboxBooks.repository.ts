import { type Selectable, sql } from 'kysely';
import { type Db, planKept, type Tx } from '../../../db/client';
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
  trade: Omit<Trade, 'subject' | 'state' | 'refunds' | 'lateAt' | 'createdAt'> & { subject: string },
): Promise<Trade> {
  const { rows } = await sql<Trade>`${planKept}
    insert into sandbox_trade (id, payment_id, order_no, method, subject, amount_fen, currency, form_token, notify_path, return_url,
      created_at, expires_at)
    values (${trade.id}, ${trade.paymentId}, ${trade.orderNo}, ${trade.method}, ${trade.subject}, ${trade.amountFen}, ${trade.currency},
      ${trade.formToken}, ${trade.notifyPath}, ${trade.returnUrl}, app_now(), ${trade.expiresAt})
    on conflict (payment_id) do nothing returning *`.execute(db);
  return rows[0] ?? db.selectFrom('sandboxTrade').selectAll().where('paymentId', '=', trade.paymentId).executeTakeFirstOrThrow();
}

export function selectTradeOfPayment(reader: Db | Tx, paymentId: string): Promise<Trade | undefined> {
  return reader.selectFrom('sandboxTrade').selectAll().where('paymentId', '=', paymentId).executeTakeFirst();
}

export function selectTrade(reader: Db | Tx, tradeId: string): Promise<Trade | undefined> {
  return reader.selectFrom('sandboxTrade').selectAll().where('id', '=', tradeId).executeTakeFirst();
}

/** A trade as it is now, and when that is. */
export async function selectTradeNow(db: Db, tradeId: string): Promise<(Trade & { at: Date }) | undefined> {
  const { rows } = await sql<Trade & { at: Date }>`${planKept}
    select *, app_now() as at from sandbox_trade where id = ${tradeId}`.execute(db);
  return rows[0];
}

/** A trade under its lock, and when that was had. */
export async function selectTradeForUpdate(tx: Tx, tradeId: string): Promise<(Trade & { at: Date }) | undefined> {
  const { rows } = await sql<Trade & { at: Date }>`${planKept}
    with held as materialized (select * from sandbox_trade where id = ${tradeId} for update)
    select *, app_now() as at from held`.execute(tx);
  return rows[0];
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

export interface NewNotice {
  id: string;
  tradeId: string;
  body: string;
  nextTryAt: Date;
  createdAt: Date;
}

/** Writes a trade as paid, its money and the notices of it, in one statement. */
export async function insertMoney(
  tx: Tx,
  trade: Trade,
  { txns, notices, paidAt }: { txns: readonly string[]; notices: readonly NewNotice[]; paidAt: Date },
): Promise<void> {
  await sql`${planKept}
    with paid as (update sandbox_trade set state = 'PAID', late_at = null where id = ${trade.id} returning id, amount_fen),
    money as (
      insert into sandbox_money (txn, trade_id, amount_fen, paid_at)
      select txn, paid.id, paid.amount_fen, ${paidAt}::timestamptz from paid, unnest(${txns}::text[]) txn)
    insert into sandbox_notice (id, trade_id, body, next_try_at, created_at)
    select n.id, paid.id, n.body, n.next_try_at, ${paidAt}::timestamptz from paid, unnest(${notices.map((notice) => notice.id)}::uuid[],
      ${notices.map((notice) => notice.body)}::text[], ${notices.map((notice) => notice.nextTryAt)}::timestamptz[])
      n (id, body, next_try_at)`.execute(tx);
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

/** A notice to be sent now: to where its merchant listens, and signed with what. */
export interface DueNotice {
  id: string;
  body: string;
  notifyPath: string;
  notifyOrigin: string;
  privateKey: string;
}

export async function insertNotices(tx: Tx, notices: readonly NewNotice[]): Promise<void> {
  await tx.insertInto('sandboxNotice').values(notices).execute();
}

/** Takes due notices on, each to be tried again later by then; after the last try it is given up. None while nobody listens. */
export async function claimNotices(db: Db, { most, triesMost }: { most: number; triesMost: number }): Promise<DueNotice[]> {
  const { rows } = await sql<DueNotice>`${planKept}
    with clock as materialized (select app_now() as at)
    update sandbox_notice n set tries = n.tries + 1, next_try_at = case when n.tries + 1 >= ${triesMost}::int then null
      else (select at from clock) + least(2 * power(2, n.tries), 600) * interval '1 second' end
    from sandbox_trade t, sandbox_account a where t.id = n.trade_id and a.notify_origin is not null and n.id in (
      select id from sandbox_notice where next_try_at <= (select at from clock) order by next_try_at, id limit ${most}
      for update skip locked)
    returning n.id, n.body, t.notify_path, a.notify_origin, a.private_key`.execute(db);
  return rows;
}

export async function acknowledgeNotice(db: Db, id: string): Promise<void> {
  await sql`${planKept}
    update sandbox_notice set acknowledged_at = app_now(), next_try_at = null where id = ${id}`.execute(db);
}
