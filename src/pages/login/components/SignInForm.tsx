import { useModel } from '@umijs/max';
import { Alert, Button, Checkbox, Form, type FormInstance } from 'antd';
import type { ReactNode } from 'react';
import { useRefusals } from '@/hooks/useRefusals';
import { useText } from '@/hooks/useText';
import { type LoginBody, login } from '@/services/user';
import styles from './view.less';

interface SignInFormProps<T> {
  /** Names the form's fields in the page, too. */
  name: string;
  form: FormInstance<T>;
  /** What the gateway is asked with these fields. */
  bodyOf: (values: T) => LoginBody;
  /** The fields of this way to sign in. */
  children: ReactNode;
  /** Stands beside "keep me signed in". */
  aside?: ReactNode;
}

/** What every way to sign in shares: keeping signed in, the refusal, the button. */
export function SignInForm<T extends { keepSignedIn: boolean }>({ name, form, bodyOf, children, aside }: SignInFormProps<T>) {
  const text = useText();
  const { run, refusal, isBusy } = useRefusals(form);
  const { signIn } = useModel('session');
  return (
    <Form
      form={form}
      name={name}
      layout="vertical"
      requiredMark={false}
      onFinish={(values) => run(async () => signIn(await login(bodyOf(values))))}
    >
      {children}
      <div className={styles.between}>
        <Form.Item name="keepSignedIn" valuePropName="checked" initialValue={false}>
          <Checkbox>{text('login.keep')}</Checkbox>
        </Form.Item>
        {aside}
      </div>
      {refusal ? <Alert className={styles.refusal} type="error" showIcon message={refusal} /> : null}
      <Button data-track="sign-in" type="primary" size="large" htmlType="submit" block loading={isBusy}>
        {text('login.submit')}
      </Button>
    </Form>
  );
}
