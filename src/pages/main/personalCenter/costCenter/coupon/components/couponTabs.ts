import type { CouponQuery } from '@/services/coupon';

export type CouponTab = NonNullable<CouponQuery['status']>;

/** The tabs in their order. The contract's words: another one here does not compile. */
export const couponTabs = ['usable', 'used', 'expired'] as const satisfies readonly CouponTab[];
