import { useModel } from '@umijs/max';
import { Alert, Button, Checkbox, Form, Input } from 'antd';
import { useText } from '@/hooks/useText';
import { login } from '@/services/user';
import { CaptchaField } from './CaptchaField';
import { rules } from './rules';
import { useRefusals } from './useRefusals';
import styles from './view.less';

interface Values {
  mobile: string;
  captcha: string;
  keepSignedIn: boolean;
}

export function PhoneForm({ hint }: { hint?: string | undefined }) {
  const text = useText();
  const [form] = Form.useForm<Values>();
  const { run, refusal, isBusy } = useRefusals(form);
  const { signIn } = useModel('session');
  const handleFinish = (values: Values) =>
    run(async () => signIn(await login({ type: 'mobile', ...values, mobile: values.mobile.trim() })));
  return (
    <Form
      form={form}
      name="login"
      layout="vertical"
      requiredMark={false}
      onFinish={handleFinish}
      initialValues={{ keepSignedIn: false }}
    >
      {hint ? <p className={styles.hint}>{hint}</p> : null}
      <Form.Item name="mobile" label={text('login.mobile')} rules={rules.mobile(text)}>
        <Input size="large" type="tel" autoComplete="tel" inputMode="tel" maxLength={20} />
      </Form.Item>
      <CaptchaField form={form} scene="login" />
      <div className={styles.between}>
        <Form.Item name="keepSignedIn" valuePropName="checked">
          <Checkbox>{text('login.keep')}</Checkbox>
        </Form.Item>
      </div>
      {refusal ? <Alert className={styles.refusal} type="error" showIcon message={refusal} /> : null}
      <Button type="primary" size="large" htmlType="submit" block loading={isBusy}>
        {text('login.submit')}
      </Button>
    </Form>
  );
}
