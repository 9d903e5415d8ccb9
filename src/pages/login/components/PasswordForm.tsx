import { useModel } from '@umijs/max';
import { Alert, Button, Checkbox, Form, Input } from 'antd';
import { useText } from '@/hooks/useText';
import { login } from '@/services/user';
import { rules } from './rules';
import { useRefusals } from './useRefusals';
import styles from './view.less';

interface Values {
  username: string;
  password: string;
  keepSignedIn: boolean;
}

export function PasswordForm({ onForgot }: { onForgot: () => void }) {
  const text = useText();
  const [form] = Form.useForm<Values>();
  const { run, refusal, isBusy } = useRefusals(form);
  const { signIn } = useModel('session');
  const handleFinish = (values: Values) =>
    run(async () => signIn(await login({ type: 'password', ...values, username: values.username.trim() })));
  return (
    <Form
      form={form}
      name="account"
      layout="vertical"
      requiredMark={false}
      onFinish={handleFinish}
      initialValues={{ keepSignedIn: false }}
    >
      <Form.Item name="username" label={text('login.username')} rules={rules.signInName(text)}>
        <Input size="large" autoComplete="username" autoCapitalize="none" spellCheck={false} maxLength={254} autoFocus />
      </Form.Item>
      <Form.Item name="password" label={text('login.password')} rules={rules.signInPassword(text)}>
        <Input.Password size="large" autoComplete="current-password" maxLength={128} />
      </Form.Item>
      <div className={styles.between}>
        <Form.Item name="keepSignedIn" valuePropName="checked">
          <Checkbox>{text('login.keep')}</Checkbox>
        </Form.Item>
        <Button type="link" onClick={onForgot}>
          {text('login.forgot')}
        </Button>
      </div>
      {refusal ? <Alert className={styles.refusal} type="error" showIcon message={refusal} /> : null}
      <Button type="primary" size="large" htmlType="submit" block loading={isBusy}>
        {text('login.submit')}
      </Button>
    </Form>
  );
}
