import { Button, Form, Input } from 'antd';
import { useText } from '@/hooks/useText';
import { rules } from './rules';
import { SignInForm } from './SignInForm';

interface Values {
  username: string;
  password: string;
  keepSignedIn: boolean;
}

export function PasswordForm({ onForgot }: { onForgot: () => void }) {
  const text = useText();
  const [form] = Form.useForm<Values>();
  const forgot = (
    <Button type="link" onClick={onForgot}>
      {text('login.forgot')}
    </Button>
  );
  return (
    <SignInForm
      name="account"
      form={form}
      bodyOf={(values) => ({ type: 'password', ...values, username: values.username.trim() })}
      aside={forgot}
    >
      <Form.Item name="username" label={text('login.username')} rules={rules.signInName(text)}>
        <Input size="large" autoComplete="username" autoCapitalize="none" spellCheck={false} maxLength={254} autoFocus />
      </Form.Item>
      <Form.Item name="password" label={text('login.password')} rules={rules.signInPassword(text)}>
        <Input.Password size="large" autoComplete="current-password" maxLength={128} />
      </Form.Item>
    </SignInForm>
  );
}
