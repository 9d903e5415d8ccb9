import type { Tx } from '../../db/client';
import type { OrderActor } from '../../db/schemaCommerce';
import { failpoint } from '../../failpoint';
import type { Coupons, Packages, Points, Wallets } from './neighbours';
import type { OrderStateService, StoredOrder } from './orderState.service';
import { freeStock, sellStock } from './stock.repository';

const DAY_MS = 86_400_000;

export interface FulfilDeps {
  ledger: Wallets;
  coupons: Coupons;
  points: Points;
  packages: Packages;
  states: OrderStateService;
}

export interface Fulfilment {
  /** As it was read under its lock. */
  order: StoredOrder;
  actor: OrderActor;
  evidence: Readonly<Record<string, string | number>>;
}

export interface Closing extends Fulfilment {
  to: 'CANCELLED' | 'EXPIRED';
  reason: string;
  cancelReason?: string;
}

export type OrderFulfilService = ReturnType<typeof createOrderFulfilService>;

/** The two ends of a pending order, each inside a transaction that holds the member's wallet lock and then the order's. */
export function createOrderFulfilService(deps: FulfilDeps) {
  const { ledger, states, coupons, points, packages } = deps;

  function requirePending({ id, state }: StoredOrder): void {
    if (state !== 'PENDING') throw new Error(`order ${id} is ${state}, not PENDING`);
  }

  return {
    /**
     * Gives everything the order brings and spends what was set aside for it, once: whoever comes second finds it no longer PENDING and
     * gets an `Error`.
     */
    async fulfil(tx: Tx, { order, actor, evidence }: Fulfilment): Promise<void> {
      requirePending(order);
      const { id: orderId, memberId } = order;
      const { at } = await ledger.lockWallet(tx, memberId);
      if (order.offer.package) await packages.begin(tx, { ...order, orderId, package: order.offer.package });
      await grantLots(deps, tx, order, at);
      await failpoint('order.fulfil.granted');
      if (order.pointsUsed > 0n) await points.spend(tx, { memberId, orderId, points: order.pointsUsed });
      const pointsEarned =
        order.payableFen > 0n ? await points.earnForOrder(tx, { memberId, orderId, cashFen: order.payableFen }) : 0n;
      const outcome = order.payableFen > 0n ? 'PAID' : 'NOTHING_TO_PAY';
      await states.move(tx, { orderId, from: 'PENDING', to: 'FULFILLED', reason: outcome, actor, evidence, pointsEarned, at });
      if (order.couponId !== null) await coupons.use(tx, orderId, at);
      if (order.isLimited) await sellStock(tx, order);
      await failpoint('order.fulfil.moved');
    },

    /** Gives back everything that was set aside for the order, and closes it. Throws an `Error` where it is not PENDING. */
    async close(tx: Tx, { order, ...closing }: Closing): Promise<void> {
      requirePending(order);
      const { id: orderId, memberId } = order;
      const { at } = await ledger.lockWallet(tx, memberId);
      if (order.pointsUsed > 0n) await points.free(tx, { memberId, orderId, points: order.pointsUsed });
      if (order.offer.package?.creditItemId) await packages.releaseCredit(tx, orderId);
      await states.move(tx, { orderId, from: 'PENDING', at, ...closing });
      if (order.couponId !== null) await coupons.release(tx, orderId);
      if (order.isLimited) await freeStock(tx, order);
    },
  };
}

/** One lot of what was bought, of what came with it and of what a coupon added; each once for ever by its key. */
async function grantLots({ ledger }: FulfilDeps, tx: Tx, order: StoredOrder, at: Date): Promise<void> {
  const { micro, bonusMicro, couponMicro, validDays, couponValidDays } = order.offer;
  const lots = [
    { key: 'fulfil', micro: BigInt(micro), kind: 'purchase', source: 'purchase', days: validDays },
    { key: 'bonus', micro: BigInt(bonusMicro), kind: 'grant', source: 'gift', days: validDays },
    { key: 'coupon', micro: BigInt(couponMicro), kind: 'grant', source: 'coupon', days: couponValidDays },
  ] as const;
  for (const { key, days, ...lot } of lots) {
    if (lot.micro === 0n) continue;
    await ledger.grantDcu(tx, {
      ...lot,
      memberId: order.memberId,
      expiresAt: days === null ? null : new Date(at.getTime() + days * DAY_MS),
      idemKey: `${key}:${order.id}`,
      ...{ refType: 'order', refId: order.id, orderId: order.id, note: order.orderNo, actor: 'system' },
    });
  }
}
