import { randomInt } from 'node:crypto';
import { type Insertable, sql } from 'kysely';
import type { OrderState } from '../../contract/orderStates';
import type { Db, Tx } from '../../db/client';
import type { OrderLineTable, OrderTable, StoredOffer, StoredWords } from '../../db/schemaCommerce';
import { OPEN_STATES } from '../payment/payment.rules';
import { orderNoOf } from './order.rules';

type NewOrder = Omit<Insertable<OrderTable>, 'orderNo' | 'title' | 'offer' | 'fulfilledAt' | 'closedAt'> & {
  title: StoredWords;
  offer: StoredOffer;
};
type NewLine = Omit<Insertable<OrderLineTable>, 'title' | 'orderId' | 'line'> & { title: StoredWords };

const DRAWS = 10;

/** Writes an order and its lines. Its number is drawn anew where somebody has it; the number it got. */
export async function insertOrder(tx: Tx, { title, offer, ...order }: NewOrder, lines: readonly NewLine[]): Promise<string> {
  const stored = { ...order, title: JSON.stringify(title), offer: JSON.stringify(offer), fulfilledAt: null, closedAt: null };
  for (let draw = 1; draw <= DRAWS; draw += 1) {
    const added = await tx
      .insertInto('order')
      .values({ ...stored, orderNo: orderNoOf(order.placedAt, randomInt(1_000_000)) })
      .onConflict((conflict) => conflict.column('orderNo').doNothing())
      .returning('orderNo')
      .executeTakeFirst();
    if (!added) continue;
    await tx
      .insertInto('orderLine')
      .values(lines.map((line, index) => ({ ...line, orderId: order.id, line: index + 1, title: JSON.stringify(line.title) })))
      .execute();
    return added.orderNo;
  }
  throw new Error('no free order number was drawn');
}

/** How many orders of the member wait to be paid. */
export async function countPending(tx: Tx, memberId: string): Promise<number> {
  const { pending } = await tx
    .selectFrom('order')
    .select(sql<number>`count(*)::int`.as('pending'))
    .where('memberId', '=', memberId)
    .where('state', '=', 'PENDING')
    .executeTakeFirstOrThrow();
  return pending;
}

/** The state of the member's order of a limited offer that was neither cancelled nor left unpaid; undefined without one. */
export async function selectLimitedState(tx: Tx, memberId: string, productId: string): Promise<OrderState | undefined> {
  const order = await tx
    .selectFrom('order')
    .select('state')
    .where('memberId', '=', memberId)
    .where('productId', '=', productId)
    .where('isLimited', '=', true)
    .where('state', 'not in', ['CANCELLED', 'EXPIRED'])
    .executeTakeFirst();
  return order?.state;
}

/**
 * Orders whose time to pay is over, those longest over first; behind them those with an open attempt, for which a provider must be asked: one
 * that gives no answer keeps no other waiting.
 */
export async function selectDue(db: Db, at: Date, most: number): Promise<{ orderId: string; memberId: string }[]> {
  return db
    .selectFrom('order')
    .select(['id as orderId', 'memberId'])
    .where('state', '=', 'PENDING')
    .where('payUntil', '<=', at)
    .orderBy(({ exists, selectFrom }) =>
      exists(
        selectFrom('payment')
          .select('payment.id')
          .whereRef('payment.orderId', '=', 'order.id')
          .where('payment.state', 'in', OPEN_STATES),
      ),
    )
    .orderBy('payUntil')
    .limit(most)
    .execute();
}
