import type { LabImageCalls } from '../gateway/contract/labImage';
import { answerFromGateway, type MockHandler } from '../gateway/testing/mockHandler';

export default {
  'POST /gateway/workshop/saveImage': answerFromGateway,
  'GET /gateway/labImage/list': answerFromGateway,
  'GET /gateway/labImage/detail': answerFromGateway,
  'GET /gateway/labImage/download': answerFromGateway,
  'POST /gateway/labImage/cancel': answerFromGateway,
  'POST /gateway/labImage/delete': answerFromGateway,
} satisfies Record<keyof LabImageCalls, MockHandler>;
