import type { OrderPaymentCalls } from '../gateway/contract/orderPayment';
import { answerFromGateway, type MockHandler } from '../gateway/testing/mockHandler';

export default {
  'POST /gateway/order/payPending': answerFromGateway,
  'GET /gateway/order/repayFind': answerFromGateway,
  'GET /gateway/order/refundQuote': answerFromGateway,
  'POST /gateway/order/refund': answerFromGateway,
} satisfies Record<keyof OrderPaymentCalls, MockHandler>;
