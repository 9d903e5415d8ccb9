import { Modal } from 'antd';
import { useText } from '@/hooks/useText';
import type { ConfirmProps } from './StopDialog';

/** Asks before a workshop is deleted, and says what is lost for good. */
export default function DeleteDialog({ lab, isOpen, isBusy, onConfirm, onCancel }: ConfirmProps) {
  const text = useText();
  return (
    <Modal
      centered
      open={isOpen}
      title={text('workshop.delete.title', { name: lab?.name ?? '' })}
      okText={text('workshop.delete.confirm')}
      cancelText={text('workshop.delete.keep')}
      okButtonProps={{ danger: true }}
      confirmLoading={isBusy}
      onOk={() => lab && onConfirm(lab)}
      onCancel={onCancel}
    >
      <p>{text('workshop.delete.text')}</p>
    </Modal>
  );
}
