import type { RewardEntry } from './saleEntries';

/** What points are exchanged for, beside paying with them. */
export const rewards: readonly RewardEntry[] = [
  {
    rewardId: 'coupon-5',
    title: { 'en-US': '¥5 coupon', 'zh-CN': '¥5 优惠券' },
    description: { 'en-US': '¥5 off an order from ¥30, valid for 30 days.', 'zh-CN': '订单满 ¥30 减 ¥5，30 天内有效。' },
    points: 400,
    giving: {
      gives: 'coupon',
      coupon: {
        title: { 'en-US': '¥5 off from ¥30', 'zh-CN': '满 ¥30 减 ¥5' },
        kind: 'AMOUNT',
        amountFen: 5_00,
        percent: null,
        capFen: null,
        dcu: null,
        validDays: null,
        scope: 'ALL',
        productIds: [],
        minimumFen: 30_00,
      },
      couponDays: 30,
    },
    mostEach: null,
    isRetired: false,
  },
  {
    rewardId: 'dcu-5',
    title: { 'en-US': '5 DCU', 'zh-CN': '5 DCU' },
    description: { 'en-US': 'Added to the balance at once, valid for 90 days.', 'zh-CN': '立即到账，90 天内有效。' },
    points: 500,
    giving: { gives: 'dcu', dcu: '5', validDays: 90 },
    mostEach: null,
    isRetired: false,
  },
  {
    rewardId: 'standard-7',
    title: { 'en-US': 'A week of Standard', 'zh-CN': '标准版体验一周' },
    description: {
      'en-US': 'The Standard level for 7 days, once a member.',
      'zh-CN': '标准版会员等级 7 天，每位会员限兑一次。',
    },
    points: 600,
    giving: { gives: 'membership', packageId: 'standard', days: 7 },
    mostEach: 1,
    isRetired: false,
  },
];
