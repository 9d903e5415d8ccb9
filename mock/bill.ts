import type { BillCalls } from '../gateway/contract/bill';
import { answerFromGateway, type MockHandler } from '../gateway/testing/mockHandler';

export default {
  'GET /gateway/bill/page': answerFromGateway,
  'GET /gateway/bill/summary': answerFromGateway,
  'GET /gateway/bill/segments': answerFromGateway,
  'GET /gateway/bill/export': answerFromGateway,
} satisfies Record<keyof BillCalls, MockHandler>;
