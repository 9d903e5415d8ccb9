import type { Calls } from '../../gateway/contract/calls';
import { call } from '../utils/request';

export type SessionUser = Calls['GET /gateway/user/getUserBySession']['data'];
export type SignedIn = Calls['POST /gateway/user/login']['data'];
export type LoginBody = Calls['POST /gateway/user/login']['body'];
export type RegisterBody = Calls['POST /gateway/user/register']['body'];
export type ResetBody = Calls['POST /gateway/user/forgetPassword']['body'];
export type ChangePasswordBody = Calls['POST /gateway/user/changePassword']['body'];
export type LoginSession = Calls['GET /gateway/user/loginSessions']['data']['list'][number];
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

/** The form shows a refusal beside its field. */
export function forgetPassword(body: ResetBody) {
  return call('POST /gateway/user/forgetPassword', { body }, { isSilent: true });
}

/** The form shows a refusal beside its field. */
export function changePassword(body: ChangePasswordBody) {
  return call('POST /gateway/user/changePassword', { body }, { isSilent: true });
}

/** The list shows a failure in its own place. */
export function loginSessions() {
  return call('GET /gateway/user/loginSessions', {}, { isSilent: true });
}

/** Whoever asks shows a failure. */
export function revokeLoginSession(body: Calls['POST /gateway/user/revokeLoginSession']['body']) {
  return call('POST /gateway/user/revokeLoginSession', { body }, { isSilent: true });
}
