import type { OrderCalls } from '../gateway/contract/order';
import { answerFromGateway, type MockHandler } from '../gateway/testing/mockHandler';

export default {
  'POST /gateway/order/previewSku': answerFromGateway,
  'POST /gateway/order/estimateSkuPrice': answerFromGateway,
  'POST /gateway/order/placeSku': answerFromGateway,
  'POST /gateway/order/previewPackage': answerFromGateway,
  'POST /gateway/order/estimatePackagePrice': answerFromGateway,
  'POST /gateway/order/placePackage': answerFromGateway,
  'POST /gateway/order/pageFind': answerFromGateway,
  'GET /gateway/order/find': answerFromGateway,
  'POST /gateway/order/cancel': answerFromGateway,
} satisfies Record<keyof OrderCalls, MockHandler>;
