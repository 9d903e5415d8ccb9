import { Type } from '@sinclair/typebox';
import { type CallTypes, Dcu, defineCalls, Fields, Id, Instant, Nullable, OneOf } from './contract';
import { Fen, Points } from './money';
import { Order, Payment } from './order';
import { orderStates, refundCauses } from './orderStates';

/** Paying an order and giving back what it bought. */
export const orderPaymentCalls = defineCalls({
  'POST /gateway/order/payPending': {
    summary: 'Makes an attempt to pay; an attempt still open with the same method is answered again.',
    access: 'member',
    body: Fields({ orderId: Id, method: Type.String({ minLength: 1, maxLength: 32 }) }),
    data: Payment,
    errors: ['NOT_FOUND', 'ORDER_STATE_CONFLICT', 'PAYMENT_METHOD_UNAVAILABLE', 'PAYMENT_PROVIDER_UNAVAILABLE'],
    idempotent: true,
    audited: 'body.orderId',
  },
  'GET /gateway/order/repayFind': {
    summary: 'What is still payable, until when and how.',
    access: 'member',
    query: Fields({ orderId: Id }),
    data: Fields({
      orderId: Id,
      orderNo: Type.String(),
      state: OneOf(orderStates),
      payableFen: Fen,
      payUntil: Instant,
      methods: Type.Array(Fields({ method: Type.String(), name: Type.String(), isSandbox: Type.Boolean() })),
      /** The attempt that is open now. */
      payment: Nullable(Payment),
    }),
    errors: ['NOT_FOUND'],
  },
  'GET /gateway/order/refundQuote': {
    summary: 'What would come back if the member gave back now what is unused of the order.',
    access: 'member',
    query: Fields({ orderId: Id }),
    data: Fields({
      orderId: Id,
      isPossible: Type.Boolean(),
      /** Why it is not; null also where the order’s state says it. */
      cause: Nullable(OneOf(refundCauses)),
      /** Money that comes back. */
      refundFen: Fen,
      /** What goes: DCU unused, and the package’s time that is left. */
      withdrawnDcu: Dcu,
      endsPackage: Type.Boolean(),
      /** What the unused time is worth beyond the cash this order was paid with: the package it was upgraded from does not come back. */
      forfeitedFen: Fen,
      /** Points the order earned that go, and those of them already spent, which their worth in money makes up for. */
      withdrawnPoints: Points,
      spentPointsFen: Fen,
      /** Points paid with that come back; whether the coupon does. */
      returnedPoints: Points,
      returnsCoupon: Type.Boolean(),
    }),
    errors: ['NOT_FOUND'],
  },
  'POST /gateway/order/refund': {
    summary: 'Gives back what is unused of the order for its share of the cash paid; what the member saw must still hold.',
    access: 'member',
    body: Fields({ orderId: Id, expectedRefundFen: Fen, reason: Type.Optional(Type.String({ maxLength: 200 })) }),
    data: Order,
    errors: ['NOT_FOUND', 'ORDER_STATE_CONFLICT', 'NOTHING_TO_REFUND', 'PRICE_CHANGED'],
    idempotent: true,
    audited: 'body.orderId',
  },
});

export type OrderPaymentCalls = CallTypes<typeof orderPaymentCalls>;
