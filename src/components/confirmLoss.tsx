import { Modal } from 'antd';
import type { ReactNode } from 'react';

interface Loss {
  title: string;
  /** What is lost, in a sentence. */
  loss: ReactNode;
  /** The verb and the thing. */
  okText: string;
  cancelText: string;
  /** The dialog stays open, with a busy button, until this is done; a failure leaves it open. */
  onConfirm: () => Promise<unknown>;
}

/** Asks once before something is lost; the way back has the focus. */
export function confirmLoss({ title, loss, okText, cancelText, onConfirm }: Loss): void {
  Modal.confirm({
    title,
    content: loss,
    okText,
    cancelText,
    okButtonProps: { danger: true },
    autoFocusButton: 'cancel',
    centered: true,
    icon: null,
    onOk: onConfirm,
  });
}
