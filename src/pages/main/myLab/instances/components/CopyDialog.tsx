import { useModel, useNavigate } from '@umijs/max';
import { useRequest } from 'ahooks';
import { Form, Input, Modal, message, Switch } from 'antd';
import { labPath } from '@/components/LabCard/labFacts';
import { useIdempotencyKey } from '@/hooks/useIdempotencyKey';
import { useText } from '@/hooks/useText';
import { copyRun, type RunCopy } from '@/services/labSession';
import { showBesideField } from '../../workshop/components/labName';
import styles from './instances.less';
import type { RunQuestion } from './OutputDrawer';

interface CopyValues {
  name?: string;
  startNow?: boolean;
}

/** Makes a workshop with size, image and settings of a run; its files stay where they are. */
export function CopyDialog({ run, isOpen, onClose, onDone }: RunQuestion & { onDone: () => void }) {
  const text = useText();
  const navigate = useNavigate();
  const { refresh: refreshBalance } = useModel('balance');
  const [form] = Form.useForm<CopyValues>();
  const once = useIdempotencyKey('copyRun');
  const request = useRequest((body: RunCopy) => once(body, (key) => copyRun(body, key)), {
    manual: true,
    onSuccess: (lab) => {
      message.success(text('instances.copy.done', { name: lab.name }));
      refreshBalance();
      onClose();
      onDone();
      navigate(labPath(lab.workshopId));
    },
    // What is not about the name was shown by the request layer.
    onError: (error) => showBesideField(form, error),
  });
  const handleFinish = ({ name = '', startNow = false }: CopyValues) => {
    if (run) request.run({ sessionId: run.sessionId, ...(name.trim() === '' ? {} : { name: name.trim() }), startNow });
  };
  return (
    <Modal
      centered
      open={isOpen}
      title={text('instances.copy.title', { name: run?.workshopName ?? '' })}
      okText={text('instances.action.copy')}
      cancelText={text('workshop.cancel')}
      confirmLoading={request.loading}
      onOk={form.submit}
      onCancel={onClose}
      destroyOnHidden
    >
      <p>{text('instances.copy.text')}</p>
      <Form form={form} layout="vertical" preserve={false} onFinish={handleFinish}>
        <Form.Item name="name" label={text('workshop.create.name')} extra={text('instances.copy.name')}>
          <Input autoComplete="off" maxLength={40} placeholder={run ? `${run.workshopName} 2` : ''} />
        </Form.Item>
        <Form.Item label={text('workshop.create.startNow')}>
          <span className={styles.switch}>
            <Form.Item name="startNow" valuePropName="checked" noStyle>
              <Switch aria-label={text('workshop.create.startNow')} />
            </Form.Item>
          </span>
        </Form.Item>
      </Form>
    </Modal>
  );
}
