import { Alert, Button, Checkbox, Form, InputNumber } from 'antd';
import { useRefusals } from '@/hooks/useRefusals';
import { useText } from '@/hooks/useText';
import { type AccountOverview, setAlert } from '@/services/account';
import { limits } from '../../../../../../../gateway/contract/limits';
import styles from './BalanceAlert.less';

interface AlertValues {
  thresholdDcu: number | null;
  isBySms: boolean;
}

interface BalanceAlertFormProps {
  alert: AccountOverview['alert'];
  onSaved: (isSet: boolean) => void;
}

/** The threshold, and whether a text message comes, too; on the page one is always told. */
export function BalanceAlertForm({ alert, onSaved }: BalanceAlertFormProps) {
  const text = useText();
  const [form] = Form.useForm<AlertValues>();
  const { run, refusal, isBusy } = useRefusals(form);
  const save = ({ thresholdDcu, isBySms }: AlertValues) =>
    run(async () => {
      await setAlert({ thresholdDcu, channels: isBySms ? ['page', 'sms'] : ['page'] });
      onSaved(thresholdDcu !== null);
    });
  const most = limits.alertMostDcu;
  return (
    <Form
      form={form}
      layout="vertical"
      requiredMark={false}
      initialValues={{ thresholdDcu: alert?.thresholdDcu, isBySms: alert?.channels.includes('sms') ?? false }}
      onFinish={save}
    >
      <Form.Item
        name="thresholdDcu"
        label={text('account.alert.threshold')}
        rules={[{ required: true, type: 'integer', min: 1, max: most, message: text('account.alert.range', { most }) }]}
      >
        <InputNumber className={styles.threshold} addonAfter="DCU" precision={0} inputMode="numeric" />
      </Form.Item>
      <Form.Item name="isBySms" valuePropName="checked" className={styles.check}>
        <Checkbox>{text('account.alert.sms')}</Checkbox>
      </Form.Item>
      {refusal ? <Alert className={styles.refusal} type="error" showIcon message={refusal} /> : null}
      <p className={styles.ways}>
        <Button htmlType="submit" loading={isBusy}>
          {text('account.alert.save')}
        </Button>
        {alert && (
          <Button type="text" disabled={isBusy} onClick={() => save({ thresholdDcu: null, isBySms: false })}>
            {text('account.alert.remove')}
          </Button>
        )}
      </p>
    </Form>
  );
}
