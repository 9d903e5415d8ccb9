import type { OrderPaymentCalls } from '../contract/orderPayment';
import type { RowsOf } from './world';

export const orderPaymentRows: RowsOf<OrderPaymentCalls> = {
  'POST /gateway/order/payPending': {
    input: async (world, member) => ({ body: { orderId: await world.make('pendingOrder', member), method: 'sandbox' } }),
    ids: { 'body.orderId': 'pendingOrder' },
    isNeverDeleted: true,
  },
  'GET /gateway/order/repayFind': {
    input: async (world, member) => ({ query: { orderId: await world.make('pendingOrder', member) } }),
    ids: { 'query.orderId': 'pendingOrder' },
    isNeverDeleted: true,
  },
  'GET /gateway/order/refundQuote': {
    input: async (world, member) => ({ query: { orderId: await world.make('paidOrder', member) } }),
    ids: { 'query.orderId': 'paidOrder' },
    isNeverDeleted: true,
  },
  'POST /gateway/order/refund': {
    input: async (world, member) => ({ body: { orderId: await world.make('paidOrder', member), expectedRefundFen: 5_000 } }),
    ids: { 'body.orderId': 'paidOrder' },
    isNeverDeleted: true,
  },
};
