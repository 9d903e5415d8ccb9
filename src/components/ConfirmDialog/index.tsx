import { Alert, Button, Modal } from 'antd';
import { type ReactNode, useRef, useState } from 'react';
import { isSessionLost } from '@/utils/callError';

interface ConfirmDialogProps {
  isOpen: boolean;
  /** The question, with the name of what it is about. */
  title: string;
  /** What is lost, and what stays. */
  children: ReactNode;
  /** The verb and the thing: "Delete workshop". */
  confirmWord: string;
  /** What happens otherwise: "Keep it". */
  keepWord: string;
  /** False while what it would do is not known yet, or is nothing. */
  isConfirmable?: boolean;
  /** Rejects where it did not work: the dialog stays and says why, so the call itself must be silent. */
  onConfirm: () => Promise<unknown>;
  onCancel: () => void;
}

/**
 * Asks once before something is lost: stop, delete, sign out everywhere. The safe button has the focus, Esc is the same as
 * it; once said yes, neither takes it back. Whoever asks closes the dialog when it worked.
 */
export function ConfirmDialog({ isOpen, title, children, confirmWord, keepWord, ...asked }: ConfirmDialogProps) {
  const { isConfirmable = true, onConfirm, onCancel } = asked;
  const safe = useRef<HTMLButtonElement>(null);
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<Error>();
  const handleConfirm = async () => {
    setIsBusy(true);
    setFailure(undefined);
    try {
      await onConfirm();
    } catch (error) {
      setFailure(error instanceof Error ? error : new Error(String(error)));
    } finally {
      setIsBusy(false);
    }
  };
  // Who was faster than the dialog and is writing already goes on writing.
  const handleOpened = (isShown: boolean) => {
    if (isShown && !document.activeElement?.matches('input, textarea')) safe.current?.focus();
  };
  const buttons = (
    <>
      <Button ref={safe} disabled={isBusy} onClick={onCancel}>
        {keepWord}
      </Button>
      <Button danger type="primary" disabled={!isConfirmable} loading={isBusy} onClick={handleConfirm}>
        {confirmWord}
      </Button>
    </>
  );
  return (
    <Modal
      centered
      open={isOpen}
      title={title}
      footer={buttons}
      onCancel={() => isBusy || onCancel()}
      afterOpenChange={handleOpened}
      afterClose={() => setFailure(undefined)}
    >
      {children}
      {failure && !isSessionLost(failure) && <Alert type="error" showIcon message={failure.message} />}
    </Modal>
  );
}
