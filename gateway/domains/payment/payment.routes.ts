import type { FastifyInstance } from 'fastify';
import { orderPaymentCalls } from '../../contract/orderPayment';
import { registerCalls } from '../../plugins/callRouter';
import { viewerOf } from '../../plugins/viewer';
import type { AttemptService } from './attempt.service';
import type { RefundService } from './refund.service';

/** Paying an order and giving it back. */
export function registerPaymentRoutes(
  app: FastifyInstance,
  { payments, refunds }: { payments: AttemptService; refunds: RefundService },
): void {
  registerCalls(app, orderPaymentCalls, {
    'POST /gateway/order/payPending': ({ body, signedIn, idempotency }) => payments.pay(signedIn.memberId, body, idempotency),
    'GET /gateway/order/repayFind': ({ query, signedIn, request }) =>
      payments.findRepayment(viewerOf(signedIn, request), query.orderId),
    'GET /gateway/order/refundQuote': ({ query, signedIn }) => refunds.quote(signedIn.memberId, query.orderId),
    'POST /gateway/order/refund': ({ body, signedIn, idempotency, request }) =>
      refunds.refundMine(viewerOf(signedIn, request), { ...body, reason: body.reason?.trim() ?? '' }, idempotency),
  });
}
