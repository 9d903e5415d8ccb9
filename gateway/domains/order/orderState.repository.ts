import type { Selectable } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { OrderState } from '../../contract/orderStates';
import type { Tx } from '../../db/client';
import type { OrderActor, OrderTable } from '../../db/schemaCommerce';

/** An order as it is kept. */
export type StoredOrder = Selectable<OrderTable>;

export function selectOrderForUpdate(tx: Tx, orderId: string): Promise<StoredOrder | undefined> {
  return tx.selectFrom('order').selectAll().where('id', '=', orderId).forUpdate().executeTakeFirst();
}

export interface OrderNote {
  orderId: string;
  from: OrderState | null;
  to: OrderState;
  /** In capitals, for the timeline. */
  reason: string;
  actor: OrderActor;
  evidence: Readonly<Record<string, string | number>>;
  at: Date;
}

export async function insertOrderEvent(tx: Tx, { from, to, evidence, ...event }: OrderNote): Promise<void> {
  await tx
    .insertInto('orderEvent')
    .values({ ...event, id: uuidv7(), fromState: from, toState: to, evidence: JSON.stringify(evidence) })
    .execute();
}

/** False when the order is not in the state it is to leave. */
export async function updateOrderState(
  tx: Tx,
  { orderId, from, to }: { orderId: string; from: OrderState; to: OrderState },
  changes: { fulfilledAt?: Date; closedAt?: Date; cancelReason?: string; pointsEarned?: bigint; refundedFen?: bigint },
): Promise<boolean> {
  const moved = await tx
    .updateTable('order')
    .set({ ...changes, state: to })
    .where('id', '=', orderId)
    .where('state', '=', from)
    .returning('id')
    .executeTakeFirst();
  return moved !== undefined;
}
