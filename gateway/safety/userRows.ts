import type { UserCalls } from '../contract/user';
import { codeFor, newMobile, registration } from '../domains/user/userWorld';
import { TEST_PASSWORD } from '../testing/factories';
import type { RowsOf } from './world';

export const userRows: RowsOf<UserCalls> = {
  'GET /gateway/user/sendVerificationCode': { input: () => ({ query: { mobile: newMobile(), scene: 'login' } }) },
  'POST /gateway/user/register': {
    input: async ({ test }) => {
      const mobile = newMobile();
      return { body: registration(mobile, await codeFor(test, mobile, 'register')) };
    },
  },
  'POST /gateway/user/login': {
    input: (_world, { username }) => ({ body: { type: 'password', username, password: TEST_PASSWORD } }),
  },
  'POST /gateway/user/logout': { input: () => ({}) },
  'GET /gateway/user/getUserBySession': { input: () => ({}) },
};
