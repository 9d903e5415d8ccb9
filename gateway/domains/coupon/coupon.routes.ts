import type { FastifyInstance } from 'fastify';
import { couponCalls } from '../../contract/coupon';
import { languageOf } from '../../locales/messages';
import { registerCalls } from '../../plugins/callRouter';
import { isAddressTelling, limitedAddress } from '../../plugins/rateLimitAddress';
import type { CouponService } from './coupon.service';
import type { createRedeemCode } from './redeemCode.service';

/** The coupons of the signed-in member, and codes to redeem. */
export function registerCouponRoutes(
  app: FastifyInstance,
  { coupons, redeemCode }: { coupons: CouponService; redeemCode: ReturnType<typeof createRedeemCode> },
): void {
  registerCalls(app, couponCalls, {
    'GET /gateway/membership/coupons': ({ signedIn, request, query: { current = 1, pageSize = 10, status = 'usable' } }) =>
      coupons.page(signedIn.memberId, { current, pageSize, status }, languageOf(request.headers['accept-language'])),
    'POST /gateway/membership/redeemCoupon': ({ signedIn, request, body: { code }, idempotency }) =>
      redeemCode({
        memberId: signedIn.memberId,
        code,
        ip: isAddressTelling(request.ip) ? limitedAddress(request.ip) : null,
        language: languageOf(request.headers['accept-language']),
        idempotency,
      }),
  });
}
