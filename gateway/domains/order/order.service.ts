import type { FastifyBaseLogger } from 'fastify';
import { type Db, inTransaction, readNow } from '../../db/client';
import { findAnswer, type IdempotentRequest, runOnce } from '../../db/idempotency';
import { failpoint } from '../../failpoint';
import { Refusal } from '../../refusal';
import type { CloseAttempts, Coupons, Packages, Points, Users, Viewer, Wallets } from './neighbours';
import { type OrderView, presentPayment } from './order.presenter';
import { selectDue } from './order.repository';
import { requireAction } from './order.rules';
import { createOrderFulfilService, type OrderFulfilService } from './orderFulfil.service';
import { type PlaceDeps, type Placement, placeOrder } from './orderPlace.service';
import { createOrderStateService, type OrderStateService } from './orderState.service';
import { createOrderViewService } from './orderView.service';
import { createQuoteService, type QuoteDeps } from './quote.service';

export interface OrderDeps {
  db: Db;
  catalogue: QuoteDeps['catalogue'];
  ledger: Wallets;
  coupons: Coupons;
  points: Points;
  packages: Packages;
  users: Users;
  closeAttempts: CloseAttempts;
  log: FastifyBaseLogger;
}

export interface ExpiryReport {
  expired: number;
  /** Turned out paid at the last moment. */
  paid: number;
}

const EXPIRE_BATCH = 200;

export type OrderService = ReturnType<typeof createOrderService>;

/**
 * Orders of members. Every change runs in one transaction that locks the member's wallet and then the order; the payment provider is asked
 * outside it. Errors stand at each change below.
 */
export function createOrderService(deps: OrderDeps) {
  const states = createOrderStateService();
  const fulfilment = createOrderFulfilService({ ...deps, states });
  const quotes = createQuoteService(deps);
  const views = createOrderViewService({ ...deps, quotes });
  const parts: Parts = { ...deps, states, fulfilment, quotes, views };
  return {
    ...states,
    presentPayment,
    ...{ quote: views.quote, get: views.get, page: views.page, requireMine: views.requireMine },
    fulfil: fulfilment.fulfil,
    place: (viewer: Viewer, placement: Placement, idempotency: IdempotentRequest | null) =>
      placeOrder(parts, viewer, placement, idempotency),
    cancel: (viewer: Viewer, ask: { orderId: string; reason: string }, idempotency: IdempotentRequest | null) =>
      cancel(parts, viewer, ask, idempotency),
    expireDue: () => expireDue(parts),
  };
}

interface Parts extends OrderDeps, PlaceDeps {
  ledger: Wallets;
  states: OrderStateService;
  fulfilment: OrderFulfilService;
}

/** Throws NOT_FOUND, ORDER_STATE_CONFLICT – also where an attempt turned out paid –, PAYMENT_PROVIDER_UNAVAILABLE. */
async function cancel(
  { db, ledger, states, fulfilment, views, closeAttempts }: Parts,
  viewer: Viewer,
  { orderId, reason }: { orderId: string; reason: string },
  idempotency: IdempotentRequest | null,
): Promise<OrderView> {
  const { memberId } = viewer;
  const first = await findAnswer<OrderView>(db, memberId, idempotency);
  if (first) return first.answer;
  const seen = await views.requireMine(memberId, orderId);
  requireAction(seen.state, 'cancel');
  // Whoever pays meanwhile has paid: the order is looked at again under its lock.
  await closeAttempts(seen.id);
  return inTransaction(db, (tx) =>
    runOnce(tx, memberId, idempotency, async () => {
      await ledger.lockWallet(tx, memberId);
      const order = await states.lockOrder(tx, seen.id);
      if (!order) throw new Refusal('NOT_FOUND');
      requireAction(order.state, 'cancel');
      const closing = { to: 'CANCELLED', reason: 'CANCELLED_BY_MEMBER', actor: 'member', cancelReason: reason } as const;
      await fulfilment.close(tx, { ...closing, order, evidence: {} });
      return views.get(viewer, order.id, tx);
    }),
  );
}

/** Closes the orders whose time to pay is over; one that cannot be closed now is logged and tried at the next run. */
async function expireDue(parts: Parts): Promise<ExpiryReport> {
  const { db, log } = parts;
  const report: ExpiryReport = { expired: 0, paid: 0 };
  for (const { orderId, memberId } of await selectDue(db, await readNow(db), EXPIRE_BATCH)) {
    try {
      report[await expire(parts, memberId, orderId)] += 1;
    } catch (err) {
      log.warn({ err, orderId }, 'an order whose time is over was not closed');
    }
  }
  return report;
}

async function expire(
  { db, ledger, states, fulfilment, closeAttempts }: Parts,
  memberId: string,
  orderId: string,
): Promise<keyof ExpiryReport> {
  await closeAttempts(orderId);
  return inTransaction(db, async (tx) => {
    await ledger.lockWallet(tx, memberId);
    const order = await states.lockOrder(tx, orderId);
    if (order?.state !== 'PENDING') return 'paid';
    await fulfilment.close(tx, { order, to: 'EXPIRED', reason: 'TIME_OVER', actor: 'system', evidence: {} });
    await failpoint('expire.orders');
    return 'expired';
  });
}
