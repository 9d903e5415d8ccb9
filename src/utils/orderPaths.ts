const costCenter = '/main/personalCenter/costCenter';

/** Where DCU packs are chosen. */
export const checkoutPath = `${costCenter}/checkout`;
export const ordersPath = `${costCenter}/order`;
export const membershipPath = `${costCenter}/membership`;

/** Where an order is paid. */
export function payPath(orderId: string): string {
  return `${checkoutPath}?order=${encodeURIComponent(orderId)}`;
}

/** The order in the list of orders, opened. */
export function orderPath(orderId: string): string {
  return `${ordersPath}?order=${encodeURIComponent(orderId)}`;
}

/** What is said when it is paid. */
export function successPath(orderId: string): string {
  return `/success?order=${encodeURIComponent(orderId)}`;
}

/** What a span of days cost, and what it was charged for. */
export const billPath = `${costCenter}/bill`;
/** The packs of the account page. */
export const topUpPath = `${costCenter}/account?topUp=1`;
