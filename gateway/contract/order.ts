import { Type } from '@sinclair/typebox';
import { type CallTypes, Dcu, defineCalls, Fields, Id, Instant, Nullable, OneOf, PageOf, Paging } from './contract';
import { Coupon, couponReasons } from './coupon';
import { Ceilings, CustomPackage, Months, packageEffects } from './membership';
import { CatalogueId, Fen, OptionalOrNone, Points } from './money';
import { orderActions, orderStates, paymentStates, refundReasons, refundStates } from './orderStates';

export const orderKinds = ['SKU', 'PACKAGE'] as const;
export type OrderKind = (typeof orderKinds)[number];

/** The price in its order: list → student → upgrade credit → coupon → points → payable; each part stands once a line and once in sum. */
const amounts = {
  listFen: Fen,
  studentDiscountFen: Fen,
  upgradeCreditFen: Fen,
  couponDiscountFen: Fen,
  pointsDiscountFen: Fen,
  payableFen: Fen,
};

const Line = Fields({ title: Type.String(), quantity: Type.Integer({ minimum: 1 }), ...amounts });

/** What an order brings. */
const Brings = Fields({
  dcu: Dcu,
  bonusDcu: Dcu,
  /** DCU that a coupon adds. */
  couponDcu: Dcu,
  dcuExpireAt: Nullable(Instant),
  package: Nullable(
    Fields({
      effect: OneOf(packageEffects),
      levelFlag: Type.Integer(),
      months: Months,
      monthlyDcu: Dcu,
      /** DCU of its first month; less than a month's where an upgrade brings only the difference. */
      firstDcu: Dcu,
      ceilings: Ceilings,
      startsAt: Instant,
      endsAt: Instant,
    }),
  ),
});

const Quote = Fields({
  priceVersion: Type.Integer({ minimum: 1 }),
  ...amounts,
  lines: Type.Array(Line),
  brings: Brings,
  /** Every coupon the member could think of, best first, and why one does not fit. */
  coupons: Type.Array(
    Fields({ coupon: Coupon, isUsable: Type.Boolean(), reason: Nullable(OneOf(couponReasons)), discountFen: Fen, bonusDcu: Dcu }),
  ),
  /** The one that is counted. */
  couponId: Nullable(Id),
  points: Fields({ used: Points, available: Points, most: Points, fenPerPoint: Type.Integer() }),
  /** Points its payment earns. */
  earnsPoints: Points,
  /** Payments of this size need a verified real name, which the member lacks. */
  needsRealName: Type.Boolean(),
});

export const Payment = Fields({
  paymentId: Id,
  orderId: Id,
  method: Type.String(),
  state: OneOf(paymentStates),
  amountFen: Fen,
  /** What the QR code says; empty before the provider answered. */
  qrText: Type.String(),
  redirectUrl: Type.String(),
  createdAt: Instant,
  expiresAt: Instant,
});

const Refund = Fields({
  refundId: Id,
  reason: OneOf(refundReasons),
  state: OneOf(refundStates),
  amountFen: Fen,
  withdrawnDcu: Dcu,
  createdAt: Instant,
  endedAt: Nullable(Instant),
});

const orderFields = {
  orderId: Id,
  /** What people read to each other: twenty digits. */
  orderNo: Type.String(),
  kind: OneOf(orderKinds),
  state: OneOf(orderStates),
  title: Type.String(),
  quantity: Type.Integer({ minimum: 1 }),
  ...amounts,
  refundedFen: Fen,
  createdAt: Instant,
  /** Until when it can be paid. */
  payUntil: Instant,
  fulfilledAt: Nullable(Instant),
  closedAt: Nullable(Instant),
  actions: Type.Array(OneOf(orderActions)),
};

export const OrderRow = Fields(orderFields);

/** Who moved it: the member, the system by itself, the payment provider or an operator. */
export const orderActors = ['member', 'system', 'provider', 'operator'] as const;

export const Order = Fields({
  ...orderFields,
  lines: Type.Array(Line),
  brings: Brings,
  coupon: Nullable(Coupon),
  pointsUsed: Points,
  pointsEarned: Points,
  cancelReason: Type.String(),
  payments: Type.Array(Payment),
  refunds: Type.Array(Refund),
  timeline: Type.Array(
    Fields({
      at: Instant,
      from: Nullable(OneOf(orderStates)),
      to: OneOf(orderStates),
      reason: Type.String(),
      actor: OneOf(orderActors),
      evidence: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()])),
    }),
  ),
});

