import { type Selectable, sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { OrderState } from '../../contract/orderStates';
import { type Db, planKept, type Tx } from '../../db/client';
import type { OrderActor, OrderTable } from '../../db/schemaCommerce';

/** An order as it is kept. */
export type StoredOrder = Selectable<OrderTable>;

/** With a member: theirs alone. */
export function selectOrderForUpdate(tx: Tx, orderId: string, memberId?: string): Promise<StoredOrder | undefined> {
  return tx
    .selectFrom('order')
    .modifyFront(planKept)
    .selectAll()
    .where('id', '=', orderId)
    .$if(memberId !== undefined, (query) => query.where('memberId', '=', memberId ?? ''))
    .forUpdate()
    .executeTakeFirst();
}

export async function selectState(reader: Db | Tx, orderId: string): Promise<OrderState | undefined> {
  return (await reader.selectFrom('order').select('state').where('id', '=', orderId).executeTakeFirst())?.state;
}

export interface OrderNote {
  orderId: string;
  from: OrderState;
  to: OrderState;
  /** In capitals, for the timeline. */
  reason: string;
  actor: OrderActor;
  evidence: Readonly<Record<string, string | number>>;
  at: Date;
}

/** What changes with the state; what is left out stays. */
export interface OrderChanges {
  fulfilledAt?: Date;
  closedAt?: Date;
  cancelReason?: string;
  pointsEarned?: bigint;
  refundedFen?: bigint;
}

/** Writes the new state and its event, in one statement; false when the order is not in the state it is to leave. */
export async function updateOrderState(tx: Tx, note: OrderNote, changes: OrderChanges): Promise<boolean> {
  const { orderId, from, to, reason, actor, evidence, at } = note;
  const { rows } = await sql`${planKept}
    with moved as (
      update "order" set state = ${to},
        fulfilled_at = coalesce(${changes.fulfilledAt ?? null}::timestamptz, fulfilled_at),
        closed_at = coalesce(${changes.closedAt ?? null}::timestamptz, closed_at),
        cancel_reason = coalesce(${changes.cancelReason ?? null}::text, cancel_reason),
        points_earned = coalesce(${changes.pointsEarned ?? null}::bigint, points_earned),
        refunded_fen = coalesce(${changes.refundedFen ?? null}::bigint, refunded_fen)
      where id = ${orderId} and state = ${from} returning id)
    insert into order_event (id, order_id, at, from_state, to_state, reason, actor, evidence)
    select ${uuidv7()}::uuid, id, ${at}::timestamptz, ${from}::text, ${to}::text, ${reason}::text, ${actor}::text,
      ${JSON.stringify(evidence)}::jsonb from moved
    returning id`.execute(tx);
  return rows.length > 0;
}
