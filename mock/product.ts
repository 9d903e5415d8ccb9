import type { ProductCalls } from '../gateway/contract/product';
import { answerFromGateway, type MockHandler } from '../gateway/testing/mockHandler';

export default {
  'GET /gateway/product/pick': answerFromGateway,
} satisfies Record<keyof ProductCalls, MockHandler>;
