import { v7 as uuidv7 } from 'uuid';
import { brokenConstraint, type Db, inTransaction, type Tx } from '../../db/client';
import { findAnswer, type IdempotentRequest, runOnce } from '../../db/idempotency';
import { failpoint } from '../../failpoint';
import { Refusal } from '../../refusal';
import type { Coupons, Packages, Points, Viewer, Wallets } from './neighbours';
import type { OrderView } from './order.presenter';
import { countPending, insertOrder, selectLimitedState } from './order.repository';
import { creditInstants, requireFirstOfLimited, requireMayPlace, requireSeen } from './order.rules';
import type { OrderFulfilService } from './orderFulfil.service';
import type { StoredOrder } from './orderState.service';
import type { OrderViewService } from './orderView.service';
import { type Choice, type Product, type Quote, type QuoteService, soldOut } from './quote.service';
import { reserveStock, selectStockLeft } from './stock.repository';

export interface PlaceDeps {
  db: Db;
  ledger: Pick<Wallets, 'lockWallets'>;
  coupons: Coupons;
  points: Points;
  packages: Packages;
  quotes: QuoteService;
  fulfilment: OrderFulfilService;
  views: OrderViewService;
}

export interface Placement {
  product: Product;
  choice: Exclude<Choice, 'best'>;
  expectedPayableFen: number;
  priceVersion: number;
}

/**
 * Places an order at the price it has under the member's wallet lock, and sets aside what it counts on. Throws what the quote throws,
 * PRICE_CHANGED, REAL_NAME_REQUIRED (LARGE_PAYMENT), TOO_MANY_PENDING_ORDERS, SKU_ALREADY_PENDING, SKU_ALREADY_BOUGHT.
 */
export async function placeOrder(
  deps: PlaceDeps,
  viewer: Viewer,
  placement: Placement,
  idempotency: IdempotentRequest | null,
): Promise<OrderView> {
  const { db, ledger, views } = deps;
  const { memberId } = viewer;
  const first = await findAnswer<OrderView>(db, memberId, idempotency);
  if (first) return first.answer;
  try {
    const placed = await inTransaction(db, (tx) =>
      runOnce(tx, memberId, idempotency, async () => {
        const { at } = await ledger.lockWallets(tx, memberId);
        const { id } = await place(deps, tx, memberId, placement, at);
        return views.get(viewer, id, tx);
      }),
    );
    await failpoint('order.place.committed');
    return placed;
  } catch (error) {
    if (brokenConstraint(error) === 'order_limited') throw new Refusal('SKU_ALREADY_PENDING');
    throw error;
  }
}

async function place(deps: PlaceDeps, tx: Tx, memberId: string, placement: Placement, at: Date): Promise<StoredOrder> {
  const quote = await quoteSeen(deps, tx, memberId, placement, at);
  const { payableFen } = quote.amounts;
  const { productId, stock } = quote.offer;
  requireMayPlace({ isRealName: quote.isRealName, pendingOrders: await countPending(tx, memberId) }, payableFen);
  if (stock !== null) requireFirstOfLimited(await selectLimitedState(tx, memberId, productId));
  const order = await writeOrder(tx, memberId, quote);
  await setAside(deps, tx, order, quote);
  await failpoint('order.place.written');
  // Nobody else sees it before this is committed: it is as good as locked.
  if (payableFen === 0n) await deps.fulfilment.fulfil(tx, { order, actor: 'system', evidence: {} });
  return order;
}

/** The price the member saw, now or a moment ago, as far as it still holds. Throws PRICE_CHANGED with the one it has now. */
async function quoteSeen({ quotes }: PlaceDeps, tx: Tx, memberId: string, placement: Placement, at: Date): Promise<Quote> {
  const { product, choice, expectedPayableFen } = placement;
  const [now, ...before] = creditInstants(at);
  const current = await quotes.quote(tx, memberId, product, choice, at, now);
  for (const countedTo of current.stored.package?.creditItemId ? before : []) {
    if (current.amounts.payableFen === BigInt(expectedPayableFen)) break;
    const earlier = await quotes.quote(tx, memberId, product, choice, at, countedTo);
    if (earlier.amounts.payableFen === BigInt(expectedPayableFen)) return earlier;
  }
  requireSeen(placement, { payableFen: current.amounts.payableFen, priceVersion: current.priceVersion });
  return current;
}

function writeOrder(tx: Tx, memberId: string, quote: Quote): Promise<StoredOrder> {
  const { offer, amounts, lines, at } = quote;
  const order = {
    ...{ id: uuidv7(), memberId, kind: offer.kind, productId: offer.productId, quantity: offer.quantity, title: offer.title },
    ...{ offer: quote.stored, priceVersion: quote.priceVersion, isLimited: offer.stock !== null, ...amounts },
    ...{ pointsUsed: quote.points.used, couponId: quote.coupon?.couponId ?? null, placedAt: at, payUntil: quote.payUntil },
  };
  return insertOrder(
    tx,
    order,
    offer.lines.map((line, index) => ({ ...line, ...(lines[index] ?? amounts) })),
  );
}

/** What the order counts on is nobody else's until it is paid, cancelled or over. Stock comes last: everybody waits for its row. */
async function setAside({ coupons, points, packages }: PlaceDeps, tx: Tx, order: StoredOrder, quote: Quote): Promise<void> {
  const { id: orderId, memberId } = order;
  const { offer, at } = quote;
  if (quote.points.used > 0n) await points.hold(tx, { memberId, orderId, points: quote.points.used });
  const creditItemId = quote.stored.package?.creditItemId ?? null;
  if (creditItemId !== null) await packages.reserveCredit(tx, { memberId, orderId, itemId: creditItemId });
  if (quote.coupon) await coupons.reserve(tx, { couponId: quote.coupon.couponId, memberId, orderId, at });
  if (offer.stock !== null && !(await reserveStock(tx, { ...offer, stock: offer.stock }))) {
    throw soldOut((await selectStockLeft(tx, offer.productId)) ?? 0);
  }
}
