import { lesser } from '../../bigints';
import type { CouponTermsEntry } from '../../catalog/saleEntries';
import type { CouponReason, CouponState } from '../../contract/coupon';
import type { StoredCouponTerms } from '../../db/schemaCommerce';
import { microFromDcu } from '../../dcu';

/** A coupon a member has. */
export interface HeldCoupon {
  couponId: string;
  memberId: string;
  campaignId: string;
  terms: StoredCouponTerms;
  startsAt: Date;
  endsAt: Date;
  state: CouponState;
  orderId: string | null;
  usedAt: Date | null;
}

/** What a coupon is to be used on; `beforeFen` is what is left to pay before it. */
export interface CouponUse {
  at: Date;
  kind: 'SKU' | 'PACKAGE';
  productId: string;
  beforeFen: bigint;
}

/** What a coupon does to an order: fen off, or DCU more. */
export interface CouponWorth {
  discountFen: bigint;
  bonusMicro: bigint;
}

export interface JudgedCoupon extends CouponWorth {
  coupon: HeldCoupon;
  /** Why it cannot be used; null when it can. */
  reason: CouponReason | null;
}

const NOTHING: CouponWorth = { discountFen: 0n, bonusMicro: 0n };

/** Why a coupon cannot be used like this; null when it can. */
export function judgeCoupon(
  coupon: Pick<HeldCoupon, 'state' | 'startsAt' | 'endsAt' | 'terms'>,
  use: CouponUse,
): CouponReason | null {
  const { terms } = coupon;
  const reason = judgeValidity(coupon, use.at);
  if (reason !== null) return reason;
  if (!isFor(terms, use)) return 'OTHER_PRODUCT';
  if (use.beforeFen <= 0n) return 'NOTHING_LEFT_TO_PAY';
  const { discountFen, bonusMicro } = worthOf(terms, use.beforeFen);
  // One that would be spent for nothing is not used either.
  const isWorthless = discountFen === 0n && bonusMicro === 0n;
  return use.beforeFen < BigInt(terms.minimumFen) || isWorthless ? 'BELOW_MINIMUM' : null;
}

/** Why a coupon cannot be used at this instant, whatever it were used on. It is valid from its start up to but not at its end. */
export function judgeValidity(
  { state, startsAt, endsAt }: Pick<HeldCoupon, 'state' | 'startsAt' | 'endsAt'>,
  at: Date,
): CouponReason | null {
  if (state !== 'AVAILABLE') return state;
  if (at >= endsAt) return 'EXPIRED';
  return at < startsAt ? 'NOT_YET' : null;
}

function isFor({ kind: what, scope, productIds }: StoredCouponTerms, { kind, productId }: CouponUse): boolean {
  // A refund of a package knows of the DCU it brings for its time alone: others would stay with the member, and the coupon come back.
  if (what === 'DCU' && kind === 'PACKAGE') return false;
  if (scope !== 'ALL' && scope !== kind) return false;
  return productIds.length === 0 || productIds.includes(productId);
}

/** What these terms do to an order with so much left to pay: never more than that is taken off, and never less than nothing. */
export function worthOf(terms: StoredCouponTerms, beforeFen: bigint): CouponWorth {
  switch (terms.kind) {
    case 'AMOUNT':
      return { ...NOTHING, discountFen: lesser(BigInt(terms.amountFen ?? 0), beforeFen) };
    case 'PERCENT': {
      const share = (beforeFen * BigInt(terms.percent ?? 0)) / 100n;
      return { ...NOTHING, discountFen: terms.capFen === null ? share : lesser(share, BigInt(terms.capFen)) };
    }
    case 'DCU':
      return { ...NOTHING, bonusMicro: BigInt(terms.micro ?? '0') };
  }
}

/** What a coupon would do to an order, and why it cannot; one that cannot does nothing. */
function judgedCoupon(coupon: HeldCoupon, use: CouponUse): JudgedCoupon {
  const reason = judgeCoupon(coupon, use);
  return { coupon, reason, ...(reason === null ? worthOf(coupon.terms, use.beforeFen) : NOTHING) };
}

/**
 * Every coupon with what it would do and why it cannot, best first: the usable ones by what they take off, then by what they add, then the
 * soonest ending; after them the others in the order in which they end.
 */
export function rankCoupons(coupons: readonly HeldCoupon[], use: CouponUse): JudgedCoupon[] {
  const judged = coupons.map((coupon) => judgedCoupon(coupon, use));
  return judged.sort(
    (one, other) =>
      Number(one.reason !== null) - Number(other.reason !== null) ||
      compare(other.discountFen, one.discountFen) ||
      compare(other.bonusMicro, one.bonusMicro) ||
      compare(one.coupon.endsAt.getTime(), other.coupon.endsAt.getTime()) ||
      compare(one.coupon.couponId, other.coupon.couponId),
  );
}

/** The coupon to choose where the member chose none; null when none can be used. */
export function bestCoupon(coupons: readonly HeldCoupon[], use: CouponUse): JudgedCoupon | null {
  const best = rankCoupons(coupons, use)[0];
  return best && best.reason === null ? best : null;
}

/** A campaign's terms as a coupon keeps them. */
export function storedTerms({ dcu, ...terms }: CouponTermsEntry): StoredCouponTerms {
  return { ...terms, micro: dcu === null ? null : String(microFromDcu(dcu)) };
}

function compare<T extends string | number | bigint>(one: T, other: T): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
