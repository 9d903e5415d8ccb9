import type { ImageCalls, MadeImageCalls } from '../gateway/contract/image';
import { answerFromGateway, type MockHandler } from '../gateway/testing/mockHandler';

export default {
  'GET /gateway/image/basicTree': answerFromGateway,
  'GET /gateway/image/privateList': answerFromGateway,
  'GET /gateway/image/communityList': answerFromGateway,
  'POST /gateway/image/publish': answerFromGateway,
  'POST /gateway/image/star': answerFromGateway,
  'GET /gateway/image/harborInfo': answerFromGateway,
} satisfies Record<keyof (ImageCalls & MadeImageCalls), MockHandler>;
