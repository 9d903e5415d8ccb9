import { greater, lesser } from '../../bigints';
import { type GivenBack, type OrderLot, planDcuRefund, type RefundPlan } from '../payment/refund.rules';
import { mostPointsFor, priceBeforeCoupon, priceOrder } from './price.rules';

const DAY_MS = 86_400_000;
const PAY_MS = 30 * 60_000;
const RULE = { fenPerPoint: 1n, mostPercent: 50n };
const PENDING_MOST = 5;
const NONE: GivenBack = { micro: 0n, fen: 0n, withdrawnPoints: 0n, spentPointsFen: 0n, returnedPoints: 0n };

/** What is sold, as far as it matters to money. */
export interface ModelSku {
  skuId: string;
  fen: bigint;
  micro: bigint;
  bonusMicro: bigint;
  validDays: number;
}

export interface ModelCoupon {
  amountFen: bigint;
  bonusMicro: bigint;
  state: 'AVAILABLE' | 'RESERVED' | 'USED';
}

interface ModelLot {
  nth: bigint;
  source: string;
  granted: bigint;
  remaining: bigint;
  grantedAtMs: number;
  expiresAtMs: number;
}

export interface ModelOrder {
  sku: ModelSku;
  quantity: bigint;
  payableFen: bigint;
  pointsUsed: bigint;
  pointsEarned: bigint;
  coupon: ModelCoupon | null;
  state: 'PENDING' | 'FULFILLED' | 'CANCELLED' | 'EXPIRED' | 'REFUNDED' | 'PART_REFUNDED';
  payUntilMs: number;
  /** Money that comes once the time to pay is over. */
  isLate: boolean;
  lots: ModelLot[];
  given: GivenBack;
  /** What came at the provider for it, and what of that went back. */
  inFen: bigint;
  outFen: bigint;
}

/** One member who buys DCU, uses them and gives them back, in memory: nothing of tables, locks, notices and loops. */
export class OrderModel {
  readonly orders: ModelOrder[] = [];
  readonly coupons: ModelCoupon[] = [];
  points = 0n;
  heldPoints = 0n;
  private lots = 0n;

  constructor(public atMs: number) {}

  /** What every lot that can still be burnt holds. */
  get micro(): bigint {
    return sum(this.orders.flatMap(({ lots }) => lots.map((lot) => lot.remaining)));
  }

  /** Refuses, with the name of why, what the gateway must refuse. */
  place(sku: ModelSku, quantity: bigint, coupon: ModelCoupon | null, pointsPercent: bigint): ModelOrder | string {
    if (coupon && coupon.state !== 'AVAILABLE') return 'COUPON_UNUSABLE';
    const price = this.price(sku, quantity, coupon, pointsPercent);
    const { payableFen, points: pointsUsed } = price;
    const pending = this.orders.filter(({ state }) => state === 'PENDING');
    if (payableFen > 0n && pending.length >= PENDING_MOST) return 'TOO_MANY_PENDING_ORDERS';
    const limited = this.orders.find((order) => order.sku.skuId === 'starter' && !['CANCELLED', 'EXPIRED'].includes(order.state));
    if (sku.skuId === 'starter' && limited) return limited.state === 'PENDING' ? 'SKU_ALREADY_PENDING' : 'SKU_ALREADY_BOUGHT';
    const order: ModelOrder = {
      ...{ sku, quantity, payableFen, pointsUsed, pointsEarned: 0n, coupon, state: 'PENDING', payUntilMs: this.atMs + PAY_MS },
      ...{ isLate: false, lots: [], given: NONE, inFen: 0n, outFen: 0n },
    };
    this.heldPoints += pointsUsed;
    if (coupon) coupon.state = 'RESERVED';
    this.orders.push(order);
    if (payableFen === 0n) this.fulfil(order);
    return order;
  }

