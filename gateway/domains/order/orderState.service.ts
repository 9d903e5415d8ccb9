import type { OrderState } from '../../contract/orderStates';
import { readNow, type Tx } from '../../db/client';
import type { OrderActor } from '../../db/schemaCommerce';
import { canMove } from './order.rules';
import { insertOrderEvent, type StoredOrder, selectOrderForUpdate, updateOrderState } from './orderState.repository';

export type { StoredOrder } from './orderState.repository';

export interface OrderMove {
  orderId: string;
  from: OrderState;
  to: OrderState;
  reason: string;
  actor: OrderActor;
  evidence?: Readonly<Record<string, string | number>>;
  /** Why a member or an operator cancelled it. */
  cancelReason?: string;
  pointsEarned?: bigint;
  /** All that went back by now. */
  refundedFen?: bigint;
}

export type OrderStateService = ReturnType<typeof createOrderStateService>;

/** The one place where an order changes its state: row and timeline together, in the caller's transaction. */
export function createOrderStateService() {
  return {
    /** The order under its lock; undefined where there is none. The member's wallet is locked before it. */
    lockOrder: (tx: Tx, orderId: string): Promise<StoredOrder | undefined> => selectOrderForUpdate(tx, orderId),

    /** Writes the new state and its event. Throws an `Error` where the table of states has no such move, or the order is elsewhere. */
    async move(tx: Tx, { orderId, from, to, reason, actor, evidence = {}, ...changes }: OrderMove): Promise<void> {
      if (!canMove(from, to)) throw new Error(`order ${orderId} cannot go from ${from} to ${to}`);
      const at = await readNow(tx);
      const isClosed = to === 'CANCELLED' || to === 'EXPIRED';
      const moved = await updateOrderState(
        tx,
        { orderId, from, to },
        {
          ...changes,
          ...(from === 'PENDING' && to === 'FULFILLED' ? { fulfilledAt: at } : {}),
          ...(isClosed ? { closedAt: at } : {}),
        },
      );
      if (!moved) throw new Error(`order ${orderId} is not ${from}`);
      await insertOrderEvent(tx, { orderId, from, to, reason, actor, evidence, at });
    },
  };
}
