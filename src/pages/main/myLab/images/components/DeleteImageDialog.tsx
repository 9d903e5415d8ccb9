import { message } from 'antd';
import { ConfirmDialog } from '@/components/ConfirmDialog';
import { useText } from '@/hooks/useText';
import { deleteImage, type LabImage } from '@/services/labImage';
import { calledOf } from './imageFacts';

interface DeleteImageDialogProps {
  image: LabImage;
  isOpen: boolean;
  onDone: () => void;
  onCancel: () => void;
}

export function DeleteImageDialog({ image, isOpen, onDone, onCancel }: DeleteImageDialogProps) {
  const text = useText();
  const name = calledOf(image);
  const handleConfirm = async () => {
    await deleteImage(image.imageId);
    message.success(text('image.deleted', { name }));
    onDone();
  };
  return (
    <ConfirmDialog
      isOpen={isOpen}
      title={text('image.delete.title', { name })}
      confirmWord={text('image.delete.confirm')}
      keepWord={text('image.keep')}
      onConfirm={handleConfirm}
      onCancel={onCancel}
    >
      <p>{text('image.delete.words')}</p>
    </ConfirmDialog>
  );
}
