import type { LabSessionCalls } from '../gateway/contract/labSession';
import { answerFromGateway, type MockHandler } from '../gateway/testing/mockHandler';

export default {
  'GET /gateway/session/page': answerFromGateway,
  'GET /gateway/session/filterList': answerFromGateway,
  'POST /gateway/session/copy': answerFromGateway,
  'POST /gateway/session/delete': answerFromGateway,
} satisfies Record<keyof LabSessionCalls, MockHandler>;
