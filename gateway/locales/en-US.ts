import type { Messages } from './messages';

const enUS: Messages = {
  UNAUTHORIZED: 'Please sign in to go on.',
  INVALID_CREDENTIALS: 'The username or the password is not right.',
  INVALID_CAPTCHA: 'This code is not right or no longer valid. Please ask for a new one.',
  CAPTCHA_TOO_SOON: 'A code was sent a moment ago. Please try again in {seconds} seconds.',
  USERNAME_TAKEN: 'This username is taken. Please choose another one.',
  MOBILE_TAKEN: 'This phone number already has an account. Please sign in with it.',
  PASSWORD_TOO_WEAK: 'This password is easy to guess. Make it longer or less common.',
  MOBILE_NOT_REGISTERED: 'This phone number has no account yet. Please register.',
  PASSWORDS_DIFFER: 'The two passwords differ.',
  LOGIN_SLOWED: 'Too many failed tries. Please try again in {seconds} seconds.',
  INVALID_INPUT: '{field} {problem}.',
  CROSS_SITE_REFUSED: 'This request came from another site and was refused.',
  FORBIDDEN: 'You are not allowed to do this.',
  NOT_FOUND: 'This does not exist, or it is not yours.',
  REQUEST_TIMEOUT: 'The request took too long to arrive. Please try again.',
  IDEMPOTENCY_CONFLICT: 'This form was already sent with other content. Please open it again.',
  BODY_TOO_LARGE: 'This is too large to be sent.',
  RANGE_NOT_SATISFIABLE: 'The file ends before the part that was asked for.',
  UNSUPPORTED_MEDIA_TYPE: 'The request must be application/json.',
  TOO_MANY_REQUESTS: 'Too many requests. Please try again in {seconds} seconds.',
  MEMBER_MAX_LEVEL_CPU_LIMIT:
    'This goes beyond {limit} CPU cores, the most your package allows together. The largest that still fits has {fits}.',
  MEMBER_RUNNING_LABS_LIMIT: 'Labs your level runs at once: {limit}. Stop one to start another.',
  MEMBER_DCU_LIMIT:
    'Starting needs {needed} DCU; {available} DCU are available (balance {remain} DCU, the rest is held by running labs).',
  MEMBER_NOT_MAX_LEVEL_CPU_LIMIT: 'Your level allows {limit} CPU cores together. Level {level} allows this.',
  WORKSHOP_NAME_TAKEN: 'You already have a workshop of this name.',
  WORKSHOP_STATE_CONFLICT: 'The workshop is in a state that does not allow this. Please look again.',
  SPEC_UNAVAILABLE: 'This spec is not available now: {reason}',
  IMAGE_UNAVAILABLE: 'This image is not available now: {reason}',
  ENGINE_UNAVAILABLE: 'The compute engine cannot do this now: {reason}',
  WORKSHOP_NOT_RUNNING: 'The workshop is not running. Start it first.',
  TERMINAL_LIMIT: 'A workshop has at most {limit} terminals. Close one first.',
  WORKSHOP_LIMIT: 'You can keep {limit} workshops. Delete one first.',
  ENGINE_ELSEWHERE: 'This workshop lives on another machine of this installation. Please open the page again.',
  INTERNAL: 'Something went wrong on our side. Please try again.',
  UNAVAILABLE: 'The service cannot answer right now. Please try again in a moment.',
};

export default enUS;
