import { Link, useModel } from '@umijs/max';
import { Alert, Button, Form, Input } from 'antd';
import { NewPasswordFields } from '@/components/NewPasswordFields';
import { useRefusals } from '@/hooks/useRefusals';
import { useText } from '@/hooks/useText';
import { type RegisterBody, register } from '@/services/user';
import { visitOrigin } from '@/utils/visitOrigin';
import { Agreement } from './Agreement';
import { CaptchaField } from './CaptchaField';
import { rules } from './rules';
import styles from './view.less';

type Values = Pick<RegisterBody, 'username' | 'mobile' | 'captcha' | 'password' | 'confirm' | 'email'>;

/** A new account for a phone number proven by its code. */
export function RegisterView({ loginPath }: { loginPath: string }) {
  const text = useText();
  const [form] = Form.useForm<Values>();
  const { run, refusal, isBusy } = useRefusals(form);
  const { signIn } = useModel('session');
  const handleFinish = ({ email, ...values }: Values) =>
    run(async () =>
      signIn(
        await register({
          ...values,
          username: values.username.trim(),
          mobile: values.mobile.trim(),
          ...(email?.trim() ? { email: email.trim() } : {}),
          ...visitOrigin(),
        }),
      ),
    );
  return (
    <>
      <h1 className={styles.title}>{text('register.title')}</h1>
      <p className={styles.subtitle}>{text('register.gift')}</p>
      <Form form={form} name="register" layout="vertical" requiredMark={false} onFinish={handleFinish} scrollToFirstError>
        <Form.Item name="username" label={text('login.username')} rules={rules.username(text)} validateTrigger="onBlur">
          <Input size="large" autoComplete="username" autoCapitalize="none" spellCheck={false} maxLength={32} autoFocus />
        </Form.Item>
        <Form.Item name="mobile" label={text('login.mobile')} rules={rules.mobile(text)} validateTrigger="onBlur">
          <Input size="large" type="tel" autoComplete="tel" inputMode="tel" maxLength={20} />
        </Form.Item>
        <CaptchaField form={form} scene="register" />
        <NewPasswordFields form={form} formName="register" />
        <Form.Item name="email" label={text('login.email')} rules={rules.email(text)} validateTrigger="onBlur">
          <Input size="large" type="email" autoComplete="email" inputMode="email" maxLength={254} />
        </Form.Item>
        {refusal ? <Alert className={styles.refusal} type="error" showIcon message={refusal} /> : null}
        <Button data-track="register" type="primary" size="large" htmlType="submit" block loading={isBusy}>
          {text('register.submit')}
        </Button>
      </Form>
      <p className={styles.other}>
        {text('register.toLogin')} <Link to={loginPath}>{text('register.toLogin.link')}</Link>
      </p>
      <Agreement />
    </>
  );
}
