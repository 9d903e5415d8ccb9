/** The dialog in which a code is redeemed, on every page that opens it. */
export default {
  'redeem.open': 'Activate Rights',
  'redeem.title': 'Activate Rights',
  'redeem.hint': 'A code brings a coupon, DCU or days of a membership.',
  'redeem.code': 'Code',
  'redeem.code.required': 'Enter the code',
  'redeem.code.length': 'A code has 4 to 40 characters',
  'redeem.submit': 'Redeem code',
  'redeem.close': 'Close',
  'redeem.another': 'Redeem another',
  'redeem.done': 'Redeemed: {title}',
  'redeem.gave.coupon': 'The coupon is among your coupons and is offered at the next checkout it fits.',
  'redeem.gave.dcu': '{amount} DCU were added to your balance.',
  'redeem.gave.membership': '{days, plural, one {# day} other {# days}} of membership were added to what you own.',
  'redeem.to.coupon': 'See my coupons',
  'redeem.to.dcu': 'See my account',
  'redeem.to.membership': 'See my membership',
} as const;
