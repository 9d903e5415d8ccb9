import { Type } from '@sinclair/typebox';
import { type CallTypes, Dcu, defineCalls, Fields, Id, Instant, OneOf } from './contract';
import { limits, usernamePattern } from './limits';

const Username = Type.String({ minLength: limits.username.min, maxLength: limits.username.max, pattern: usernamePattern });
const Password = Type.String({ minLength: limits.password.min, maxLength: limits.password.max });
const Mobile = Type.String({ minLength: 5, maxLength: 20, pattern: '^\\+?[0-9][0-9 ()-]*$' });
const Captcha = Type.String({ pattern: '^[0-9]{6}$' });

/** The session user of the specification, field by field. `mobilePhone` is masked; `levelFlag` is 0 without a package. */
export const SessionUser = Fields({
  userId: Type.String(),
  userName: Type.String(),
  mobilePhone: Type.String(),
  isRealName: Type.Boolean(),
  isStudent: Type.Boolean(),
  memberExpirationDate: Type.String(),
  remainDcu: Dcu,
  packageName: Type.String(),
  levelFlag: Type.Integer({ minimum: 0, maximum: 3 }),
});

const SignedIn = Fields({ sessionId: Type.String(), expiresInDays: Type.Integer(), user: SessionUser });

/** A browser that is signed in. `browser` and `os` are proper names, empty where they cannot be told. */
export const LoginSession = Fields({
  loginSessionId: Id,
  /** The one that asks. */
  isCurrent: Type.Boolean(),
  browser: Type.String(),
  os: Type.String(),
  /** Where it signed in from, for its owner alone: an IPv6 address by its first half. */
  ip: Type.String(),
  createdAt: Instant,
  /** To the minute. */
  lastSeenAt: Instant,
  expiresAt: Instant,
  isKept: Type.Boolean(),
});

export const captchaScenes = ['login', 'register', 'reset', 'changeMobile', 'closeAccount'] as const;

export const userCalls = defineCalls({
  'GET /gateway/user/sendVerificationCode': {
    summary: 'Sends a six-digit code to a phone; the same answer whether or not the number has an account.',
    access: 'visitor',
    query: Fields({ mobile: Mobile, scene: OneOf(captchaScenes) }),
    data: Fields({ cooldownSeconds: Type.Integer() }),
    errors: ['CAPTCHA_TOO_SOON'],
    audited: 'self',
  },
  'POST /gateway/user/register': {
    summary: 'Makes an account for a proven phone number, with the signup gift, and signs in.',
    access: 'visitor',
    body: Fields({
      username: Username,
      password: Password,
      confirm: Password,
      mobile: Mobile,
      captcha: Captcha,
      email: Type.Optional(Type.String({ format: 'email', maxLength: 254 })),
      source: Type.Optional(Type.String({ maxLength: limits.sourceLength })),
      eventCode: Type.Optional(Type.String({ maxLength: limits.sourceLength })),
    }),
    data: SignedIn,
    errors: ['INVALID_CAPTCHA', 'USERNAME_TAKEN', 'MOBILE_TAKEN', 'PASSWORD_TOO_WEAK', 'PASSWORDS_DIFFER'],
    audited: 'data.user.userId',
  },
  'POST /gateway/user/login': {
    summary: 'Signs in by password or by phone code.',
    access: 'visitor',
    // Each way of signing in needs its own pair; the gateway names the one that is missing.
    body: Fields({
      type: OneOf(['password', 'mobile']),
      username: Type.Optional(Type.String({ minLength: 1, maxLength: 254 })),
      password: Type.Optional(Type.String({ minLength: 1, maxLength: limits.password.max })),
      mobile: Type.Optional(Mobile),
      captcha: Type.Optional(Captcha),
      keepSignedIn: Type.Optional(Type.Boolean({ default: false })),
    }),
    data: SignedIn,
    errors: ['INVALID_CREDENTIALS', 'INVALID_CAPTCHA', 'MOBILE_NOT_REGISTERED', 'LOGIN_SLOWED'],
    audited: 'data.user.userId',
  },
  'POST /gateway/user/logout': {
    summary: 'Ends this login session and closes its sockets; fine without one, too.',
    access: 'visitor',
    data: Fields({}),
    errors: [],
    audited: 'self',
  },
  'POST /gateway/user/forgetPassword': {
    summary: 'Sets a new password for a proven phone number and ends every login session of its account; signs nobody in.',
    access: 'visitor',
    body: Fields({ mobile: Mobile, captcha: Captcha, password: Password, confirm: Password }),
    data: Fields({ userId: Type.String(), userName: Type.String() }),
    errors: ['INVALID_CAPTCHA', 'MOBILE_NOT_REGISTERED', 'PASSWORD_TOO_WEAK', 'PASSWORDS_DIFFER'],
    audited: 'data.userId',
  },
  'POST /gateway/user/changePassword': {
    summary: 'Changes the password, ends every other login session and gives this browser a new one.',
    access: 'member',
    body: Fields({
      oldPassword: Type.String({ minLength: 1, maxLength: limits.password.max }),
      password: Password,
      confirm: Password,
    }),
    data: Fields({
      sessionId: Type.String(),
      expiresInDays: Type.Integer(),
      /** How many other browsers were signed out. */
      endedSessions: Type.Integer({ minimum: 0 }),
    }),
    errors: ['WRONG_PASSWORD', 'LOGIN_SLOWED', 'PASSWORD_UNCHANGED', 'PASSWORD_TOO_WEAK', 'PASSWORDS_DIFFER'],
    audited: 'self',
  },
  'GET /gateway/user/loginSessions': {
    summary: 'The browsers signed in as the member: this one first, then those last seen; at most 100.',
    access: 'member',
    data: Fields({ list: Type.Array(LoginSession) }),
    errors: [],
  },
  'POST /gateway/user/revokeLoginSession': {
    summary: 'Signs out one browser of the member’s, or all but this one, and closes their sockets.',
    access: 'member',
    // One of the two; the gateway names what is missing or too much.
    body: Fields({ loginSessionId: Type.Optional(Id), others: Type.Optional(Type.Literal(true)) }),
    data: Fields({ endedSessions: Type.Integer({ minimum: 0 }) }),
    errors: ['NOT_FOUND'],
    audited: 'body.loginSessionId',
  },
  'GET /gateway/user/getUserBySession': {
    summary: 'The member this login session belongs to.',
    access: 'member',
    query: Fields({ isInit: Type.Optional(Type.Boolean()) }),
    data: SessionUser,
    errors: [],
  },
});

export type UserCalls = CallTypes<typeof userCalls>;
