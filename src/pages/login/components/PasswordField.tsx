import { Form, type FormInstance, Input } from 'antd';
import { useState } from 'react';
import { useText } from '@/hooks/useText';
import { limits } from '../../../../gateway/contract/limits';
import styles from './PasswordField.less';
import type { PasswordJudge } from './passwordJudge';
import { rules } from './rules';

interface OwnWords {
  username?: string;
  mobile?: string;
  email?: string | undefined;
}

const bars = [1, 2, 3, 4];

/** A new password and how hard it is to guess. The dictionaries are fetched when the field gets the focus, not before. */
export function PasswordField<T extends OwnWords>({ form }: { form: FormInstance<T> }) {
  const text = useText();
  const [judge, setJudge] = useState<PasswordJudge>();
  const password = Form.useWatch<string | undefined>('password', form) ?? '';
  const { username = '', mobile = '', email = '' } = form.getFieldsValue() as OwnWords;
  const strength = judge && password !== '' ? judge(password, [username, mobile, email]) : undefined;

  const handleFocus = async () => {
    if (judge) return;
    // Without the dictionaries the gateway alone judges; the form works all the same.
    const loaded = await import('./passwordJudge').catch(() => undefined);
    if (loaded) setJudge(() => loaded.judgePassword);
  };
  return (
    <Form.Item label={text('login.password')} htmlFor="register_password">
      <Form.Item
        name="password"
        noStyle
        validateTrigger="onBlur"
        rules={[
          ...rules.password(text),
          {
            validator: () =>
              strength !== undefined && strength < limits.password.minStrength
                ? Promise.reject(new Error(text('strength.tooWeak')))
                : Promise.resolve(),
          },
        ]}
      >
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
  );
}
