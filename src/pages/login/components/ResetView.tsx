import { Link, useModel } from '@umijs/max';
import { Alert, Button, Form, Input } from 'antd';
import { useEffect, useRef, useState } from 'react';
import { NewPasswordFields } from '@/components/NewPasswordFields';
import { useRefusals } from '@/hooks/useRefusals';
import { useText } from '@/hooks/useText';
import { forgetPassword, type ResetBody } from '@/services/user';
import { CaptchaField } from './CaptchaField';
import type { SignInState } from './PasswordForm';
import { rules } from './rules';
import styles from './view.less';

/** A new password for an account whose phone number is proven by a code. */
export function ResetView({ loginPath }: { loginPath: string }) {
  const text = useText();
  const [form] = Form.useForm<ResetBody>();
  const { run, refusal, isBusy } = useRefusals(form);
  const { currentUser, forgetSession } = useModel('session');
  const [userName, setUserName] = useState<string>();
  const handleFinish = (values: ResetBody) =>
    run(async () => {
      const done = await forgetPassword({ ...values, mobile: values.mobile.trim() });
      setUserName(done.userName);
      if (done.userId === currentUser.userId) forgetSession();
    });
  if (userName !== undefined) return <ResetDone userName={userName} loginPath={loginPath} />;
  return (
    <>
      <h1 className={styles.title}>{text('reset.title')}</h1>
      <p className={styles.subtitle}>{text('reset.how')}</p>
      <Form form={form} name="reset" layout="vertical" requiredMark={false} onFinish={handleFinish} scrollToFirstError>
        <Form.Item name="mobile" label={text('login.mobile')} rules={rules.mobile(text)} validateTrigger="onBlur">
          <Input size="large" type="tel" autoComplete="tel" inputMode="tel" maxLength={20} autoFocus />
        </Form.Item>
        <CaptchaField form={form} scene="reset" />
        <NewPasswordFields form={form} formName="reset" label={text('reset.password')} />
        {refusal ? <Alert className={styles.refusal} type="error" showIcon message={refusal} /> : null}
        <Button type="primary" size="large" htmlType="submit" block loading={isBusy}>
          {text('reset.submit')}
        </Button>
      </Form>
      <p className={styles.other}>
        {text('reset.toLogin')} <Link to={loginPath}>{text('register.toLogin.link')}</Link>
      </p>
    </>
  );
}

function ResetDone({ userName, loginPath }: { userName: string; loginPath: string }) {
  const text = useText();
  const heading = useRef<HTMLHeadingElement>(null);
  // The form that had the focus is gone.
  useEffect(() => heading.current?.focus(), []);
  const state: SignInState = { userName };
  return (
    <>
      <h1 ref={heading} tabIndex={-1} className={styles.title}>
        {text('reset.done')}
      </h1>
      <p className={styles.subtitle}>{text('reset.done.words')}</p>
      <p>
        {text('reset.done.name')} <bdi className={styles.name}>{userName}</bdi>
      </p>
      <Link to={loginPath} state={state} className={styles.goOn}>
        {text('login.submit')}
      </Link>
    </>
  );
}
