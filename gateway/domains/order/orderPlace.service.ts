import { v7 as uuidv7 } from 'uuid';
import { brokenConstraint, type Db, inTransaction, readNow, type Tx } from '../../db/client';
import { findAnswer, type IdempotentRequest, runOnce } from '../../db/idempotency';
import { failpoint } from '../../failpoint';
import { Refusal } from '../../refusal';
import type { Coupons, Packages, Points, Viewer, Wallets } from './neighbours';
import type { OrderView } from './order.presenter';
import { countPending, insertOrder, selectLimitedState } from './order.repository';
import { creditInstants, requireFirstOfLimited, requireMayPlace, requireSeen } from './order.rules';
import type { OrderFulfilService } from './orderFulfil.service';
import { insertOrderEvent } from './orderState.repository';
import type { OrderViewService } from './orderView.service';
import { type Choice, type Product, type Quote, type QuoteService, soldOut } from './quote.service';
import { reserveStock, selectStockLeft } from './stock.repository';

export interface PlaceDeps {
  db: Db;
  ledger: Pick<Wallets, 'lockWallet'>;
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
        await ledger.lockWallet(tx, memberId);
        const orderId = await place(deps, tx, memberId, placement);
        return views.get(viewer, orderId, tx);
      }),
    );
    await failpoint('order.place.committed');
    return placed;
  } catch (error) {
    if (brokenConstraint(error) === 'order_limited') throw new Refusal('SKU_ALREADY_PENDING');
    throw error;
  }
}

async function place(deps: PlaceDeps, tx: Tx, memberId: string, placement: Placement): Promise<string> {
  const quote = await quoteSeen(deps, tx, memberId, placement);
  const { payableFen } = quote.amounts;
  const { productId, stock } = quote.offer;
  requireMayPlace({ isRealName: quote.isRealName, pendingOrders: await countPending(tx, memberId) }, payableFen);
  if (stock !== null) requireFirstOfLimited(await selectLimitedState(tx, memberId, productId));
  const orderId = uuidv7();
  await writeOrder(tx, { orderId, memberId, quote });
  await setAside(deps, tx, { orderId, memberId, quote });
  await failpoint('order.place.written');
  if (payableFen === 0n) await deps.fulfilment.fulfil(tx, { orderId, actor: 'system', evidence: {} });
  return orderId;
}

/** The price the member saw, now or a moment ago, as far as it still holds. Throws PRICE_CHANGED with the one it has now. */
async function quoteSeen({ quotes }: PlaceDeps, tx: Tx, memberId: string, placement: Placement): Promise<Quote> {
  const { product, choice, expectedPayableFen } = placement;
  const at = await readNow(tx);
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

interface Writing {
  orderId: string;
  memberId: string;
  quote: Quote;
}

async function writeOrder(tx: Tx, { orderId, memberId, quote }: Writing): Promise<void> {
  const { offer, amounts, lines, at } = quote;
  const order = {
    ...{ id: orderId, memberId, kind: offer.kind, productId: offer.productId, quantity: offer.quantity, title: offer.title },
    ...{ offer: quote.stored, priceVersion: quote.priceVersion, isLimited: offer.stock !== null, ...amounts },
    ...{ pointsUsed: quote.points.used, couponId: quote.coupon?.couponId ?? null, placedAt: at, payUntil: quote.payUntil },
  };
  const orderNo = await insertOrder(
    tx,
    order,
    offer.lines.map((line, index) => ({ ...line, ...(lines[index] ?? amounts) })),
  );
  const evidence = { orderNo, payableFen: Number(amounts.payableFen), priceVersion: quote.priceVersion };
  await insertOrderEvent(tx, { orderId, from: null, to: 'PENDING', reason: 'PLACED', actor: 'member', evidence, at });
}

/** What the order counts on is nobody else's until it is paid, cancelled or over. Stock comes last: everybody waits for its row. */
async function setAside({ coupons, points, packages }: PlaceDeps, tx: Tx, { orderId, memberId, quote }: Writing): Promise<void> {
  const { offer, at } = quote;
  if (quote.points.used > 0n) await points.hold(tx, { memberId, orderId, points: quote.points.used });
  const creditItemId = quote.stored.package?.creditItemId ?? null;
  if (creditItemId !== null) await packages.reserveCredit(tx, { memberId, orderId, itemId: creditItemId });
  if (quote.coupon) await coupons.reserve(tx, { couponId: quote.coupon.couponId, memberId, orderId, at });
  if (offer.stock !== null && !(await reserveStock(tx, { ...offer, stock: offer.stock }))) {
    throw soldOut((await selectStockLeft(tx, offer.productId)) ?? 0);
  }
}
