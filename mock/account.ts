import type { AccountCalls } from '../gateway/contract/account';
import { answerFromGateway, type MockHandler } from '../gateway/testing/mockHandler';

export default {
  'GET /gateway/account/remainDcu': answerFromGateway,
  'GET /gateway/account/overview': answerFromGateway,
  'POST /gateway/account/setAlert': answerFromGateway,
  'POST /gateway/dcuChange/pageFind': answerFromGateway,
} satisfies Record<keyof AccountCalls, MockHandler>;