  price(sku: ModelSku, quantity: bigint, coupon: ModelCoupon | null, pointsPercent: bigint) {
    const before = priceBeforeCoupon({ lineListFen: [sku.fen * quantity], ownFen: sku.fen * quantity, creditFen: 0n });
    const couponDiscountFen = coupon ? lesser(coupon.amountFen, before.leftFen) : 0n;
    const most = lesser(this.points - this.heldPoints, mostPointsFor(before.leftFen - couponDiscountFen, RULE));
    const points = (most * pointsPercent) / 100n;
    const { amounts } = priceOrder(before, { couponDiscountFen, points, rule: RULE });
    return { payableFen: amounts.payableFen, points };
  }

  /** Money that comes `times` times; all but what a waiting order needs goes back. */
  pay(order: ModelOrder, times: bigint): void {
    const isNeeded = order.state === 'PENDING';
    order.inFen += order.payableFen * times;
    order.outFen += order.payableFen * (isNeeded ? times - 1n : times);
    if (isNeeded) this.fulfil(order);
  }

  close(order: ModelOrder, state: 'CANCELLED' | 'EXPIRED'): void {
    order.state = state;
    this.heldPoints -= order.pointsUsed;
    if (order.coupon) order.coupon.state = 'AVAILABLE';
  }

  /** What giving it back would bring; null where nothing would. */
  planRefund(order: ModelOrder): RefundPlan | null {
    if (order.state !== 'FULFILLED' && order.state !== 'PART_REFUNDED') return null;
    const { payableFen, pointsUsed, pointsEarned, given: before } = order;
    const money = { payableFen, pointsUsed, pointsEarned, before, fenPerPoint: RULE.fenPerPoint };
    const lots = order.lots.map((lot): OrderLot => ({ ...lot, lotId: lot.nth, isExpired: lot.expiresAtMs <= this.atMs }));
    const plan = planDcuRefund({ ...money, freePoints: this.points - this.heldPoints }, lots, this.micro);
    const returnsCoupon = plan.isUntouched && order.coupon !== null;
    return plan.refundFen > 0n || plan.returnedPoints > 0n || returnsCoupon ? plan : null;
  }

  /** Gives it back; where the provider refuses, everything is as before but for the lots, which come again. */
  refund(order: ModelOrder, plan: RefundPlan, isRefused: boolean): void {
    const taken = order.lots.map((lot) => ({ lot, micro: plan.uses.find(({ lotId }) => lotId === lot.nth)?.micro ?? 0n }));
    for (const { lot, micro } of taken) lot.remaining -= micro;
    if (isRefused && plan.refundFen > 0n) {
      for (const expiresAtMs of [...new Set(taken.filter(({ micro }) => micro > 0n).map(({ lot }) => lot.expiresAtMs))]) {
        const micro = sum(taken.filter(({ lot }) => lot.expiresAtMs === expiresAtMs).map((use) => use.micro));
        this.addLot(order, 'refund', micro, expiresAtMs);
      }
      return;
    }
    order.state = plan.isWhole ? 'REFUNDED' : 'PART_REFUNDED';
    order.outFen += plan.refundFen;
    order.given = {
      micro: order.given.micro + plan.withdrawnMicro,
      fen: order.given.fen + plan.refundFen,
      withdrawnPoints: order.given.withdrawnPoints + plan.withdrawnPoints,
      spentPointsFen: order.given.spentPointsFen + plan.spentPointsFen,
      returnedPoints: order.given.returnedPoints + plan.returnedPoints,
    };
    this.points += plan.returnedPoints - plan.withdrawnPoints;
    if (plan.isUntouched && order.coupon) order.coupon.state = 'AVAILABLE';
  }

  /** Labs use this much of what is valid for long enough, soonest expiring first; how much that was. */
  use(percent: bigint, forMs: number): bigint {
    const valid = this.orders
      .flatMap(({ lots }) => lots)
      .filter((lot) => lot.expiresAtMs > this.atMs + forMs && lot.remaining > 0n)
      .sort(
        (one, other) => one.expiresAtMs - other.expiresAtMs || one.grantedAtMs - other.grantedAtMs || Number(one.nth - other.nth),
      );
    const used = (sum(valid.map((lot) => lot.remaining)) * percent) / 100n;
    let due = used;
    for (const lot of valid) {
      const micro = lesser(lot.remaining, due);
      lot.remaining -= micro;
      due -= micro;
    }
    return used;
  }

