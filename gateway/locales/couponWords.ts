import type { CouponReason } from '../contract/coupon';
import type { Language } from './messages';

/** Why a coupon cannot be used, as it stands after the colon of that refusal. */
export const couponReasonWords: Readonly<Record<Language, Readonly<Record<CouponReason, string>>>> = {
  'en-US': {
    NOT_YET: 'it is not valid yet.',
    EXPIRED: 'it has expired.',
    RESERVED: 'another order of yours has reserved it.',
    USED: 'it has been used.',
    OTHER_PRODUCT: 'it is for other products.',
    BELOW_MINIMUM: 'the order is below its minimum.',
    NOTHING_LEFT_TO_PAY: 'there is nothing left to pay.',
  },
  'zh-CN': {
    NOT_YET: '尚未到生效时间。',
    EXPIRED: '已过期。',
    RESERVED: '已被您的另一笔订单占用。',
    USED: '已使用。',
    OTHER_PRODUCT: '不适用于该商品。',
    BELOW_MINIMUM: '订单金额未达到使用门槛。',
    NOTHING_LEFT_TO_PAY: '订单已无需付款。',
  },
};
