import type { PointsCalls } from '../gateway/contract/points';
import { answerFromGateway, type MockHandler } from '../gateway/testing/mockHandler';

export default {
  'GET /gateway/points/overview': answerFromGateway,
  'GET /gateway/points/tasks': answerFromGateway,
  'GET /gateway/points/page': answerFromGateway,
  'POST /gateway/points/checkIn': answerFromGateway,
  'POST /gateway/points/redeem': answerFromGateway,
} satisfies Record<keyof PointsCalls, MockHandler>;
