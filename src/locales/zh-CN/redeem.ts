import type source from '../en-US/redeem';

const words: Record<keyof typeof source, string> = {
  'redeem.open': '激活权益',
  'redeem.title': '激活权益',
  'redeem.hint': '兑换码可换取优惠券、DCU 或会员天数。',
  'redeem.code': '兑换码',
  'redeem.code.required': '请输入兑换码',
  'redeem.code.length': '兑换码为 4 到 40 个字符',
  'redeem.submit': '兑换',
  'redeem.close': '关闭',
  'redeem.another': '再兑换一个',
  'redeem.done': '兑换成功：{title}',
  'redeem.gave.coupon': '优惠券已放入您的优惠券，下次结算符合条件的订单时即可使用。',
  'redeem.gave.dcu': '{amount} DCU 已计入余额。',
  'redeem.gave.membership': '{days} 天会员已计入您的权益。',
  'redeem.to.coupon': '查看我的优惠券',
  'redeem.to.dcu': '查看我的账户',
  'redeem.to.membership': '查看我的会员',
};

export default words;
