import { greater, lesser } from '../../bigints';
import { quoteInstants } from '../../quoteInstants';
import type { LotUse } from '../ledger/lot.rules';

/** A lot an order brought, or that came back when a provider refused its refund. */
export interface OrderLot {
  lotId: bigint;
  source: string;
  granted: bigint;
  remaining: bigint;
  isExpired: boolean;
}

/** What was given back of an order before, by refunds that were not refused. */
export interface GivenBack {
  micro: bigint;
  fen: bigint;
  withdrawnPoints: bigint;
  spentPointsFen: bigint;
  returnedPoints: bigint;
}

/** The cash and points of an order, and what the member has free now. */
export interface OrderMoney {
  payableFen: bigint;
  pointsUsed: bigint;
  pointsEarned: bigint;
  before: GivenBack;
  freePoints: bigint;
  fenPerPoint: bigint;
}

export interface RefundPlan {
  refundFen: bigint;
  uses: LotUse[];
  withdrawnMicro: bigint;
  withdrawnPoints: bigint;
  spentPointsFen: bigint;
  returnedPoints: bigint;
  /** What the unused time is worth beyond the cash the order was paid with. */
  forfeitedFen: bigint;
  /** Nothing of the order is left afterwards. */
  isWhole: boolean;
  /** Nothing of it was used at all: what came with the order goes back as well. */
  isUntouched: boolean;
}

/** Bonus DCU go first: what was paid for stays longest. */
const ORDER_OF_SOURCES = ['gift', 'coupon', 'refund', 'purchase'];

/** Takes up to `freeMicro` out of lots that have not expired. */
export function takeUnused(lots: readonly OrderLot[], freeMicro: bigint): LotUse[] {
  const rank = ({ source }: OrderLot) => ORDER_OF_SOURCES.indexOf(source);
  const live = lots.filter((lot) => !lot.isExpired && lot.remaining > 0n).sort((a, b) => rank(a) - rank(b));
  const uses: LotUse[] = [];
  let free = freeMicro;
  for (const { lotId, remaining } of live) {
    const micro = lesser(remaining, greater(free, 0n));
    if (micro === 0n) continue;
    uses.push({ lotId, micro });
    free -= micro;
  }
  return uses;
}

/**
 * What giving back an order of DCU brings now: its cash × unused DCU / all DCU it brought. Refunds of parts are counted from the
 * order's first, so that what rounding takes from one comes with the next and parts of a whole sum to the whole.
 */
export function planDcuRefund(order: OrderMoney, lots: readonly OrderLot[], freeMicro: bigint): RefundPlan {
  const brought = sum(lots.filter((lot) => lot.source !== 'refund').map((lot) => lot.granted));
  const uses = takeUnused(lots, freeMicro);
  const withdrawnMicro = sum(uses.map((use) => use.micro));
  const { before } = order;
  const soFar = before.micro + withdrawnMicro;
  const share = (whole: bigint, micro: bigint) => (brought === 0n ? 0n : (whole * micro) / brought);
  const left = sum(lots.filter((lot) => !lot.isExpired).map((lot) => lot.remaining)) - withdrawnMicro;
  return {
    ...settlePoints(order, {
      cashFen: share(order.payableFen, soFar) - share(order.payableFen, before.micro),
      dueEarned: share(order.pointsEarned, soFar),
      returnedPoints: share(order.pointsUsed, soFar) - before.returnedPoints,
    }),
    uses,
    withdrawnMicro,
    isWhole: left === 0n,
    forfeitedFen: 0n,
    isUntouched: brought > 0n && soFar === brought,
  };
}

/** A refund of a package as a member sees it holds for this long at least. */
const QUOTE_GRID = { gridMs: 5 * 60_000, holdsMs: 2 * 60_000 };

/** Instants to which a refund of a package may be counted, that of one asked for now first. */
export function refundInstants(at: Date): [Date, ...Date[]] {
  return quoteInstants(at, QUOTE_GRID);
}

/** What ending a package brings: `cashFen` is what its unused time is worth, before points; what it brought is taken as the package says. */
export function planPackageRefund(
  order: OrderMoney,
  ended: { cashFen: bigint; withdrawnMicro: bigint; uses: LotUse[]; isUntouched: boolean },
): RefundPlan {
  const cashFen = lesser(ended.cashFen, order.payableFen);
  const share = (whole: bigint) => (order.payableFen === 0n ? 0n : (whole * cashFen) / order.payableFen);
  return {
    ...settlePoints(order, { cashFen, dueEarned: share(order.pointsEarned), returnedPoints: share(order.pointsUsed) }),
    uses: ended.uses,
    withdrawnMicro: ended.withdrawnMicro,
    isWhole: true,
    forfeitedFen: ended.cashFen - cashFen,
    isUntouched: ended.isUntouched,
  };
}

/** Points the order earned go in proportion; the worth of those already spent goes off the cash, which never exceeds what is left of it. */
function settlePoints(
  { payableFen, before, freePoints, fenPerPoint }: OrderMoney,
  part: { cashFen: bigint; dueEarned: bigint; returnedPoints: bigint },
): Pick<RefundPlan, 'refundFen' | 'withdrawnPoints' | 'spentPointsFen' | 'returnedPoints'> {
  const paidBack = before.withdrawnPoints + before.spentPointsFen / fenPerPoint;
  const due = greater(part.dueEarned - paidBack, 0n);
  const withdrawnPoints = lesser(due, greater(freePoints, 0n));
  const cashFen = greater(lesser(part.cashFen, payableFen - before.fen), 0n);
  const spentPointsFen = lesser((due - withdrawnPoints) * fenPerPoint, cashFen);
  return {
    refundFen: cashFen - spentPointsFen,
    withdrawnPoints,
    spentPointsFen,
    returnedPoints: greater(part.returnedPoints, 0n),
  };
}

/** False where giving back would bring the member nothing. */
export function bringsAnything(plan: RefundPlan, returnsCoupon: boolean): boolean {
  return plan.refundFen > 0n || plan.returnedPoints > 0n || returnsCoupon;
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n);
}
