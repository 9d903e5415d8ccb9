import { type Selectable, sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { PaymentState } from '../../contract/orderStates';
import { type Db, planKept, type Tx } from '../../db/client';
import type { PaymentTable } from '../../db/schemaCommerce';
import { OPEN_STATES, queryDelayMs } from './payment.rules';

/** An attempt as it is kept. */
export type StoredPayment = Selectable<PaymentTable>;

export function selectPayment(reader: Db | Tx, paymentId: string): Promise<StoredPayment | undefined> {
  return reader.selectFrom('payment').modifyFront(planKept).selectAll().where('id', '=', paymentId).executeTakeFirst();
}

export function selectPaymentForUpdate(tx: Tx, paymentId: string): Promise<StoredPayment> {
  return tx.selectFrom('payment').selectAll().where('id', '=', paymentId).forUpdate().executeTakeFirstOrThrow();
}

/** Attempts of an order that may still be paid, oldest first. */
export function selectOpenPayments(reader: Db | Tx, orderId: string): Promise<StoredPayment[]> {
  return reader
    .selectFrom('payment')
    .selectAll()
    .where('orderId', '=', orderId)
    .where('state', 'in', OPEN_STATES)
    .orderBy('id')
    .execute();
}

export function selectAppliedPayment(reader: Db | Tx, orderId: string): Promise<StoredPayment | undefined> {
  return reader
    .selectFrom('payment')
    .selectAll()
    .where('orderId', '=', orderId)
    .where('appliedAt', 'is not', null)
    .executeTakeFirst();
}

/** What decides what money for an attempt means, beside the attempt itself. */
export interface MoneyFacts {
  /** The order is paid. */
  hasAppliedPayment: boolean;
  /** There is another way to pay it open. */
  hasOthersOpen: boolean;
  /** This very money was written down. */
  isTxnKnown: boolean;
}

/** An attempt under its lock, and the facts as of then; the caller holds the locks of wallet and order, under which alone they change. */
export function selectAttemptForMoney(tx: Tx, paymentId: string, providerTxn: string): Promise<StoredPayment & MoneyFacts> {
  return tx
    .selectFrom('payment')
    .modifyFront(planKept)
    .selectAll()
    .select(
      sql<boolean>`exists (select from payment o where o.order_id = payment.order_id and o.applied_at is not null)`.as(
        'hasAppliedPayment',
      ),
    )
    .select(
      sql<boolean>`exists (select from payment o where o.order_id = payment.order_id and o.id <> payment.id
        and o.state = any(${OPEN_STATES}::text[]))`.as('hasOthersOpen'),
    )
    .select(
      sql<boolean>`exists (select from payment o where o.provider = payment.provider and o.provider_txn = ${providerTxn})`.as(
        'isTxnKnown',
      ),
    )
    .where('id', '=', paymentId)
    .forUpdate()
    .executeTakeFirstOrThrow();
}

export type NewAttempt = Pick<
  StoredPayment,
  'orderId' | 'memberId' | 'provider' | 'method' | 'amountFen' | 'createdAt' | 'expiresAt'
>;

/** The attempt of the order by this method that is open, or a new one: asked for by the loop if whoever made it comes no further. */
export async function openAttempt(tx: Tx, attempt: NewAttempt): Promise<StoredPayment> {
  const { orderId, memberId, provider, method, amountFen, createdAt, expiresAt } = attempt;
  const nextQueryAt = new Date(createdAt.getTime() + queryDelayMs(0));
  const { rows } = await sql<StoredPayment>`${planKept}
    insert into payment (id, order_id, member_id, provider, method, amount_fen, created_at, expires_at, next_query_at)
    values (${uuidv7()}, ${orderId}, ${memberId}, ${provider}, ${method}, ${amountFen}, ${createdAt}, ${expiresAt}, ${nextQueryAt})
    on conflict do nothing returning *`.execute(tx);
  const made = rows[0] ?? (await selectOpenPayments(tx, orderId)).find((open) => open.method === method);
  if (!made) throw new Error(`order ${orderId} takes no attempt`);
  return made;
}

export interface Taken {
  providerTxn: string;
  paidAt: Date;
}

/** A row of its own for money beyond what an attempt was for. */
export async function insertOrphan(tx: Tx, attempt: NewAttempt, { providerTxn, paidAt }: Taken): Promise<string> {
  const id = uuidv7();
  const { orderId, memberId, provider, method, amountFen, createdAt, expiresAt } = attempt;
  const row = { id, orderId, memberId, provider, method, amountFen, createdAt, expiresAt, providerTxn, paidAt };
  await tx
    .insertInto('payment')
    .values({ ...row, state: 'ORPHAN', appliedAt: null, nextQueryAt: null })
    .execute();
  return id;
}

export async function updateTaken(
  tx: Tx,
  paymentId: string,
  { state, providerTxn, paidAt, appliedAt }: Taken & { state: 'SUCCEEDED' | 'ORPHAN'; appliedAt: Date | null },
): Promise<void> {
  await sql`${planKept}
    update payment set state = ${state}, provider_txn = ${providerTxn}, paid_at = ${paidAt}, applied_at = ${appliedAt}, next_query_at = null
    where id = ${paymentId}`.execute(tx);
}

/** The order is paid: whoever has another way to pay it open is to be stopped soon. */
export async function askOpenPaymentsNow(tx: Tx, orderId: string, at: Date): Promise<void> {
  await tx
    .updateTable('payment')
    .set({ nextQueryAt: at })
    .where('orderId', '=', orderId)
    .where('state', 'in', OPEN_STATES)
    .execute();
}

/** What the provider shows of an attempt; undefined where it is no longer open. */
export async function updateShown(
  db: Db,
  paymentId: string,
  { qrText, redirectUrl }: { qrText: string; redirectUrl: string },
): Promise<StoredPayment | undefined> {
  const { rows } = await sql<StoredPayment>`${planKept}
    update payment set state = 'SUBMITTED', qr_text = ${qrText}, redirect_url = ${redirectUrl}
    where id = ${paymentId} and state = any(${OPEN_STATES}::text[]) returning *`.execute(db);
  return rows[0];
}

/** Moves an attempt that is still open; nothing happens to one that is not. */
export async function updateOpenState(db: Db, paymentId: string, state: PaymentState): Promise<void> {
  const isEnd = state === 'FAILED' || state === 'CLOSED';
  await db
    .updateTable('payment')
    .set({ state, ...(isEnd ? { nextQueryAt: null } : {}) })
    .where('id', '=', paymentId)
    .where('state', 'in', state === 'UNKNOWN' ? ['CREATED'] : OPEN_STATES)
    .execute();
}

/** Takes on attempts that are due to be asked for, each due again later by then; those another gateway took are left to it. */
export async function claimDuePayments(db: Db, at: Date, most: number): Promise<StoredPayment[]> {
  const due = await db
    .updateTable('payment')
    .set({ queries: sql<number>`queries + 1`, nextQueryAt: delayed(at) })
    .where('id', 'in', (payments) =>
      payments
        .selectFrom('payment')
        .select('id')
        .where('nextQueryAt', '<=', at)
        .orderBy('nextQueryAt')
        .limit(most)
        .forUpdate()
        .skipLocked(),
    )
    .returningAll()
    .execute();
  return due.sort((one, other) => (one.id < other.id ? -1 : 1));
}

/** The rule's delay, written out: the number of tries is the row's. */
function delayed(at: Date) {
  const steps = Array.from({ length: 11 }, (_, queries) => queryDelayMs(queries));
  return sql<Date>`${at}::timestamptz + (${steps}::bigint[])[least(queries, 10) + 1] * interval '1 millisecond'`;
}
