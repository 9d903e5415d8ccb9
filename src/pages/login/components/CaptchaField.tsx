import { useCountDown } from 'ahooks';
import { Button, Form, type FormInstance, Input } from 'antd';
import { useRef, useState } from 'react';
import { useText } from '@/hooks/useText';
import { type CaptchaScene, sendVerificationCode } from '@/services/user';
import { type CallError, isCallError } from '@/utils/callError';
import { errorCodes } from '@/utils/errorCodes';
import { limits } from '../../../../gateway/contract/limits';
import styles from './CaptchaField.less';
import { rules } from './rules';

interface CaptchaFieldProps {
  /** A form with the fields `mobile` and `captcha`, named as the scene. */
  form: FormInstance;
  scene: CaptchaScene;
}

/** The code from the message, with the button that sends it and counts down until the next one. */
export function CaptchaField({ form, scene }: CaptchaFieldProps) {
  const text = useText();
  const [isSending, setIsSending] = useState(false);
  const [sentTo, setSentTo] = useState('');
  const [readyAt, setReadyAt] = useState<number>();
  const [leftMs] = useCountDown({ targetDate: readyAt });
  const button = useRef<HTMLButtonElement>(null);

  const handleSend = async () => {
    const isValid = await form.validateFields(['mobile']).then(
      () => true,
      () => false,
    );
    if (!isValid) return form.getFieldInstance('mobile')?.focus?.();
    const mobile = String(form.getFieldValue('mobile')).trim();
    setIsSending(true);
    try {
      const { cooldownSeconds } = await sendVerificationCode({ mobile, scene });
      setReadyAt(Date.now() + cooldownSeconds * 1000);
      setSentTo(mobile);
      form.setFields([{ name: 'captcha', errors: [] }]);
      if (isStillAt(button.current)) form.getFieldInstance('captcha')?.focus?.();
    } catch (error) {
      if (!isCallError(error)) throw error;
      setReadyAt(readyAtOf(error));
      form.setFields([{ name: 'captcha', errors: [error.msg] }]);
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
        <Form.Item name="captcha" noStyle rules={rules.captcha(text)} validateTrigger="onBlur">
          <Input size="large" autoComplete="one-time-code" inputMode="numeric" maxLength={limits.captcha.digits} />
        </Form.Item>
        <Button ref={button} data-track="send-code" size="large" onClick={handleSend} loading={isSending} disabled={seconds > 0}>
          {seconds > 0 ? text('login.captcha.again', { seconds }) : text('login.captcha.send')}
        </Button>
      </div>
    </Form.Item>
  );
}

/** Whoever went on to another field meanwhile keeps the focus there. Some browsers give a pressed button none. */
function isStillAt(button: HTMLElement | null): boolean {
  const { activeElement, body } = document;
  return activeElement === null || activeElement === body || activeElement === button;
}

/** When the gateway will send a next code, where the refusal says so. */
function readyAtOf(refusal: CallError): number | undefined {
  const seconds = (refusal.data as { retryAfterSeconds?: unknown } | null)?.retryAfterSeconds;
  return refusal.code === errorCodes.CAPTCHA_TOO_SOON && typeof seconds === 'number' ? Date.now() + seconds * 1000 : undefined;
}
