import type { ErrorName, errors } from '../../gateway/contract/errors';

/** The codes a page acts on. The contract's numbers: another number here does not compile. */
export const errorCodes = {
  INVALID_CREDENTIALS: 10101,
  INVALID_CAPTCHA: 10102,
  CAPTCHA_TOO_SOON: 10103,
  USERNAME_TAKEN: 10104,
  MOBILE_TAKEN: 10105,
  PASSWORD_TOO_WEAK: 10106,
  MOBILE_NOT_REGISTERED: 10107,
  PASSWORDS_DIFFER: 10108,
  WRONG_PASSWORD: 10110,
  PASSWORD_UNCHANGED: 10111,
  INVALID_INPUT: 20001,
  NOT_FOUND: 20004,
  MEMBER_MAX_LEVEL_CPU_LIMIT: 25100,
  MEMBER_RUNNING_LABS_LIMIT: 25101,
  MEMBER_DCU_LIMIT: 25105,
  MEMBER_NOT_MAX_LEVEL_CPU_LIMIT: 25106,
} as const satisfies { [Name in ErrorName]?: (typeof errors)[Name]['code'] };
