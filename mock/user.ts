import type { UserCalls } from '../gateway/contract/user';
import { answerFromGateway, type MockHandler } from '../gateway/testing/mockHandler';

export default {
  'GET /gateway/user/sendVerificationCode': answerFromGateway,
  'POST /gateway/user/register': answerFromGateway,
  'POST /gateway/user/login': answerFromGateway,
  'POST /gateway/user/logout': answerFromGateway,
  'POST /gateway/user/forgetPassword': answerFromGateway,
  'POST /gateway/user/changePassword': answerFromGateway,
  'GET /gateway/user/loginSessions': answerFromGateway,
  'POST /gateway/user/revokeLoginSession': answerFromGateway,
  'GET /gateway/user/getUserBySession': answerFromGateway,
} satisfies Record<keyof UserCalls, MockHandler>;
