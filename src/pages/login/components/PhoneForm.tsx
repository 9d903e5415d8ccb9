import { Form, Input } from 'antd';
import { useText } from '@/hooks/useText';
import { CaptchaField } from './CaptchaField';
import { rules } from './rules';
import { SignInForm } from './SignInForm';

interface Values {
  mobile: string;
  captcha: string;
  keepSignedIn: boolean;
}

export function PhoneForm() {
  const text = useText();
  const [form] = Form.useForm<Values>();
  return (
    <SignInForm name="login" form={form} bodyOf={(values) => ({ type: 'mobile', ...values, mobile: values.mobile.trim() })}>
      <Form.Item name="mobile" label={text('login.mobile')} rules={rules.mobile(text)} validateTrigger="onBlur">
        <Input size="large" type="tel" autoComplete="tel" inputMode="tel" maxLength={20} />
      </Form.Item>
      <CaptchaField form={form} scene="login" />
    </SignInForm>
  );
}
