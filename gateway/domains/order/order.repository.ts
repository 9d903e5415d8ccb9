import { randomInt } from 'node:crypto';
import { type Insertable, sql } from 'kysely';
import type { Db, Tx } from '../../db/client';
import type { OrderLineTable, OrderTable, StoredOffer, StoredWords } from '../../db/schemaCommerce';
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

/** How many orders of the member wait to be paid, and whether one is of this product. */
export async function countPending(tx: Tx, memberId: string, productId: string): Promise<{ pending: number; ofProduct: number }> {
  const row = await tx
    .selectFrom('order')
    .select([
      sql<number>`count(*)::int`.as('pending'),
      sql<number>`count(*) filter (where product_id = ${productId})::int`.as('ofProduct'),
    ])
    .where('memberId', '=', memberId)
    .where('state', '=', 'PENDING')
    .executeTakeFirstOrThrow();
  return row;
}

/** Orders whose time to pay is over, those longest over first. */
export async function selectDue(db: Db, at: Date, most: number): Promise<{ orderId: string; memberId: string }[]> {
  return db
    .selectFrom('order')
    .select(['id as orderId', 'memberId'])
    .where('state', '=', 'PENDING')
    .where('payUntil', '<=', at)
    .orderBy('payUntil')
    .limit(most)
    .execute();
}
