import type { OrderCalls } from '../contract/order';
import type { RowsOf } from './world';

const sku = { skuId: 'dcu-50', quantity: 1 };
const pack = { packageId: 'standard', months: 1 };

/** With a coupon of ten yuan off. */
function chosen<T extends object>(product: T, agreed: object = {}): RowsOf<OrderCalls>['POST /gateway/order/placeSku'] {
  return {
    input: async (world, member) => ({ body: { ...product, couponId: await world.make('coupon', member), ...agreed } }),
    ids: { 'body.couponId': 'coupon' },
    isNeverDeleted: true,
  };
}

export const orderRows: RowsOf<OrderCalls> = {
  'POST /gateway/order/previewSku': { input: () => ({ body: sku }) },
  'POST /gateway/order/estimateSkuPrice': chosen(sku),
  'POST /gateway/order/placeSku': chosen(sku, { expectedPayableFen: 4_000, priceVersion: 1 }),
  'POST /gateway/order/previewPackage': { input: () => ({ body: pack }) },
  // A month of the lowest package costs less than the coupon's minimum, three do not.
  'POST /gateway/order/estimatePackagePrice': chosen({ ...pack, months: 3 }),
  'POST /gateway/order/placePackage': chosen({ ...pack, months: 3 }, { expectedPayableFen: 7_700, priceVersion: 1 }),
  'POST /gateway/order/pageFind': { input: () => ({ body: {} }) },
  'GET /gateway/order/find': {
    input: async (world, member) => ({ query: { orderId: await world.make('pendingOrder', member) } }),
    ids: { 'query.orderId': 'pendingOrder' },
    isNeverDeleted: true,
  },
  'POST /gateway/order/cancel': {
    input: async (world, member) => ({ body: { orderId: await world.make('pendingOrder', member) } }),
    ids: { 'body.orderId': 'pendingOrder' },
    isNeverDeleted: true,
  },
};
