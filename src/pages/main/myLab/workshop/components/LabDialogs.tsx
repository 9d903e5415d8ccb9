import type { Lab } from '@/components/LabCard/labFacts';
import DeleteDialog from './DeleteDialog';
import RenameDialog from './RenameDialog';
import StopDialog from './StopDialog';

export type Question = 'stop' | 'delete' | 'rename';

export interface LabQuestionProps {
  lab: Lab;
  isOpen: boolean;
  onConfirm: () => Promise<unknown>;
  onCancel: () => void;
}

interface LabDialogsProps {
  lab: Lab;
  question: Question;
  isOpen: boolean;
  onConfirm: (lab: Lab, action: 'stop' | 'delete') => Promise<unknown>;
  onRenamed: (lab: Lab) => void;
  onCancel: () => void;
}

/** The questions a lab's buttons ask, loaded with the first of them. */
export default function LabDialogs({ lab, question, isOpen, onConfirm, onRenamed, onCancel }: LabDialogsProps) {
  const propsOf = (asked: 'stop' | 'delete'): LabQuestionProps => ({
    lab,
    isOpen: isOpen && question === asked,
    onConfirm: () => onConfirm(lab, asked),
    onCancel,
  });
  return (
    <>
      <StopDialog {...propsOf('stop')} />
      <DeleteDialog {...propsOf('delete')} />
      <RenameDialog lab={isOpen && question === 'rename' ? lab : null} onCancel={onCancel} onDone={onRenamed} />
    </>
  );
}
