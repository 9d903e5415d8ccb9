import { Type } from '@sinclair/typebox';
import { type CallTypes, Dcu, defineCalls, Fields, Id, Instant, Nullable, OneOf, PageOf, Paging } from './contract';
import { Fen } from './money';

export const couponStates = ['AVAILABLE', 'RESERVED', 'USED'] as const;
export type CouponState = (typeof couponStates)[number];

/** AMOUNT takes fen off, PERCENT takes a share off up to a cap, DCU adds DCU to what the order brings. */
export const couponKinds = ['AMOUNT', 'PERCENT', 'DCU'] as const;
export type CouponKind = (typeof couponKinds)[number];

/** What a coupon fits. */
export const couponScopes = ['ALL', 'SKU', 'PACKAGE'] as const;
export type CouponScope = (typeof couponScopes)[number];

/** Why a coupon cannot be used on an order. */
export const couponReasons = [
  'NOT_YET',
  'EXPIRED',
  'RESERVED',
  'USED',
  'OTHER_PRODUCT',
  'BELOW_MINIMUM',
  'NOTHING_LEFT_TO_PAY',
] as const;
export type CouponReason = (typeof couponReasons)[number];

export const Coupon = Fields({
  couponId: Id,
  title: Type.String(),
  kind: OneOf(couponKinds),
  /** AMOUNT: fen off. */
  amountFen: Nullable(Fen),
  /** PERCENT: how many of a hundred are taken off, and at most how much. */
  percent: Nullable(Type.Integer({ minimum: 1, maximum: 100 })),
  capFen: Nullable(Fen),
  /** DCU: how many are added. */
  dcu: Nullable(Dcu),
  scope: OneOf(couponScopes),
  /** Names of the products it is for; empty: all of its scope. */
  fits: Type.Array(Type.String()),
  /** The least an order must come to before the coupon. */
  minimumFen: Fen,
  startsAt: Instant,
  endsAt: Instant,
  state: OneOf(couponStates),
  /** The order it is reserved for or was used on. */
  orderId: Nullable(Id),
  usedAt: Nullable(Instant),
});

export const couponTabs = ['usable', 'used', 'expired'] as const;

export const couponCalls = defineCalls({
  'GET /gateway/membership/coupons': {
    summary:
      'The member’s coupons: usable (reserved and not yet valid ones too; soonest ending first), used or expired (latest first).',
    access: 'member',
    query: Fields({ ...Paging, status: Type.Optional(OneOf(couponTabs)) }),
    data: Fields({
      ...PageOf(Coupon).properties,
      counts: Fields({ usable: Type.Integer(), used: Type.Integer(), expired: Type.Integer() }),
    }),
    errors: [],
  },
  'POST /gateway/membership/redeemCoupon': {
    summary: 'Redeems a code for what its campaign gives: a coupon, DCU or days of a level.',
    access: 'member',
    body: Fields({ code: Type.String({ minLength: 4, maxLength: 40 }) }),
    data: Fields({
      gives: OneOf(['coupon', 'dcu', 'membership'] as const),
      /** What it is, in words. */
      title: Type.String(),
      couponId: Nullable(Id),
      dcu: Nullable(Dcu),
      days: Nullable(Type.Integer()),
    }),
    errors: ['COUPON_CODE_UNKNOWN', 'COUPON_CODE_USED_UP', 'COUPON_CODE_REDEEMED'],
    idempotent: true,
    audited: 'self',
  },
});

export type CouponCalls = CallTypes<typeof couponCalls>;
