import { useCountDown } from 'ahooks';
import { Button, Form, type FormInstance, Input } from 'antd';
import { useState } from 'react';
import { useText } from '@/hooks/useText';
import { type CaptchaScene, sendVerificationCode } from '@/services/user';
import { isCallError } from '@/utils/callError';
import { limits } from '../../../../gateway/contract/limits';
import styles from './CaptchaField.less';
import { rules } from './rules';

interface CaptchaFieldProps<T> {
  /** A form with the fields `mobile` and `captcha`, named as the scene. */
  form: FormInstance<T>;
  scene: CaptchaScene;
}

/** The code from the message, with the button that sends it and counts down until the next one. */
export function CaptchaField<T extends { mobile: string; captcha: string }>({ form, scene }: CaptchaFieldProps<T>) {
  const text = useText();
  const [isSending, setIsSending] = useState(false);
  const [sentTo, setSentTo] = useState('');
  const [readyAt, setReadyAt] = useState<number>();
  const [leftMs] = useCountDown({ targetDate: readyAt });
  const names = { mobile: 'mobile' as never, captcha: 'captcha' as never };

  const handleSend = async () => {
    const isValid = await form.validateFields([names.mobile]).then(
      () => true,
      () => false,
    );
    if (!isValid) return form.getFieldInstance(names.mobile)?.focus?.();
    const mobile = String(form.getFieldValue(names.mobile)).trim();
    setIsSending(true);
    try {
      const { cooldownSeconds } = await sendVerificationCode({ mobile, scene });
      setReadyAt(Date.now() + cooldownSeconds * 1000);
      setSentTo(mobile);
      form.setFields([{ name: names.captcha, errors: [] }]);
      form.getFieldInstance(names.captcha)?.focus?.();
    } catch (error) {
      if (!isCallError(error)) throw error;
      form.setFields([{ name: names.captcha, errors: [error.msg] }]);
    } finally {
      setIsSending(false);
    }
  };

  const seconds = Math.ceil(leftMs / 1000);
  return (
    <Form.Item
      label={text('login.captcha')}
      htmlFor={`${scene}_captcha`}
      className={styles.item}
      extra={sentTo ? text('login.captcha.sent', { mobile: sentTo }) : undefined}
    >
      <div className={styles.row}>
        <Form.Item name="captcha" noStyle rules={rules.captcha(text)}>
          <Input size="large" autoComplete="one-time-code" inputMode="numeric" maxLength={limits.captcha.digits} />
        </Form.Item>
        <Button size="large" onClick={handleSend} loading={isSending} disabled={seconds > 0}>
          {seconds > 0 ? text('login.captcha.again', { seconds }) : text('login.captcha.send')}
        </Button>
      </div>
    </Form.Item>
  );
}
