import { Link, useLocation } from '@umijs/max';
import { Form, Input } from 'antd';
import { useText } from '@/hooks/useText';
import { rules } from './rules';
import { SignInForm } from './SignInForm';

interface Values {
  username: string;
  password: string;
  keepSignedIn: boolean;
}

/** What leads here may bring along who wants to sign in: by the history, so that no name stands in an address. */
export interface SignInState {
  userName?: string;
}

export function PasswordForm({ resetPath }: { resetPath: string }) {
  const text = useText();
  const [form] = Form.useForm<Values>();
  const { userName } = (useLocation().state ?? {}) as SignInState;
  return (
    <SignInForm
      name="account"
      form={form}
      bodyOf={(values) => ({ type: 'password', ...values, username: values.username.trim() })}
      aside={<Link to={resetPath}>{text('login.forgot')}</Link>}
    >
      <Form.Item name="username" label={text('login.username')} rules={rules.signInName(text)} initialValue={userName}>
        <Input
          size="large"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={254}
          autoFocus={userName === undefined}
        />
      </Form.Item>
      <Form.Item name="password" label={text('login.password')} rules={rules.signInPassword(text)}>
        <Input.Password size="large" autoComplete="current-password" maxLength={128} autoFocus={userName !== undefined} />
      </Form.Item>
    </SignInForm>
  );
}
