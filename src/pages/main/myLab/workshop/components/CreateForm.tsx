import { Alert, Button, Form, type FormInstance, Input, Skeleton, Switch } from 'antd';
import type { ReactNode } from 'react';
import { useText } from '@/hooks/useText';
import type { Calls } from '../../../../../../gateway/contract/calls';
import styles from './createDrawer.less';
import ImagePicker from './ImagePicker';
import { nameRules } from './labName';
import MaxHoursField from './MaxHoursField';
import type { Balance } from './price';
import { EnvField, IdleField, NetworkField, type SetupValues } from './SetupFields';
import SpecPicker from './SpecPicker';

export interface CreateValues extends SetupValues {
  name: string;
  specId: string;
  imageId: string;
  maxHours?: number | null;
  startNow: boolean;
}

/** What a form needs of a request it waits for. */
interface Offer<D> {
  data?: D | undefined;
  error?: Error | undefined;
  refresh: () => void;
}

interface CreateFormProps {
  form: FormInstance<CreateValues>;
  suggestedName: string;
  specs: Offer<Calls['GET /gateway/workshop/cpuSpec']['data']>;
  images: Offer<Calls['GET /gateway/image/basicTree']['data']>;
  balance: Balance | undefined;
  onSubmit: (values: CreateValues) => void;
}

/** What is chosen from an offer that is still coming, or did not come. */
function Offered<D>({ offer, children }: { offer: Offer<D>; children: (data: D) => ReactNode }) {
  const text = useText();
  if (offer.data !== undefined) return <>{children(offer.data)}</>;
  if (!offer.error) return <Skeleton active title={false} paragraph={{ rows: 4 }} />;
  return (
    <Alert
      type="error"
      showIcon
      message={text('error.loading')}
      description={offer.error.message}
      action={<Button onClick={offer.refresh}>{text('error.retry')}</Button>}
    />
  );
}

export default function CreateForm({ form, suggestedName, specs, images, balance, onSubmit }: CreateFormProps) {
  const text = useText();
  const isStarting = Form.useWatch('startNow', form) ?? true;
  return (
    <Form
      form={form}
      layout="vertical"
      requiredMark={false}
      initialValues={{ name: suggestedName, startNow: true }}
      scrollToFirstError={{ block: 'center' }}
      onFinish={onSubmit}
    >
      <Form.Item name="name" label={text('workshop.create.name')} rules={nameRules(text)}>
        <Input autoComplete="off" maxLength={80} />
      </Form.Item>
      <Offered offer={specs}>
        {({ list }) => (
          <Form.Item
            name="specId"
            label={text('workshop.create.spec')}
            rules={[{ required: true, message: text('workshop.create.spec.required') }]}
          >
            <SpecPicker specs={list} balance={balance} />
          </Form.Item>
        )}
      </Offered>
      <Offered offer={images}>
        {({ tree }) => (
          <Form.Item
            name="imageId"
            label={text('workshop.create.image')}
            rules={[{ required: true, message: text('workshop.create.image.required') }]}
          >
            <ImagePicker tree={tree} />
          </Form.Item>
        )}
      </Offered>
      <MaxHoursField />
      <IdleField />
      <EnvField />
      <NetworkField />
      <Form.Item
        label={text('workshop.create.startNow')}
        extra={text(isStarting ? 'workshop.create.startNow.on' : 'workshop.create.startNow.off')}
      >
        <span className={styles.switch}>
          <Form.Item name="startNow" valuePropName="checked" noStyle>
            <Switch aria-label={text('workshop.create.startNow')} />
          </Form.Item>
        </span>
      </Form.Item>
    </Form>
  );
}
