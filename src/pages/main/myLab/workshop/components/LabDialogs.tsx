import type { Lab } from '@/components/LabCard/labFacts';
import type { ConfirmProps } from './ConfirmDialog';
import DeleteDialog from './DeleteDialog';
import RenameDialog from './RenameDialog';
import StopDialog from './StopDialog';

export type Question = 'stop' | 'delete' | 'rename';

interface LabDialogsProps extends Omit<ConfirmProps, 'onConfirm'> {
  question: Question;
  onConfirm: (lab: Lab, action: 'stop' | 'delete') => void;
  onRenamed: (lab: Lab) => void;
}

/** The questions a lab's buttons ask, loaded with the first of them. */
export default function LabDialogs({ question, isOpen, onConfirm, onRenamed, ...shared }: LabDialogsProps) {
  return (
    <>
      <StopDialog {...shared} isOpen={isOpen && question === 'stop'} onConfirm={(lab) => onConfirm(lab, 'stop')} />
      <DeleteDialog {...shared} isOpen={isOpen && question === 'delete'} onConfirm={(lab) => onConfirm(lab, 'delete')} />
      <RenameDialog lab={isOpen && question === 'rename' ? shared.lab : null} onCancel={shared.onCancel} onDone={onRenamed} />
    </>
  );
}
