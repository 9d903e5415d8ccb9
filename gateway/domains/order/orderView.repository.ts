import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { OrderKind } from '../../contract/order';
import type { OrderState } from '../../contract/orderStates';
import { type Db, planKept, type Tx } from '../../db/client';
import type { OrderEventTable, OrderLineTable, PaymentTable, RefundTable } from '../../db/schemaCommerce';
import type { StoredOrder } from './orderState.repository';
import type { Amounts } from './price.rules';

type Shown<Table, Columns extends keyof Selectable<Table>> = Pick<Selectable<Table>, Columns>;

export type ShownLine = Shown<OrderLineTable, 'title' | 'quantity' | keyof Amounts>;
type ShownEvent = Shown<OrderEventTable, 'at' | 'fromState' | 'toState' | 'reason' | 'actor' | 'evidence'>;
export type ShownPayment = Shown<
  PaymentTable,
  'id' | 'orderId' | 'method' | 'state' | 'amountFen' | 'qrText' | 'redirectUrl' | 'createdAt' | 'expiresAt'
>;
export type ShownRefund = Shown<RefundTable, 'id' | 'reason' | 'state' | 'amountFen' | 'withdrawnMicro' | 'createdAt' | 'endedAt'>;

/** An order with what is shown of everything that belongs to it. */
export interface WholeOrder {
  order: StoredOrder;
  lines: ShownLine[];
  events: ShownEvent[];
  payments: ShownPayment[];
  refunds: ShownRefund[];
}

/** A row as it comes within JSON: amounts are numbers there, and instants text. */
type InJson<T> = { [K in keyof T]: T[K] extends bigint ? number : Date extends T[K] ? string | Exclude<T[K], Date> : T[K] };
type WholeRow = StoredOrder & { [K in Exclude<keyof WholeOrder, 'order'>]: InJson<WholeOrder[K][number]>[] };

/** An order of the member's; another's is undefined like a missing one. */
export function selectMine(reader: Db | Tx, memberId: string, orderId: string): Promise<StoredOrder | undefined> {
  return reader.selectFrom('order').selectAll().where('id', '=', orderId).where('memberId', '=', memberId).executeTakeFirst();
}

/** An order of the member's with all that belongs to it, in one statement; undefined like `selectMine`. */
export async function selectWhole(reader: Db | Tx, memberId: string, orderId: string): Promise<WholeOrder | undefined> {
  const { rows } = await sql<WholeRow>`${planKept}
    select o.*,
      (select coalesce(json_agg(l order by l.line), '[]') from order_line l where l.order_id = o.id) as lines,
      (select coalesce(json_agg(e order by e.at, e.id), '[]') from order_event e where e.order_id = o.id) as events,
      (select coalesce(json_agg(p order by p.created_at, p.id), '[]') from payment p where p.order_id = o.id) as payments,
      (select coalesce(json_agg(r order by r.created_at, r.id), '[]') from refund r where r.order_id = o.id) as refunds
    from "order" o where o.id = ${orderId} and o.member_id = ${memberId}`.execute(reader);
  if (!rows[0]) return undefined;
  const { lines, events, payments, refunds, ...order } = rows[0];
  return {
    order,
    lines: lines.map((line) => ({ ...line, ...amountsOf(line) })),
    events: events.map((event) => ({ ...event, at: new Date(event.at) })),
    payments: payments.map(({ amountFen, createdAt, expiresAt, ...payment }) => ({
      ...payment,
      ...{ amountFen: BigInt(amountFen), createdAt: new Date(createdAt), expiresAt: new Date(expiresAt) },
    })),
    refunds: refunds.map(({ amountFen, withdrawnMicro, createdAt, endedAt, ...refund }) => ({
      ...refund,
      ...{ amountFen: BigInt(amountFen), withdrawnMicro: BigInt(withdrawnMicro) },
      ...{ createdAt: new Date(createdAt), endedAt: endedAt === null ? null : new Date(endedAt) },
    })),
  };
}

function amountsOf(line: InJson<Amounts>): Amounts {
  return {
    listFen: BigInt(line.listFen),
    studentDiscountFen: BigInt(line.studentDiscountFen),
    upgradeCreditFen: BigInt(line.upgradeCreditFen),
    couponDiscountFen: BigInt(line.couponDiscountFen),
    pointsDiscountFen: BigInt(line.pointsDiscountFen),
    payableFen: BigInt(line.payableFen),
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
