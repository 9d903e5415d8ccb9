import { Link, useModel } from '@umijs/max';
import { Alert, Button, Form, Input } from 'antd';
import { useState } from 'react';
import { NewPasswordFields } from '@/components/NewPasswordFields';
import { useRefusals } from '@/hooks/useRefusals';
import { useText } from '@/hooks/useText';
import { type ChangePasswordBody, changePassword } from '@/services/user';
import { keepSession } from '@/utils/session';
import styles from './PasswordChange.less';

/** Another password for whoever knows the present one. This browser stays signed in, all others do not. */
export function PasswordChange() {
  const text = useText();
  const [form] = Form.useForm<ChangePasswordBody>();
  const { run, refusal, isBusy } = useRefusals(form);
  const { currentUser } = useModel('session');
  const [endedSessions, setEndedSessions] = useState<number>();
  const handleFinish = (values: ChangePasswordBody) => {
    setEndedSessions(undefined);
    return run(async () => {
      const done = await changePassword(values);
      keepSession(done.sessionId, done.expiresInDays);
      setEndedSessions(done.endedSessions);
      form.resetFields();
    });
  };
  return (
    <Form className={styles.form} form={form} name="change" layout="vertical" requiredMark={false} onFinish={handleFinish}>
      {/* Password managers keep the new one under this name. */}
      <input type="text" autoComplete="username" value={currentUser.userName} readOnly hidden />
      <Form.Item
        name="oldPassword"
        label={text('settings.password.present')}
        rules={[{ required: true, message: text('settings.password.present.required') }]}
      >
        <Input.Password size="large" autoComplete="current-password" maxLength={128} />
      </Form.Item>
      <NewPasswordFields form={form} formName="change" label={text('reset.password')} ownWords={[currentUser.userName]} />
      {refusal ? <Alert className={styles.outcome} type="error" showIcon message={refusal} /> : null}
      {endedSessions === undefined ? null : (
        <Alert
          className={`${styles.outcome} ${styles.done}`}
          role="status"
          type="success"
          showIcon
          message={text('settings.password.done')}
          description={text('settings.password.ended', { count: endedSessions })}
        />
      )}
      <Button type="primary" size="large" htmlType="submit" loading={isBusy}>
        {text('settings.password.submit')}
      </Button>
      <p className={styles.forgot}>
        <Link to="/login?view=reset">{text('settings.password.forgot')}</Link>
      </p>
    </Form>
  );
}
