import { Form, type FormInstance, Input } from 'antd';
import { useState } from 'react';
import { useText } from '@/hooks/useText';
import { limits } from '../../../gateway/contract/limits';
import styles from './index.less';
import type { PasswordJudge } from './passwordJudge';
import { confirmRules, passwordRules } from './passwordRules';

interface NewPasswordFieldsProps {
  /** A form with the fields `password` and `confirm`. */
  form: FormInstance;
  /** The form's name, which is part of its fields' ids. */
  formName: string;
  /** What the first field is called, where there is another password beside it. */
  label?: string;
  /** What somebody who knows the member would try; the form's own username, number and e-mail count as well. */
  ownWords?: readonly string[];
}

const bars = [1, 2, 3, 4];
const ownFields = ['username', 'mobile', 'email'];

/** A new password, how hard it is to guess, and the same again. The dictionaries are fetched when the field gets the focus. */
export function NewPasswordFields({ form, formName, label, ownWords = [] }: NewPasswordFieldsProps) {
  const text = useText();
  const [judge, setJudge] = useState<PasswordJudge>();
  const password: string = Form.useWatch('password', form) ?? '';
  const typed = Object.values<string | undefined>(form.getFieldsValue(ownFields));
  const strength = judge && password !== '' ? judge(password, [...ownWords, ...typed.map((word) => word ?? '')]) : undefined;

  const handleFocus = async () => {
    if (judge) return;
    // Without the dictionaries the gateway alone judges; the form works all the same.
    const loaded = await import('./passwordJudge').catch(() => undefined);
    if (loaded) setJudge(() => loaded.judgePassword);
  };
  return (
    <>
      <Form.Item label={label ?? text('login.password')} htmlFor={`${formName}_password`}>
        <Form.Item name="password" noStyle validateTrigger="onBlur" rules={passwordRules(text, strength)}>
          <Input.Password size="large" autoComplete="new-password" maxLength={limits.password.max} onFocus={handleFocus} />
        </Form.Item>
        {strength === undefined ? null : (
          <div className={styles.strength} role="status" aria-label={text('strength.label')}>
            <span className={styles.bars} data-strength={strength} aria-hidden="true">
              {bars.map((bar) => (
                <span key={bar} className={bar <= strength ? styles.full : undefined} />
              ))}
            </span>
            {text(`strength.${strength}`)}
          </div>
        )}
      </Form.Item>
      <Form.Item
        name="confirm"
        label={text('login.confirm')}
        rules={confirmRules(text)}
        dependencies={['password']}
        validateTrigger="onBlur"
      >
        <Input.Password size="large" autoComplete="new-password" maxLength={limits.password.max} />
      </Form.Item>
    </>
  );
}
