import { Modal } from 'antd';
import type { ReactNode } from 'react';
import type { Lab } from '@/components/LabCard/labFacts';

export interface ConfirmProps {
  lab: Lab;
  isOpen: boolean;
  /** The answer is awaited. */
  isBusy: boolean;
  onConfirm: (lab: Lab) => void;
  onCancel: () => void;
}

interface ConfirmDialogProps extends ConfirmProps {
  title: string;
  confirmWord: string;
  keepWord: string;
  children: ReactNode;
}

/** Asks before something is lost. */
export default function ConfirmDialog(props: ConfirmDialogProps) {
  const { lab, isOpen, isBusy, onConfirm, onCancel, title, confirmWord, keepWord, children } = props;
  return (
    <Modal
      centered
      open={isOpen}
      title={title}
      okText={confirmWord}
      cancelText={keepWord}
      okButtonProps={{ danger: true }}
      confirmLoading={isBusy}
      onOk={() => onConfirm(lab)}
      onCancel={onCancel}
    >
      {children}
    </Modal>
  );
}
