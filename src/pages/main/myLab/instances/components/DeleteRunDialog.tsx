import { message } from 'antd';
import { ConfirmDialog } from '@/components/ConfirmDialog';
import { useText } from '@/hooks/useText';
import { deleteRun } from '@/services/labSession';
import { isCallError } from '@/utils/callError';
import { errors } from '../../../../../../gateway/contract/errors';
import type { RunQuestion } from './OutputDrawer';

/** Asks before a run is taken out of the list: what it printed goes, what it cost stays on the bill. */
export function DeleteRunDialog({ run, isOpen, onClose, onDone }: RunQuestion & { onDone: () => void }) {
  const text = useText();
  const handleConfirm = async () => {
    if (!run) return;
    try {
      await deleteRun(run.sessionId);
    } catch (error) {
      // Gone already: that is what was asked for.
      if (!isCallError(error, errors.NOT_FOUND.code)) throw error;
    }
    message.success(text('instances.delete.done'));
    onClose();
    onDone();
  };
  return (
    <ConfirmDialog
      isOpen={isOpen}
      title={text('instances.delete.title', { name: run?.workshopName ?? '' })}
      confirmWord={text('instances.action.delete')}
      keepWord={text('instances.delete.keep')}
      onConfirm={handleConfirm}
      onCancel={onClose}
    >
      <p>{text('instances.delete.text')}</p>
    </ConfirmDialog>
  );
}
