import { Alert, Input, type InputRef, Modal } from 'antd';
import { useRef, useState } from 'react';
import { useText } from '@/hooks/useText';
import { isSessionLost } from '@/utils/callError';
import styles from './index.less';
import { isNameFit } from './names';

interface NameDialogProps {
  title: string;
  /** What the field holds at first. */
  name: string;
  confirmWord: string;
  /** Rejects where it did not work: the dialog stays and says why. */
  onConfirm: (name: string) => Promise<unknown>;
  onClose: () => void;
}

/** Asks for a name: of a new folder, or instead of the present one. */
export function NameDialog({ title, name: first, confirmWord, onConfirm, onClose }: NameDialogProps) {
  const text = useText();
  const field = useRef<InputRef>(null);
  const [name, setName] = useState(first);
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<Error>();
  const isFit = isNameFit(name);
  const isUnfit = name !== '' && !isFit;
  const handleConfirm = async () => {
    if (!isFit || isBusy) return;
    setIsBusy(true);
    setFailure(undefined);
    try {
      await onConfirm(name);
      onClose();
    } catch (error) {
      setFailure(error instanceof Error ? error : new Error(String(error)));
    } finally {
      setIsBusy(false);
    }
  };
  // Renaming begins with the name itself marked, not its ending.
  const handleOpened = (isShown: boolean) => {
    if (!isShown) return;
    field.current?.focus();
    const dot = first.lastIndexOf('.');
    field.current?.setSelectionRange(0, dot > 0 ? dot : first.length);
  };
  return (
    <Modal
      open
      centered
      title={title}
      okText={confirmWord}
      cancelText={text('files.cancel')}
      okButtonProps={{ disabled: !isFit || name === first, loading: isBusy }}
      onOk={handleConfirm}
      onCancel={() => isBusy || onClose()}
      afterOpenChange={handleOpened}
    >
      <div className={styles.nameField}>
        <label htmlFor="file-name">{text('files.name')}</label>
        <Input
          ref={field}
          id="file-name"
          value={name}
          autoComplete="off"
          spellCheck={false}
          status={isUnfit ? 'error' : ''}
          aria-invalid={isUnfit}
          aria-describedby="file-name-help"
          onChange={({ target }) => setName(target.value)}
          onPressEnter={handleConfirm}
        />
        <p id="file-name-help" role="status">
          {isUnfit && text('files.name.unfit')}
        </p>
      </div>
      {failure && !isSessionLost(failure) && <Alert type="error" showIcon message={failure.message} />}
    </Modal>
  );
}
