import type { OfferedCoupon, Order, OrderRow, Payment, Quote, Repayable } from '@/services/order';
import type { Sku } from '@/services/product';
import { buildOverview, buildUser } from './builders';
import { type Answer, type MadeCall, success } from './gateway';

const ordered = '2026-11-21T08:00:00.000Z';
/** Far enough that no test is too slow for it. */
export const payUntil = '2126-11-21T08:30:00.000Z';

export function buildSku(changes: Partial<Sku> = {}): Sku {
  return {
    skuId: 'dcu-100',
    name: '100 DCU',
    description: '',
    dcu: 100,
    bonusDcu: 5,
    listFen: 10_000,
    priceFen: 10_000,
    studentFen: 8_000,
    validDays: 365,
    maxQuantity: 20,
    left: null,
    ...changes,
  };
}

const nothingOff = { studentDiscountFen: 0, upgradeCreditFen: 0, couponDiscountFen: 0, pointsDiscountFen: 0 };
export const amounts = { listFen: 10_000, ...nothingOff, payableFen: 10_000 };
const brings = { dcu: 100, bonusDcu: 5, couponDcu: 0, dcuExpireAt: '2027-11-21T08:00:00.000Z', package: null };

/** What a month of the Pro package brings. */
export const packageBrings: Quote['brings'] = {
  dcu: 0,
  bonusDcu: 0,
  couponDcu: 0,
  dcuExpireAt: null,
  package: {
    effect: 'UPGRADE',
    levelFlag: 2,
    months: 1,
    monthlyDcu: 120,
    firstDcu: 100,
    ceilings: { cpuCores: 16, dcuPerHour: 16, storageGb: 100, runningLabs: 5, privateImages: 10, maxHours: 72 },
    startsAt: ordered,
    endsAt: '2026-12-21T08:00:00.000Z',
  },
};

export function buildOffered(changes: Partial<OfferedCoupon['coupon']> = {}, offer: Partial<OfferedCoupon> = {}): OfferedCoupon {
  return {
    coupon: {
      couponId: 'welcome',
      title: '¥10 off ¥50',
      kind: 'AMOUNT',
      amountFen: 1_000,
      percent: null,
      capFen: null,
      dcu: null,
      scope: 'ALL',
      fits: [],
      minimumFen: 5_000,
      startsAt: ordered,
      endsAt: '2026-12-21T08:00:00.000Z',
      state: 'AVAILABLE',
      orderId: null,
      usedAt: null,
      ...changes,
    },
    isUsable: true,
    reason: null,
    discountFen: 1_000,
    bonusDcu: 0,
    ...offer,
  };
}

export function buildQuote(changes: Partial<Quote> = {}): Quote {
  return {
    priceVersion: 1,
    ...amounts,
    lines: [{ title: '100 DCU', quantity: 1, ...amounts }],
    brings,
    coupons: [],
    couponId: null,
    points: { used: 0, available: 0, most: 0, fenPerPoint: 1 },
    earnsPoints: 100,
    needsRealName: false,
    ...changes,
  };
}

export function buildOrderRow(changes: Partial<OrderRow> = {}): OrderRow {
  return {
    orderId: 'o1',
    orderNo: '20261121160000123456',
    kind: 'SKU',
    state: 'PENDING',
    title: '100 DCU',
    quantity: 1,
    ...amounts,
    refundedFen: 0,
    createdAt: ordered,
    payUntil,
    fulfilledAt: null,
    closedAt: null,
    actions: ['pay', 'cancel'],
    ...changes,
  };
}

export function buildOrder(changes: Partial<Order> = {}): Order {
  return {
    ...buildOrderRow(),
    lines: [{ title: '100 DCU', quantity: 1, ...amounts }],
    brings,
    coupon: null,
    pointsUsed: 0,
    pointsEarned: 0,
    cancelReason: '',
    payments: [],
    refunds: [],
    timeline: [{ at: ordered, from: null, to: 'PENDING', reason: 'PLACED', actor: 'member', evidence: {} }],
    ...changes,
  };
}

/** Paid an hour ago. */
export function buildPaidOrder(changes: Partial<Order> = {}): Order {
  const paidAt = '2026-11-21T08:05:00.000Z';
  return buildOrder({
    state: 'FULFILLED',
    fulfilledAt: paidAt,
    actions: ['refund'],
    pointsEarned: 100,
    payments: [buildPayment({ state: 'SUCCEEDED' })],
    timeline: [
      { at: ordered, from: null, to: 'PENDING', reason: 'PLACED', actor: 'member', evidence: {} },
      { at: paidAt, from: 'PENDING', to: 'FULFILLED', reason: 'PAID', actor: 'provider', evidence: {} },
    ],
    ...changes,
  });
}

export function buildPayment(changes: Partial<Payment> = {}): Payment {
  return {
    paymentId: 'p1',
    orderId: 'o1',
    method: 'sandbox',
    state: 'SUBMITTED',
    amountFen: 10_000,
    qrText: 'https://pay.test/q/1',
    redirectUrl: 'https://pay.test/cashier/1',
    createdAt: ordered,
    expiresAt: payUntil,
    ...changes,
  };
}

export function buildRepayable(changes: Partial<Repayable> = {}): Repayable {
  return {
    orderId: 'o1',
    orderNo: '20261121160000123456',
    state: 'PENDING',
    payableFen: 10_000,
    payUntil,
    methods: [{ method: 'sandbox', name: 'Sandbox', isSandbox: true }],
    payment: null,
    ...changes,
  };
}

type Answers = Record<string, Answer | ((call: MadeCall) => Answer | Promise<Answer>)>;

/** What a signed-in member is answered by what every page of money asks, beside its own answers. */
export function moneyAnswers(more: Answers = {}): Answers {
  return {
    'GET /gateway/user/getUserBySession': success(buildUser()),
    'GET /gateway/account/overview': success(buildOverview()),
    'GET /gateway/product/pick': success({ priceVersion: 1, isStudentPrice: false, skus: [buildSku(), starter] }),
    ...more,
  };
}

const starter = buildSku({ skuId: 'starter', name: 'Starter', dcu: 30, bonusDcu: 0, priceFen: 1_500, maxQuantity: 1, left: 0 });
