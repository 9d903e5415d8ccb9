import type { TrackCalls } from '../gateway/contract/track';
import { answerFromGateway, type MockHandler } from '../gateway/testing/mockHandler';

export default {
  'POST /gateway/track/events': answerFromGateway,
} satisfies Record<keyof TrackCalls, MockHandler>;
