import type { FormItemProps } from 'antd';
import type { Text } from '@/utils/words';
import { limits, usernamePattern } from '../../../../gateway/contract/limits';

type Rules = NonNullable<FormItemProps['rules']>;

/** What each field asks for before the gateway is asked. */
export const rules = {
  signInName: (text: Text): Rules => [{ required: true, message: text('login.username.required') }],
  signInPassword: (text: Text): Rules => [{ required: true, message: text('login.password.required') }],
  username: (text: Text): Rules => [
    { required: true, message: text('login.username.required') },
    { pattern: new RegExp(usernamePattern), message: text('login.username.rule') },
  ],
  mobile: (text: Text): Rules => [
    { required: true, message: text('login.mobile.required') },
    { pattern: /^\+?[0-9][0-9 ()-]{4,18}$/, transform: (typed: string) => typed.trim(), message: text('login.mobile.rule') },
  ],
  captcha: (text: Text): Rules => [
    { required: true, message: text('login.captcha.required') },
    { pattern: new RegExp(`^\\d{${limits.captcha.digits}}$`), message: text('login.captcha.rule') },
  ],
  email: (text: Text): Rules => [{ type: 'email', message: text('login.email.rule') }],
};