const Quantity = Type.Integer({ minimum: 1, maximum: 99 });
const sku = { skuId: CatalogueId, quantity: Quantity };
/** `custom` says what it is built from where `packageId` is `custom`, and only there. */
const pack = { packageId: CatalogueId, months: Months, custom: OptionalOrNone(CustomPackage) };
const chosen = { couponId: OptionalOrNone(Id), points: Type.Optional(Points) };
/** What the member saw: another price now is said, and no order made. */
const agreed = { expectedPayableFen: Fen, priceVersion: Type.Integer({ minimum: 1 }) };

/** NOT_FOUND: a coupon that is not the member's. */
const quoteErrors = ['NOT_FOUND', 'COUPON_UNUSABLE', 'POINTS_TOO_MANY'] as const;
const placeErrors = [...quoteErrors, 'PRICE_CHANGED', 'TOO_MANY_PENDING_ORDERS', 'REAL_NAME_REQUIRED'] as const;
const skuErrors = ['SKU_UNAVAILABLE', 'SKU_SOLD_OUT'] as const;
const packageErrors = ['PACKAGE_UNAVAILABLE', 'REAL_NAME_REQUIRED'] as const;
const placed = { access: 'member', data: Order, idempotent: true, audited: 'data.orderId' } as const;

export const orderCalls = defineCalls({
  'POST /gateway/order/previewSku': {
    summary: 'What this SKU costs the member, with the best coupon chosen and the reason why each other does not fit.',
    access: 'member',
    body: Fields(sku),
    data: Quote,
    errors: skuErrors,
  },
  'POST /gateway/order/estimateSkuPrice': {
    summary: 'The same with the coupon and points the member chose; no coupon and no points where none are named.',
    access: 'member',
    body: Fields({ ...sku, ...chosen }),
    data: Quote,
    errors: [...skuErrors, ...quoteErrors],
  },
  'POST /gateway/order/placeSku': {
    summary: 'Places an order: reserves coupon, points and stock for 30 minutes; with nothing to pay it is fulfilled at once.',
    ...placed,
    body: Fields({ ...sku, ...chosen, ...agreed }),
    errors: [...skuErrors, ...placeErrors, 'SKU_ALREADY_PENDING', 'SKU_ALREADY_BOUGHT'],
  },
  'POST /gateway/order/previewPackage': {
    summary: 'What this package costs the member, upgrade credit included, and when it would begin.',
    access: 'member',
    body: Fields(pack),
    data: Quote,
    errors: packageErrors,
  },
  'POST /gateway/order/estimatePackagePrice': {
    summary: 'The same with the coupon and points the member chose.',
    access: 'member',
    body: Fields({ ...pack, ...chosen }),
    data: Quote,
    errors: [...packageErrors, ...quoteErrors],
  },
  'POST /gateway/order/placePackage': {
    summary: 'Places an order for a package.',
    ...placed,
    body: Fields({ ...pack, ...chosen, ...agreed }),
    errors: ['PACKAGE_UNAVAILABLE', ...placeErrors],
  },
  'POST /gateway/order/pageFind': {
    summary: 'The member’s orders, newest first.',
    access: 'member',
    body: Fields({
      ...Paging,
      state: OptionalOrNone(OneOf(orderStates)),
      kind: OptionalOrNone(OneOf(orderKinds)),
      from: OptionalOrNone(Instant),
      to: OptionalOrNone(Instant),
    }),
    data: PageOf(OrderRow),
    errors: [],
  },
  'GET /gateway/order/find': {
    summary: 'One order with its lines, payments, refunds and timeline.',
    access: 'member',
    query: Fields({ orderId: Id }),
    data: Order,
    errors: ['NOT_FOUND'],
  },
  'POST /gateway/order/cancel': {
    summary: 'Cancels an order that is not paid; coupon, points and stock come back.',
    access: 'member',
    body: Fields({ orderId: Id, reason: Type.Optional(Type.String({ maxLength: 200 })) }),
    data: Order,
    errors: ['NOT_FOUND', 'ORDER_STATE_CONFLICT', 'PAYMENT_PROVIDER_UNAVAILABLE'],
    idempotent: true,
    audited: 'body.orderId',
  },
});

export type OrderCalls = CallTypes<typeof orderCalls>;
