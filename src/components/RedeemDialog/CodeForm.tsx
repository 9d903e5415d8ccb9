import { useModel } from '@umijs/max';
import { Alert, Button, Form, Input, type InputRef } from 'antd';
import { type RefObject, useEffect } from 'react';
import { useIdempotencyKey } from '@/hooks/useIdempotencyKey';
import { useRefusals } from '@/hooks/useRefusals';
import { useText } from '@/hooks/useText';
import { type Redeemed, redeemCode } from '@/services/coupon';
import styles from './index.less';

interface CodeValues {
  code: string;
}

/** The code, and why it was refused beside it. What it gave is told to balance and rights at once. */
export function CodeForm({ field, onRedeemed }: { field: RefObject<InputRef>; onRedeemed: (what: Redeemed) => void }) {
  const text = useText();
  const [form] = Form.useForm<CodeValues>();
  const { run, refusal, isBusy } = useRefusals(form);
  const once = useIdempotencyKey('redeemCode');
  const { refreshUser } = useModel('session');
  const { refresh: refreshBalance } = useModel('balance');
  useEffect(() => field.current?.focus(), [field]);

  const handleFinish = (values: CodeValues) =>
    run(async () => {
      const code = values.code.trim();
      const redeemed = await once({ code }, (key) => redeemCode(code, key));
      if (redeemed.gives === 'dcu') refreshBalance();
      if (redeemed.gives === 'membership') refreshUser();
      onRedeemed(redeemed);
    });
  return (
    <Form form={form} layout="vertical" requiredMark={false} onFinish={handleFinish}>
      <p className={styles.hint}>{text('redeem.hint')}</p>
      <Form.Item
        name="code"
        label={text('redeem.code')}
        validateFirst
        rules={[
          { required: true, whitespace: true, message: text('redeem.code.required') },
          { min: 4, max: 40, transform: (code: string) => code.trim(), message: text('redeem.code.length') },
        ]}
      >
        <Input
          ref={field}
          className={styles.code}
          size="large"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={80}
          dir="ltr"
        />
      </Form.Item>
      {refusal ? <Alert className={styles.refusal} type="error" showIcon message={refusal} /> : null}
      <Button block type="primary" size="large" htmlType="submit" loading={isBusy}>
        {text('redeem.submit')}
      </Button>
    </Form>
  );
}
