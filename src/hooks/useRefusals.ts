import type { FormInstance } from 'antd';
import { useState } from 'react';
import { type CallError, invalidFieldsOf, isCallError } from '@/utils/callError';
import { errorCodes } from '@/utils/errorCodes';
import { useText } from './useText';

/** The field each refusal is about. */
const fieldOf: Readonly<Record<number, string>> = {
  [errorCodes.INVALID_CREDENTIALS]: 'password',
  [errorCodes.INVALID_CAPTCHA]: 'captcha',
  [errorCodes.CAPTCHA_TOO_SOON]: 'captcha',
  [errorCodes.USERNAME_TAKEN]: 'username',
  [errorCodes.MOBILE_TAKEN]: 'mobile',
  [errorCodes.MOBILE_NOT_REGISTERED]: 'mobile',
  [errorCodes.PASSWORD_TOO_WEAK]: 'password',
  [errorCodes.PASSWORDS_DIFFER]: 'confirm',
  [errorCodes.WRONG_PASSWORD]: 'oldPassword',
  [errorCodes.PASSWORD_UNCHANGED]: 'password',
  [errorCodes.COUPON_CODE_UNKNOWN]: 'code',
  [errorCodes.COUPON_CODE_USED_UP]: 'code',
  [errorCodes.COUPON_CODE_REDEEMED]: 'code',
};

/** Runs a call of a form; what it refuses stands beside the field it is about, anything else above the button. */
export function useRefusals<T extends object>(form: FormInstance<T>) {
  const text = useText();
  // The gateway names fields as it likes: the form answers which of them it has.
  const plain: FormInstance = form;
  const [refusal, setRefusal] = useState('');
  const [isBusy, setIsBusy] = useState(false);

  const showBeside = (error: CallError): boolean => {
    const named: { name: string; message: string }[] =
      error.code === errorCodes.INVALID_INPUT
        ? invalidFieldsOf(error).map(({ name }) => ({ name, message: text('login.invalid') }))
        : [{ name: fieldOf[error.code] ?? '', message: error.msg }];
    const shown = named.filter(({ name }) => plain.getFieldInstance(name) !== undefined);
    for (const { name, message } of shown) plain.setFields([{ name, errors: [message] }]);
    const first = shown[0];
    if (first) plain.getFieldInstance(first.name)?.focus?.();
    return first !== undefined;
  };

  const run = async (send: () => Promise<void>): Promise<void> => {
    setRefusal('');
    setIsBusy(true);
    try {
      await send();
    } catch (error) {
      if (!isCallError(error)) throw error;
      if (!showBeside(error)) setRefusal(error.msg || text('error.fallback'));
    } finally {
      setIsBusy(false);
    }
  };
  return { run, refusal, isBusy };
}
