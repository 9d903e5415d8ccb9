import type { Lab } from '@/components/LabCard/labFacts';
import SaveImageDialog from '@/components/SaveImageDialog';
import { withWords } from '@/components/withWords';
import lifeEn from '@/locales/en-US/workshopLife';
import lifeZh from '@/locales/zh-CN/workshopLife';
import DeleteDialog from './DeleteDialog';
import ExtendDialog from './ExtendDialog';
import ForceStopDialog from './ForceStopDialog';
import RenameDialog from './RenameDialog';
import StopDialog from './StopDialog';

export type Question = 'stop' | 'forceStop' | 'extend' | 'delete' | 'rename' | 'saveImage';
type Loss = 'stop' | 'forceStop' | 'delete';

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
  onConfirm: (lab: Lab, action: Loss) => Promise<unknown>;
  /** Renamed or extended: the workshop as it is now. */
  onChanged: (lab: Lab) => void;
  onCancel: () => void;
}

/** The questions a lab's buttons ask, loaded with the first of them. */
function LabDialogs({ lab, question, isOpen, onConfirm, onChanged, onCancel }: LabDialogsProps) {
  const propsOf = (asked: Loss): LabQuestionProps => ({
    lab,
    isOpen: isOpen && question === asked,
    onConfirm: () => onConfirm(lab, asked),
    onCancel,
  });
  return (
    <>
      <StopDialog {...propsOf('stop')} />
      <ForceStopDialog {...propsOf('forceStop')} />
      <DeleteDialog {...propsOf('delete')} />
      <ExtendDialog lab={lab} isOpen={isOpen && question === 'extend'} onCancel={onCancel} onDone={onChanged} />
      <SaveImageDialog lab={lab} isOpen={isOpen && question === 'saveImage'} onCancel={onCancel} onDone={onCancel} />
      <RenameDialog lab={isOpen && question === 'rename' ? lab : null} onCancel={onCancel} onDone={onChanged} />
    </>
  );
}

export default withWords(LabDialogs, { 'en-US': lifeEn, 'zh-CN': lifeZh });
