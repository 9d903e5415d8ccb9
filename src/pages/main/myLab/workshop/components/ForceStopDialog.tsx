import { ConfirmDialog } from '@/components/ConfirmDialog';
import { useText } from '@/hooks/useText';
import type { LabQuestionProps } from './LabDialogs';

/** Asks before a lab is ended without grace, and says what may be lost that an ordinary stop would spare. */
export default function ForceStopDialog({ lab, ...question }: LabQuestionProps) {
  const text = useText();
  const isStopping = lab.state === 'STOPPING';
  return (
    <ConfirmDialog
      {...question}
      title={text('life.force.title', { name: lab.name })}
      confirmWord={text('workshop.action.forceStop')}
      keepWord={text(isStopping ? 'life.force.wait' : 'workshop.stop.keep')}
    >
      <p>{text('life.force.lost')}</p>
      <p>{text('life.force.kept')}</p>
    </ConfirmDialog>
  );
}
