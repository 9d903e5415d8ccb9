import { type Selectable, sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { PaymentState } from '../../contract/orderStates';
import type { Db, Tx } from '../../db/client';
import type { PaymentTable } from '../../db/schemaCommerce';
import { OPEN_STATES, queryDelayMs } from './payment.rules';

/** An attempt as it is kept. */
export type StoredPayment = Selectable<PaymentTable>;

export function selectPayment(reader: Db | Tx, paymentId: string): Promise<StoredPayment | undefined> {
  return reader.selectFrom('payment').selectAll().where('id', '=', paymentId).executeTakeFirst();
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

export async function isMoneyKnown(tx: Tx, provider: string, providerTxn: string): Promise<boolean> {
  const known = await tx
    .selectFrom('payment')
    .select('id')
    .where('provider', '=', provider)
    .where('providerTxn', '=', providerTxn)
    .executeTakeFirst();
  return known !== undefined;
}

export type NewAttempt = Pick<
  StoredPayment,
  'orderId' | 'memberId' | 'provider' | 'method' | 'amountFen' | 'createdAt' | 'expiresAt'
>;

/** A new attempt, asked for by the loop if whoever made it comes no further. */
export function insertAttempt(tx: Tx, attempt: NewAttempt): Promise<StoredPayment> {
  const nextQueryAt = new Date(attempt.createdAt.getTime() + queryDelayMs(0));
  return tx
    .insertInto('payment')
    .values({ ...attempt, id: uuidv7(), providerTxn: null, paidAt: null, appliedAt: null, nextQueryAt })
    .returningAll()
    .executeTakeFirstOrThrow();
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
  taken: Taken & { state: 'SUCCEEDED' | 'ORPHAN'; appliedAt: Date | null },
): Promise<void> {
  await tx
    .updateTable('payment')
    .set({ ...taken, nextQueryAt: null })
    .where('id', '=', paymentId)
    .execute();
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
export function updateShown(
  db: Db,
  paymentId: string,
  { qrText, redirectUrl }: { qrText: string; redirectUrl: string },
): Promise<StoredPayment | undefined> {
  return db
    .updateTable('payment')
    .set({ state: 'SUBMITTED', qrText, redirectUrl })
    .where('id', '=', paymentId)
    .where('state', 'in', OPEN_STATES)
    .returningAll()
    .executeTakeFirst();
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
