import { Type } from '@sinclair/typebox';
import { type CallTypes, Dcu, defineCalls, Fields, OneOf } from './contract';
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
  'GET /gateway/user/getUserBySession': {
    summary: 'The member this login session belongs to.',
    access: 'member',
    query: Fields({ isInit: Type.Optional(Type.Boolean()) }),
    data: SessionUser,
    errors: [],
  },
});

export type UserCalls = CallTypes<typeof userCalls>;
