import { call } from '@/utils/request';
import type { Calls } from '../../gateway/contract/calls';

export type Quote = Calls['POST /gateway/order/previewSku']['data'];
export type PriceLine = Quote['lines'][number];
export type Brings = Quote['brings'];
export type OfferedCoupon = Quote['coupons'][number];
export type Order = Calls['GET /gateway/order/find']['data'];
export type OrderQuery = Calls['POST /gateway/order/pageFind']['body'];
export type OrderRow = Calls['POST /gateway/order/pageFind']['data']['list'][number];
export type Repayable = Calls['GET /gateway/order/repayFind']['data'];
export type Payment = Calls['POST /gateway/order/payPending']['data'];
export type RefundQuote = Calls['GET /gateway/order/refundQuote']['data'];

type SkuChoice = Calls['POST /gateway/order/previewSku']['body'];
type PackageChoice = Calls['POST /gateway/order/previewPackage']['body'];
/** What is bought: pieces of a SKU, or months of a package. */
export type Purchase = SkuChoice | PackageChoice;
/** Coupon and points the member chose. */
export interface Reductions {
  couponId: string | null;
  points: number;
}
/** What the member saw when agreeing. */
export type Agreed = Pick<Calls['POST /gateway/order/placeSku']['body'], 'expectedPayableFen' | 'priceVersion'>;

// The pages show every refusal where it belongs: beside the price, in the dialog that asked, above the list.
const silent = { isSilent: true } as const;

function isSku(purchase: Purchase): purchase is SkuChoice {
  return 'skuId' in purchase;
}

/** The price with the best coupon chosen. */
export function previewPurchase(purchase: Purchase): Promise<Quote> {
  return isSku(purchase)
    ? call('POST /gateway/order/previewSku', { body: purchase }, silent)
    : call('POST /gateway/order/previewPackage', { body: purchase }, silent);
}

/** The price with the coupon and points the member chose. */
export function estimatePurchase(purchase: Purchase, reductions: Reductions): Promise<Quote> {
  return isSku(purchase)
    ? call('POST /gateway/order/estimateSkuPrice', { body: { ...purchase, ...reductions } }, silent)
    : call('POST /gateway/order/estimatePackagePrice', { body: { ...purchase, ...reductions } }, silent);
}

export function placeOrder(purchase: Purchase, agreed: Reductions & Agreed, idempotencyKey: string): Promise<Order> {
  const options = { ...silent, idempotencyKey };
  return isSku(purchase)
    ? call('POST /gateway/order/placeSku', { body: { ...purchase, ...agreed } }, options)
    : call('POST /gateway/order/placePackage', { body: { ...purchase, ...agreed } }, options);
}

export function pageOrders(body: OrderQuery) {
  return call('POST /gateway/order/pageFind', { body }, silent);
}

export function getOrder(orderId: string) {
  return call('GET /gateway/order/find', { query: { orderId } }, silent);
}

/** What is still payable, until when and how; polled while the member pays. */
export function getRepayable(orderId: string) {
  return call('GET /gateway/order/repayFind', { query: { orderId } }, silent);
}

export function payOrder(orderId: string, method: string, idempotencyKey: string) {
  return call('POST /gateway/order/payPending', { body: { orderId, method } }, { ...silent, idempotencyKey });
}

export function cancelOrder(orderId: string, idempotencyKey: string) {
  return call('POST /gateway/order/cancel', { body: { orderId } }, { ...silent, idempotencyKey });
}

export function getRefundQuote(orderId: string) {
  return call('GET /gateway/order/refundQuote', { query: { orderId } }, silent);
}

export function refundOrder(body: Calls['POST /gateway/order/refund']['body'], idempotencyKey: string) {
  return call('POST /gateway/order/refund', { body }, { ...silent, idempotencyKey });
}
