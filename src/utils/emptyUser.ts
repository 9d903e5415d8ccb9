import type { Calls } from '../../gateway/contract/calls';

/** Nobody: what every field falls back to when the current user cannot be loaded. */
export const emptyUser: Calls['GET /gateway/user/getUserBySession']['data'] = {
  userId: '',
  userName: '',
  mobilePhone: '',
  isRealName: false,
  isStudent: false,
  memberExpirationDate: '',
  remainDcu: 0,
  packageName: '',
  levelFlag: 0,
};
