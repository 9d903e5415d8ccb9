import type { MembershipCalls } from '../gateway/contract/membership';
import { answerFromGateway, type MockHandler } from '../gateway/testing/mockHandler';

export default {
  'GET /gateway/packageMembership/list': answerFromGateway,
  'GET /gateway/packageMembership/custom': answerFromGateway,
  'POST /gateway/purchasedPackageItem/find': answerFromGateway,
} satisfies Record<keyof MembershipCalls, MockHandler>;
