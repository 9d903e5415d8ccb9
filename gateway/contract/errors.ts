/**
 * Every code the gateway answers with: its number, HTTP status and meaning. 200 is a refusal a member can act on.
 * The sentences shown stand in `gateway/locales`, in both languages, under the same names.
 */
export const errors = {
  UNAUTHORIZED: { code: 10004, status: 401, meaning: 'There is no valid login session.' },

  INVALID_CREDENTIALS: { code: 10101, status: 200, meaning: 'The username or the password is wrong.' },
  INVALID_CAPTCHA: { code: 10102, status: 200, meaning: 'The verification code is wrong, used up or expired.' },
  CAPTCHA_TOO_SOON: { code: 10103, status: 429, meaning: 'A verification code was sent too short a time ago, or too many were.' },
  USERNAME_TAKEN: { code: 10104, status: 200, meaning: 'Somebody else has this username.' },
  MOBILE_TAKEN: { code: 10105, status: 200, meaning: 'This phone number, proven by its code, already has an account.' },
  PASSWORD_TOO_WEAK: { code: 10106, status: 200, meaning: 'The password is easy to guess.' },
  MOBILE_NOT_REGISTERED: { code: 10107, status: 200, meaning: 'This phone number, proven by its code, has no account yet.' },
  PASSWORDS_DIFFER: { code: 10108, status: 200, meaning: 'The password and its confirmation differ.' },
  LOGIN_SLOWED: { code: 10109, status: 429, meaning: 'Too many failed sign-ins; the next try is possible after a while.' },
  WRONG_PASSWORD: { code: 10110, status: 200, meaning: 'The present password, asked for to change it, is wrong.' },
  PASSWORD_UNCHANGED: { code: 10111, status: 200, meaning: 'The new password is the present one.' },

  INVALID_INPUT: { code: 20001, status: 400, meaning: 'The request does not fit the contract; data.fields names what.' },
  CROSS_SITE_REFUSED: { code: 20003, status: 403, meaning: 'The request came from another site.' },
  FORBIDDEN: { code: 20005, status: 403, meaning: 'This is not yours to do.' },
  NOT_FOUND: { code: 20004, status: 404, meaning: 'It does not exist, or it is not yours.' },
  REQUEST_TIMEOUT: { code: 20008, status: 408, meaning: 'The request did not come to its end in time.' },
  IDEMPOTENCY_CONFLICT: { code: 20009, status: 409, meaning: 'The Idempotency-Key was used for another request.' },
  BODY_TOO_LARGE: { code: 20013, status: 413, meaning: 'The request body is too large.' },
  UNSUPPORTED_MEDIA_TYPE: { code: 20015, status: 415, meaning: 'The body is not application/json.' },
  RANGE_NOT_SATISFIABLE: { code: 20016, status: 416, meaning: 'The part of the file asked for lies beyond its end.' },
  TOO_MANY_REQUESTS: { code: 20029, status: 429, meaning: 'Too many requests; Retry-After says when to come back.' },

  MEMBER_MAX_LEVEL_CPU_LIMIT: {
    code: 25100,
    status: 200,
    meaning: 'Beyond the CPU ceiling of the highest level; data names the largest spec that still fits.',
  },
  MEMBER_RUNNING_LABS_LIMIT: { code: 25101, status: 200, meaning: 'The level allows no more running labs.' },
  MEMBER_STORAGE_LIMIT: { code: 25102, status: 200, meaning: 'The files kept are more than the level allows.' },
  MEMBER_DCU_LIMIT: {
    code: 25105,
    status: 200,
    meaning: 'The balance or the DCU-per-hour ceiling does not allow it; data.cause says which and how much is missing.',
  },
  MEMBER_NOT_MAX_LEVEL_CPU_LIMIT: {
    code: 25106,
    status: 200,
    meaning: 'Beyond the CPU ceiling of the level; data names the level that allows it.',
  },
  REAL_NAME_REQUIRED: { code: 25107, status: 200, meaning: 'This needs a verified real name; data.cause says what does.' },

  ORDER_STATE_CONFLICT: { code: 30001, status: 409, meaning: 'The order’s state does not allow this action.' },
  PRICE_CHANGED: {
    code: 30002,
    status: 200,
    meaning: 'It costs (or brings back) something else now; data says what. Nothing was done.',
  },
  TOO_MANY_PENDING_ORDERS: { code: 30003, status: 200, meaning: 'The member has as many unpaid orders as one may have.' },
  SKU_UNAVAILABLE: { code: 30004, status: 200, meaning: 'The SKU is not on sale, or not in this quantity.' },
  SKU_SOLD_OUT: { code: 30005, status: 200, meaning: 'Nothing, or not enough, is left of this limited offer.' },
  SKU_ALREADY_PENDING: { code: 30006, status: 200, meaning: 'The member has an unpaid order of this limited offer.' },
  SKU_ALREADY_BOUGHT: { code: 30016, status: 200, meaning: 'The member had this limited offer; it is one a member.' },
  PACKAGE_UNAVAILABLE: { code: 30007, status: 200, meaning: 'The package is not on sale, or cannot be built like this.' },
  NOTHING_TO_REFUND: { code: 30008, status: 200, meaning: 'Nothing of the order can be given back now; data.cause says why.' },
  PAYMENT_METHOD_UNAVAILABLE: { code: 30011, status: 200, meaning: 'This way to pay is not offered.' },
  PAYMENT_PROVIDER_UNAVAILABLE: {
    code: 30012,
    status: 503,
    meaning: 'The payment provider does not answer; trying again is safe.',
  },
  PAYMENT_NOTICE_REFUSED: {
    code: 30013,
    status: 400,
    meaning: 'A payment notice that is not the provider’s, or not about our payment.',
  },

  COUPON_UNUSABLE: { code: 31001, status: 200, meaning: 'The coupon cannot be used on this; data.reason says why.' },
  COUPON_CODE_UNKNOWN: { code: 31002, status: 200, meaning: 'There is no such code, or it is not valid now.' },
  COUPON_CODE_USED_UP: { code: 31003, status: 200, meaning: 'The code was redeemed as often as it may be.' },
  COUPON_CODE_REDEEMED: { code: 31004, status: 200, meaning: 'The member has redeemed this code before.' },
  POINTS_TOO_MANY: { code: 31011, status: 200, meaning: 'More points than the member has free, or than the order takes.' },
  POINTS_TOO_FEW: { code: 31012, status: 200, meaning: 'The reward costs more points than the member has free.' },
  ALREADY_CHECKED_IN: { code: 31013, status: 200, meaning: 'Today’s check-in is done.' },
  REWARD_UNAVAILABLE: { code: 31014, status: 200, meaning: 'The reward is not offered, or not any more to this member.' },

  WORKSHOP_NAME_TAKEN: { code: 40001, status: 200, meaning: 'The member has a workshop of this name.' },
  WORKSHOP_STATE_CONFLICT: { code: 40002, status: 409, meaning: 'The workshop’s state does not allow this action.' },
  SPEC_UNAVAILABLE: { code: 40003, status: 200, meaning: 'The spec is not offered by this engine now.' },
  IMAGE_UNAVAILABLE: { code: 40004, status: 200, meaning: 'The image is not offered by this engine now.' },
  ENGINE_UNAVAILABLE: {
    code: 40005,
    status: 503,
    meaning: 'The compute engine cannot be reached, or refuses for the reason given.',
  },
  WORKSHOP_NOT_RUNNING: { code: 40006, status: 409, meaning: 'The workshop is not running.' },
  TERMINAL_LIMIT: { code: 40007, status: 200, meaning: 'The workshop has as many terminals as it may have.' },
  WORKSHOP_LIMIT: { code: 40008, status: 200, meaning: 'The member has as many workshops as one may keep.' },
  ENGINE_ELSEWHERE: { code: 40009, status: 409, meaning: 'The workshop lives on another machine of this installation.' },
  EXTENSION_LIMIT: {
    code: 40010,
    status: 200,
    meaning: 'The run can be extended by fewer hours, or by none; data says by how many and which level allows more.',
  },
  SESSION_OPEN: { code: 40011, status: 409, meaning: 'The run has not ended.' },
  ENGINE_NO_NETWORK: { code: 40012, status: 200, meaning: 'The engine cannot give labs a network.' },

  IMAGE_LIMIT: { code: 40101, status: 200, meaning: 'The level keeps no more images; data names the level that keeps more.' },
  IMAGE_NAME_TAKEN: { code: 40102, status: 200, meaning: 'The member has an image of this name and tag.' },
  IMAGE_IN_USE: { code: 40103, status: 200, meaning: 'Workshops of the member use the image; data names them.' },
  IMAGE_STATE_CONFLICT: { code: 40104, status: 409, meaning: 'The image’s state does not allow this action.' },
  ENGINE_CANNOT_SAVE: { code: 40105, status: 200, meaning: 'The engine can keep nothing of a lab as an image.' },
  IMAGE_HOLDS_SECRETS: { code: 40106, status: 200, meaning: 'The image holds files that look secret; data.paths lists them.' },
  REGISTRY_UNAVAILABLE: { code: 40107, status: 503, meaning: 'The image registry cannot be used, for the reason given.' },
  NOTHING_TO_SAVE: { code: 40108, status: 200, meaning: 'The workshop has no files yet: it never ran.' },

  FILE_NOT_FOUND: { code: 41001, status: 200, meaning: 'There is no such file or folder in the workshop.' },
  FILE_EXISTS: { code: 41002, status: 200, meaning: 'Something has this name already.' },
  FILE_NAME_INVALID: { code: 41003, status: 200, meaning: 'The path cannot be one of a file in a home.' },
  FILE_CHANGED: { code: 41004, status: 200, meaning: 'Somebody wrote to the file since it was read; nothing was written.' },
  FILE_TOO_LARGE_TO_EDIT: { code: 41005, status: 200, meaning: 'Text of more than 1 MiB is not edited on the page.' },
  FILE_NOT_TEXT: { code: 41006, status: 200, meaning: 'The file is no UTF-8 text.' },
  FILE_QUOTA: {
    code: 41007,
    status: 200,
    meaning: 'The workshop’s disk or the level’s storage (data.cause) has no room; data.freeBytes is left.',
  },
  FILES_UNAVAILABLE: { code: 41008, status: 503, meaning: 'The files cannot be reached now, or lie on another machine.' },
  FILE_NOT_A_FOLDER: { code: 41009, status: 200, meaning: 'Something on the way is no folder.' },
  FILE_FORBIDDEN: { code: 41010, status: 200, meaning: 'A link, a device or a file without permission: it is not opened.' },

  INTERNAL: { code: 50000, status: 500, meaning: 'An error of ours; the trace id finds it in the log.' },
  UNAVAILABLE: { code: 50003, status: 503, meaning: 'The service cannot answer now; trying again is safe.' },
} as const satisfies Record<string, { code: number; status: number; meaning: string }>;

export type ErrorName = keyof typeof errors;

/** What every call can answer, whatever its contract lists. `UNAUTHORIZED` only where access is `member`. */
export const COMMON_ERRORS = [
  'UNAUTHORIZED',
  'INVALID_INPUT',
  'CROSS_SITE_REFUSED',
  'BODY_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'TOO_MANY_REQUESTS',
  'INTERNAL',
  'UNAVAILABLE',
] as const satisfies readonly ErrorName[];

/** One field that does not fit: where it stands (`body.username`) and what is wrong with it. */
export interface InvalidField {
  field: string;
  message: string;
}
