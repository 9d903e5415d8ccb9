import type { Calls } from '../../gateway/contract/calls';
import { call } from '../utils/request';

export type SessionUser = Calls['GET /gateway/user/getUserBySession']['data'];
export type SignedIn = Calls['POST /gateway/user/login']['data'];
export type LoginBody = Calls['POST /gateway/user/login']['body'];
export type RegisterBody = Calls['POST /gateway/user/register']['body'];
export type CaptchaScene = Calls['GET /gateway/user/sendVerificationCode']['query']['scene'];

export function getUserBySession(query: { isInit?: boolean } = {}) {
  return call('GET /gateway/user/getUserBySession', { query });
}

export function sendVerificationCode(query: { mobile: string; scene: CaptchaScene }) {
  return call('GET /gateway/user/sendVerificationCode', { query }, { isSilent: true });
}

/** The form shows a refusal beside its field. */
export function login(body: LoginBody) {
  return call('POST /gateway/user/login', { body }, { isSilent: true });
}

/** The form shows a refusal beside its field. */
export function register(body: RegisterBody) {
  return call('POST /gateway/user/register', { body }, { isSilent: true });
}

export function logout() {
  return call('POST /gateway/user/logout', {}, { isSilent: true });
}
