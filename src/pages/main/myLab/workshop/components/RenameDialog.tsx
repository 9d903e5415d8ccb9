import { useRequest } from 'ahooks';
import { Form, Input, type InputRef, Modal } from 'antd';
import { useRef } from 'react';
import type { Lab } from '@/components/LabCard/labFacts';
import { useText } from '@/hooks/useText';
import { updateWorkshop } from '@/services/workshop';
import { nameRules, showBesideField } from './labName';

interface RenameDialogProps {
  lab: Lab | null;
  onDone: (lab: Lab) => void;
  onCancel: () => void;
}

/** Gives a workshop another name. */
export default function RenameDialog({ lab, onDone, onCancel }: RenameDialogProps) {
  const text = useText();
  const field = useRef<InputRef>(null);
  const [form] = Form.useForm<{ name: string }>();
  const rename = useRequest((workshopId: string, name: string) => updateWorkshop({ workshopId, name }), {
    manual: true,
    onSuccess: onDone,
    // What is not about the name was shown by the request layer.
    onError: (error) => showBesideField(form, error),
  });
  return (
    <Modal
      centered
      open={lab !== null}
      title={text('workshop.change.title', { name: lab?.name ?? '' })}
      okText={text('workshop.save')}
      cancelText={text('workshop.cancel')}
      confirmLoading={rename.loading}
      onOk={form.submit}
      onCancel={onCancel}
      // The dialog takes the focus as it opens; a field that took it before would lose it again.
      afterOpenChange={(isOpen) => isOpen && field.current?.focus({ cursor: 'all' })}
      destroyOnHidden
    >
      <Form
        form={form}
        layout="vertical"
        preserve={false}
        initialValues={{ name: lab?.name }}
        onFinish={({ name }) => lab && rename.run(lab.workshopId, name.trim())}
      >
        <Form.Item name="name" label={text('workshop.create.name')} rules={nameRules(text)}>
          <Input ref={field} autoComplete="off" maxLength={80} />
        </Form.Item>
      </Form>
    </Modal>
  );
}
