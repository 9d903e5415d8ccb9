import { randomInt } from 'node:crypto';
import { type Selectable, sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { OrderState } from '../../contract/orderStates';
import { type Db, planKept, type Tx } from '../../db/client';
import type { OrderLineTable } from '../../db/schemaCommerce';
import { OPEN_STATES } from '../payment/payment.rules';
import { orderNoOf } from './order.rules';
import type { StoredOrder } from './orderState.repository';

/** What of an order is not known before it is placed. */
type Drawn = 'orderNo' | 'seq' | 'state' | 'refundedFen' | 'pointsEarned' | 'fulfilledAt' | 'closedAt' | 'cancelReason';
export type NewOrder = Omit<StoredOrder, Drawn>;
export type NewLine = Omit<Selectable<OrderLineTable>, 'orderId' | 'line'>;

const DRAWS = 10;

/**
 * Writes an order, its lines and the first event of its timeline, in one statement. Its number is drawn anew where somebody has it. The
 * order as it is kept then.
 */
export async function insertOrder(tx: Tx, order: NewOrder, lines: readonly NewLine[]): Promise<StoredOrder> {
  for (let draw = 1; draw <= DRAWS; draw += 1) {
    const added = await tryInsertOrder(tx, orderNoOf(order.placedAt, randomInt(1_000_000)), order, lines);
    if (added) return added;
  }
  throw new Error('no free order number was drawn');
}

async function tryInsertOrder(
  tx: Tx,
  orderNo: string,
  order: NewOrder,
  lines: readonly NewLine[],
): Promise<StoredOrder | undefined> {
  const written = lines.map((line, index) => ({ ...line, line: index + 1 }));
  const { rows } = await sql<StoredOrder>`${planKept}
    with placed as (
      insert into "order" (id, order_no, member_id, kind, product_id, quantity, title, offer, price_version, is_limited, list_fen,
        student_discount_fen, upgrade_credit_fen, coupon_discount_fen, points_discount_fen, payable_fen, points_used, coupon_id,
        placed_at, pay_until)
      values (${order.id}, ${orderNo}, ${order.memberId}, ${order.kind}, ${order.productId}, ${order.quantity},
        ${JSON.stringify(order.title)}, ${JSON.stringify(order.offer)}, ${order.priceVersion}, ${order.isLimited}, ${order.listFen},
        ${order.studentDiscountFen}, ${order.upgradeCreditFen}, ${order.couponDiscountFen}, ${order.pointsDiscountFen},
        ${order.payableFen}, ${order.pointsUsed}, ${order.couponId}, ${order.placedAt}, ${order.payUntil})
      on conflict (order_no) do nothing returning *),
    line as (
      insert into order_line (order_id, line, title, quantity, list_fen, student_discount_fen, upgrade_credit_fen, coupon_discount_fen,
        points_discount_fen, payable_fen)
      select placed.id, l.line, l.title, l.quantity, l."listFen", l."studentDiscountFen", l."upgradeCreditFen", l."couponDiscountFen",
        l."pointsDiscountFen", l."payableFen"
      from placed, jsonb_to_recordset(${JSON.stringify(written, bigintAsText)}::jsonb) l (line smallint, title jsonb, quantity int,
        "listFen" bigint, "studentDiscountFen" bigint, "upgradeCreditFen" bigint, "couponDiscountFen" bigint,
        "pointsDiscountFen" bigint, "payableFen" bigint)),
    event as (
      insert into order_event (id, order_id, at, to_state, reason, actor, evidence)
      select ${uuidv7()}::uuid, id, placed_at, state, 'PLACED', 'member',
        jsonb_build_object('orderNo', order_no, 'payableFen', payable_fen, 'priceVersion', price_version) from placed)
    select * from placed`.execute(tx);
  return rows[0];
}

function bigintAsText(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}

/** How many orders of the member wait to be paid. */
export async function countPending(tx: Tx, memberId: string): Promise<number> {
  const { pending } = await tx
    .selectFrom('order')
    .modifyFront(planKept)
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
