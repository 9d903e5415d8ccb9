import type { Static } from '@sinclair/typebox';
import type { Catalogue } from '../../catalog/catalogue';
import type { Coupon } from '../../contract/coupon';
import { dcuFromMicro } from '../../dcu';
import type { Language } from '../../locales/messages';
import type { HeldCoupon } from './coupon.rules';

export type PresentedCoupon = Static<typeof Coupon>;
export type ProductNames = Pick<Catalogue, 'findSku' | 'findPackage'>;

/** A coupon as the wire shows it, in the words it was issued with. */
export function presentCoupon(coupon: HeldCoupon, language: Language, products: ProductNames): PresentedCoupon {
  const { title, kind, amountFen, percent, capFen, micro, scope, productIds, minimumFen } = coupon.terms;
  return {
    couponId: coupon.couponId,
    title: title[language],
    ...{ kind, amountFen, percent, capFen, scope, minimumFen },
    dcu: micro === null ? null : dcuFromMicro(BigInt(micro)),
    fits: productIds.map((id) => (products.findSku(id) ?? products.findPackage(id))?.name[language] ?? id),
    startsAt: coupon.startsAt.toISOString(),
    endsAt: coupon.endsAt.toISOString(),
    state: coupon.state,
    orderId: coupon.orderId,
    usedAt: coupon.usedAt?.toISOString() ?? null,
  };
}
