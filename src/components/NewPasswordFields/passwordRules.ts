import type { FormItemProps } from 'antd';
import type { Text } from '@/utils/words';
import { limits } from '../../../gateway/contract/limits';
import type { Strength } from './passwordJudge';

type Rules = NonNullable<FormItemProps['rules']>;

/** What a new password must be; its strength is asked for once the judge is there. */
export function passwordRules(text: Text, strength: Strength | undefined): Rules {
  return [
    { required: true, message: text('login.password.required') },
    { min: limits.password.min, max: limits.password.max, message: text('login.password.rule') },
    {
      validator: () =>
        strength !== undefined && strength < limits.password.minStrength
          ? Promise.reject(new Error(text('strength.tooWeak')))
          : Promise.resolve(),
    },
  ];
}

export function confirmRules(text: Text): Rules {
  return [
    { required: true, message: text('login.confirm.required') },
    ({ getFieldValue }) => ({
      validator: (_, value: string) =>
        !value || value === getFieldValue('password')
          ? Promise.resolve()
          : Promise.reject(new Error(text('login.confirm.differs'))),
    }),
  ];
}
