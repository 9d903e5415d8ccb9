import { useNavigate } from '@umijs/max';
import { useRequest } from 'ahooks';
import { Alert, Form, Input, Modal, message, Skeleton } from 'antd';
import { withWords } from '@/components/withWords';
import { useIdempotencyKey } from '@/hooks/useIdempotencyKey';
import { useText } from '@/hooks/useText';
import imageEn from '@/locales/en-US/image';
import imageZh from '@/locales/zh-CN/image';
import { getOwnImages, type OwnImages, saveImage } from '@/services/labImage';
import { isCallError } from '@/utils/callError';
import { errorCodes } from '@/utils/errorCodes';
import type { Text } from '@/utils/words';
import type { Lab } from '../LabCard/labFacts';

interface SaveImageDialogProps {
  lab: Lab;
  isOpen: boolean;
  onDone: () => void;
  onCancel: () => void;
}

interface Values {
  name: string;
  tag: string;
  description?: string;
}

const TAG = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}$/;

/** The first of v1, v2, … that this name does not have yet. */
function freeTag(name: string, list: OwnImages['list']): string {
  const taken = new Set(list.filter((image) => image.name.toLowerCase() === name.toLowerCase()).map(({ tag }) => tag));
  let number = 1;
  while (taken.has(`v${number}`)) number += 1;
  return `v${number}`;
}

function whatIsSaved({ saves }: OwnImages, text: Text): string {
  if (saves === null) return text('image.save.silent');
  return text(`image.save.${saves}`);
}

/** Saves a workshop as an image: says first what of it is kept, and goes on behind the page. */
function SaveImageDialog({ lab, isOpen, onDone, onCancel }: SaveImageDialogProps) {
  const text = useText();
  const navigate = useNavigate();
  const [form] = Form.useForm<Values>();
  const once = useIdempotencyKey('saveImage');
  const own = useRequest(getOwnImages, { ready: isOpen, refreshDeps: [isOpen], onError: () => undefined });
  const save = useRequest(
    ({ name, tag, description = '' }: Values) => {
      const body = { workshopId: lab.workshopId, name: name.trim(), tag, description: description.trim() };
      return once(body, (key) => saveImage(body, key));
    },
    {
      manual: true,
      onSuccess: ({ name, tag }) => {
        message.success(text('image.save.begun', { name: `${name}:${tag}` }));
        onDone();
        navigate('/main/myLab/images?tab=mine');
      },
      onError: (error) => {
        if (isCallError(error, errorCodes.IMAGE_NAME_TAKEN)) form.setFields([{ name: 'name', errors: [error.message] }]);
      },
    },
  );
  const isKnown = own.data?.saves === 'home' || own.data?.saves === 'rootfs';
  const isShownBeside = isCallError(save.error, errorCodes.IMAGE_NAME_TAKEN);
  return (
    <Modal
      centered
      open={isOpen}
      title={text('image.save.title', { name: lab.name })}
      okText={text('image.save.submit')}
      cancelText={text('image.save.cancel')}
      confirmLoading={save.loading}
      okButtonProps={{ disabled: !isKnown }}
      onOk={form.submit}
      onCancel={onCancel}
      destroyOnHidden
    >
      {own.error && <Alert type="error" showIcon message={own.error.message} />}
      {!own.data && !own.error && <Skeleton active />}
      {own.data && (
        <>
          <p>{whatIsSaved(own.data, text)}</p>
          {isKnown && lab.state === 'RUNNING' && <p>{text('image.save.running')}</p>}
        </>
      )}
      {own.data && isKnown && (
        <Form
          form={form}
          layout="vertical"
          preserve={false}
          requiredMark={false}
          initialValues={{ name: lab.name, tag: freeTag(lab.name, own.data.list) }}
          onFinish={save.run}
        >
          <Form.Item name="name" label={text('image.save.name')} rules={[{ required: true, whitespace: true }, { max: 40 }]}>
            <Input autoComplete="off" maxLength={40} />
          </Form.Item>
          <Form.Item
            name="tag"
            label={text('image.save.tag')}
            extra={text('image.save.tag.extra')}
            rules={[{ required: true, pattern: TAG, message: text('image.save.tag.wrong') }]}
          >
            <Input autoComplete="off" maxLength={64} dir="ltr" />
          </Form.Item>
          <Form.Item name="description" label={text('image.save.description')}>
            <Input.TextArea maxLength={500} rows={3} />
          </Form.Item>
        </Form>
      )}
      {save.error && !isShownBeside && <Alert type="error" showIcon message={save.error.message} />}
    </Modal>
  );
}

export default withWords(SaveImageDialog, { 'en-US': imageEn, 'zh-CN': imageZh });