  /** Time goes on: orders and lots end, and money comes late for what is over by then. */
  pass(ms: number): void {
    this.atMs += ms;
    for (const order of this.orders) {
      if (order.state === 'PENDING' && order.payUntilMs <= this.atMs) this.close(order, 'EXPIRED');
      // The provider lets it come five seconds after the end.
      if (order.isLate && order.payUntilMs + 5_000 <= this.atMs) {
        order.isLate = false;
        this.pay(order, 1n);
      }
      for (const lot of order.lots) if (lot.expiresAtMs <= this.atMs) lot.remaining = 0n;
    }
  }

  /** What no history may bring. Each is said without the rules that the model stands on. */
  breaches(givenPoints: bigint): string[] {
    const broken: string[] = [];
    for (const { payableFen, inFen, outFen, lots, given, state } of this.orders) {
      const isKept = state !== 'PENDING' && state !== 'CANCELLED' && state !== 'EXPIRED';
      const brought = sum(lots.filter(({ source }) => source !== 'refund').map((lot) => lot.granted));
      if (outFen > inFen) broken.push('more money went back than came');
      if (inFen - outFen !== (isKept ? payableFen - given.fen : 0n)) broken.push('money is kept that pays nothing');
      if (!isKept && lots.length > 0) broken.push('what was not paid brought DCU');
      // What is kept or was used is paid for at the order's own price.
      if (given.fen * greater(brought, 1n) > payableFen * given.micro)
        broken.push('more cash went back than unused DCU were worth');
      if (sum(lots.map((lot) => lot.remaining)) + given.micro > brought) broken.push('DCU came out of nothing');
    }
    const living = this.orders.filter(({ state }) => state === 'FULFILLED' || state === 'PENDING');
    for (const coupon of this.coupons) {
      if (living.filter((order) => order.coupon === coupon).length > 1) broken.push('a coupon counts twice');
    }
    const earned = sum(this.orders.map(({ inFen, outFen }) => (inFen - outFen) / 100n));
    const spent = sum(
      this.orders.map(({ pointsUsed, given, state }) => (hasBegun(state) ? pointsUsed - given.returnedPoints : 0n)),
    );
    const paidForPoints = sum(this.orders.map(({ given }) => given.spentPointsFen));
    const rounding = BigInt(this.orders.length);
    if (this.points + spent > givenPoints + earned + paidForPoints + rounding) broken.push('points came out of nothing');
    if (this.heldPoints < 0n || this.heldPoints > this.points) broken.push('points are set aside that nobody has');
    return broken;
  }

  private fulfil(order: ModelOrder): void {
    order.state = 'FULFILLED';
    order.pointsEarned = order.payableFen / 100n;
    this.points += order.pointsEarned - order.pointsUsed;
    this.heldPoints -= order.pointsUsed;
    if (order.coupon) order.coupon.state = 'USED';
    const { micro, bonusMicro, validDays } = order.sku;
    const expiresAtMs = this.atMs + validDays * DAY_MS;
    this.addLot(order, 'purchase', micro * order.quantity, expiresAtMs);
    this.addLot(order, 'gift', bonusMicro * order.quantity, expiresAtMs);
    this.addLot(order, 'coupon', order.coupon?.bonusMicro ?? 0n, this.atMs + COUPON_DAYS * DAY_MS);
  }

  private addLot({ lots }: ModelOrder, source: string, granted: bigint, expiresAtMs: number): void {
    this.lots += 1n;
    if (granted > 0n) lots.push({ nth: this.lots, source, granted, remaining: granted, grantedAtMs: this.atMs, expiresAtMs });
  }
}

/** For how long the DCU of a coupon are valid. */
export const COUPON_DAYS = 30;

function hasBegun(state: ModelOrder['state']): boolean {
  return state === 'FULFILLED' || state === 'PART_REFUNDED' || state === 'REFUNDED';
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n);
}
