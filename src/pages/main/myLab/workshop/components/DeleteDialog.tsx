import { useText } from '@/hooks/useText';
import ConfirmDialog, { type ConfirmProps } from './ConfirmDialog';

/** Asks before a workshop is deleted, and says what is lost for good. */
export default function DeleteDialog(props: ConfirmProps) {
  const text = useText();
  return (
    <ConfirmDialog
      {...props}
      title={text('workshop.delete.title', { name: props.lab.name })}
      confirmWord={text('workshop.delete.confirm')}
      keepWord={text('workshop.delete.keep')}
    >
      <p>{text('workshop.delete.text')}</p>
    </ConfirmDialog>
  );
}
