import { call } from '@/utils/request';
import type { CouponCalls } from '../../gateway/contract/coupon';

export type CouponQuery = CouponCalls['GET /gateway/membership/coupons']['query'];
export type CouponPage = CouponCalls['GET /gateway/membership/coupons']['data'];
export type Coupon = CouponPage['list'][number];
export type Redeemed = CouponCalls['POST /gateway/membership/redeemCoupon']['data'];

/** The list shows its failure with a way to try again. */
export function pageCoupons(query: CouponQuery) {
  return call('GET /gateway/membership/coupons', { query }, { isSilent: true });
}

/** The dialog shows a refusal beside its field. */
export function redeemCode(code: string, idempotencyKey: string) {
  return call('POST /gateway/membership/redeemCoupon', { body: { code } }, { idempotencyKey, isSilent: true });
}
