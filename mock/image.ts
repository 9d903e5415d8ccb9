import type { ImageCalls } from '../gateway/contract/image';
import { answerFromGateway, type MockHandler } from '../gateway/testing/mockHandler';

export default {
  'GET /gateway/image/basicTree': answerFromGateway,
} satisfies Record<keyof ImageCalls, MockHandler>;
