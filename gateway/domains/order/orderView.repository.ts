import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { OrderKind } from '../../contract/order';
import type { OrderState } from '../../contract/orderStates';
import type { Db, Tx } from '../../db/client';
import type { OrderEventTable, OrderLineTable, PaymentTable, RefundTable } from '../../db/schemaCommerce';
import type { StoredOrder } from './orderState.repository';

/** An order with everything that belongs to it. */
export interface WholeOrder {
  order: StoredOrder;
  lines: Selectable<OrderLineTable>[];
  events: Selectable<OrderEventTable>[];
  payments: Selectable<PaymentTable>[];
  refunds: Selectable<RefundTable>[];
}

/** An order of the member's; another's is undefined like a missing one. */
export function selectMine(reader: Db | Tx, memberId: string, orderId: string): Promise<StoredOrder | undefined> {
  return reader.selectFrom('order').selectAll().where('id', '=', orderId).where('memberId', '=', memberId).executeTakeFirst();
}

/** An order of the member's with all that belongs to it; undefined like `selectMine`. */
export async function selectWhole(reader: Db | Tx, memberId: string, orderId: string): Promise<WholeOrder | undefined> {
  const order = await selectMine(reader, memberId, orderId);
  if (!order) return undefined;
  const { id } = order;
  return {
    order,
    lines: await reader.selectFrom('orderLine').selectAll().where('orderId', '=', id).orderBy('line').execute(),
    events: await reader.selectFrom('orderEvent').selectAll().where('orderId', '=', id).orderBy('at').orderBy('id').execute(),
    payments: await reader.selectFrom('payment').selectAll().where('orderId', '=', id).orderBy('createdAt').orderBy('id').execute(),
    refunds: await reader.selectFrom('refund').selectAll().where('orderId', '=', id).orderBy('createdAt').orderBy('id').execute(),
  };
}

export interface OrderFilter {
  memberId: string;
  state: OrderState | null;
  kind: OrderKind | null;
  from: Date | null;
  to: Date | null;
}

/**
 * One page of the member's orders, newest first, and how many match. A member's orders are numbered without gaps in the order in which
 * they were placed, so without a filter by state or kind a place in the list is a number: no count and no late page reads what lies before.
 */
export async function pageOrders(
  db: Db,
  filter: OrderFilter,
  { offset, size }: { offset: number; size: number },
): Promise<{ rows: StoredOrder[]; total: number }> {
  const isSpan = filter.state === null && filter.kind === null;
  const span = await readSpan(db, filter);
  if (span.last < span.first) return { rows: [], total: 0 };
  const last = isSpan ? span.last - offset : span.last;
  const matching = db
    .selectFrom('order')
    .where('memberId', '=', filter.memberId)
    .where('seq', '>=', span.first)
    .where('seq', '<=', last)
    .$if(filter.state !== null, (query) => query.where('state', '=', filter.state ?? 'PENDING'))
    .$if(filter.kind !== null, (query) => query.where('kind', '=', filter.kind ?? 'SKU'));
  const rows = await matching
    .selectAll()
    .orderBy('seq', 'desc')
    .limit(size)
    .$if(!isSpan, (query) => query.offset(offset))
    .execute();
  if (isSpan) return { rows, total: span.last - span.first + 1 };
  const counted = await matching.select(sql<number>`count(*)::int`.as('total')).executeTakeFirstOrThrow();
  return { rows, total: counted.total };
}

/** The first and the last of the member's numbers within the filter's time; the last is before the first where it is empty. */
async function readSpan(db: Db, { memberId, from, to }: OrderFilter): Promise<{ first: number; last: number }> {
  const mine = sql`select seq from "order" where member_id = ${memberId}::uuid`;
  const all: RawBuilder<unknown> = sql`coalesce((${mine} order by seq desc limit 1), 0)`;
  const first = from ? sql`coalesce((${mine} and placed_at >= ${from} order by placed_at, seq limit 1), ${all} + 1)` : sql`1`;
  const last = to ? sql`coalesce((${mine} and placed_at < ${to} order by placed_at desc, seq desc limit 1), 0)` : all;
  const { rows } = await sql<{ first: number; last: number }>`select ${first} as first, ${last} as last`.execute(db);
  return rows[0] ?? { first: 1, last: 0 };
}
