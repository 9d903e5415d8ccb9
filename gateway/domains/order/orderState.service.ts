import type { OrderState } from '../../contract/orderStates';
import type { Db, Tx } from '../../db/client';
import type { OrderActor } from '../../db/schemaCommerce';
import { Refusal } from '../../refusal';
import { canMove } from './order.rules';
import { type StoredOrder, selectOrderForUpdate, selectState, updateOrderState } from './orderState.repository';

export type { StoredOrder } from './orderState.repository';

export interface OrderMove {
  orderId: string;
  from: OrderState;
  to: OrderState;
  reason: string;
  actor: OrderActor;
  /** Read after the locks. */
  at: Date;
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

    /** The member's order under its lock, after their wallet's. Throws NOT_FOUND, also for another member's. */
    async lockMine(tx: Tx, memberId: string, orderId: string): Promise<StoredOrder> {
      const order = await selectOrderForUpdate(tx, orderId, memberId);
      if (!order) throw new Refusal('NOT_FOUND');
      return order;
    },

    /** The state an order is in, unlocked; undefined where there is none. */
    stateOf: (reader: Db | Tx, orderId: string): Promise<OrderState | undefined> => selectState(reader, orderId),

    /** Writes the new state and its event. Throws an `Error` where the table of states has no such move, or the order is elsewhere. */
    async move(tx: Tx, { orderId, from, to, reason, actor, at, evidence = {}, ...changes }: OrderMove): Promise<void> {
      if (!canMove(from, to)) throw new Error(`order ${orderId} cannot go from ${from} to ${to}`);
      const isClosed = to === 'CANCELLED' || to === 'EXPIRED';
      const moved = await updateOrderState(
        tx,
        { orderId, from, to, reason, actor, evidence, at },
        {
          ...changes,
          ...(from === 'PENDING' && to === 'FULFILLED' ? { fulfilledAt: at } : {}),
          ...(isClosed ? { closedAt: at } : {}),
        },
      );
      if (!moved) throw new Error(`order ${orderId} is not ${from}`);
    },
  };
}
