import { ConfirmDialog } from '@/components/ConfirmDialog';
import { useText } from '@/hooks/useText';
import type { LabQuestionProps } from './LabDialogs';

/** Asks before a workshop is deleted, and says what is lost for good. */
export default function DeleteDialog({ lab, ...question }: LabQuestionProps) {
  const text = useText();
  return (
    <ConfirmDialog
      {...question}
      title={text('workshop.delete.title', { name: lab.name })}
      confirmWord={text('workshop.delete.confirm')}
      keepWord={text('workshop.delete.keep')}
    >
      <p>{text('workshop.delete.text')}</p>
    </ConfirmDialog>
  );
}
