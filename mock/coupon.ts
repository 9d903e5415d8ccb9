import type { CouponCalls } from '../gateway/contract/coupon';
import { answerFromGateway, type MockHandler } from '../gateway/testing/mockHandler';

export default {
  'GET /gateway/membership/coupons': answerFromGateway,
  'POST /gateway/membership/redeemCoupon': answerFromGateway,
} satisfies Record<keyof CouponCalls, MockHandler>;
