import type { UserCalls } from '../contract/user';
import { codeFor, newMobile, PASSWORD, registration } from '../domains/user/userWorld';
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
  'POST /gateway/user/forgetPassword': {
    input: async ({ test }, { mobile }) => ({
      body: { mobile, captcha: await codeFor(test, mobile, 'reset'), password: PASSWORD, confirm: PASSWORD },
    }),
  },
  'POST /gateway/user/changePassword': {
    input: () => ({ body: { oldPassword: TEST_PASSWORD, password: PASSWORD, confirm: PASSWORD } }),
  },
  'GET /gateway/user/loginSessions': { input: () => ({}) },
  'POST /gateway/user/revokeLoginSession': {
    input: async (world, member) => ({ body: { loginSessionId: await world.make('loginSession', member) } }),
    ids: { 'body.loginSessionId': 'loginSession' },
  },
  'GET /gateway/user/getUserBySession': { input: () => ({}) },
};
