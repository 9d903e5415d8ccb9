import { useIdempotencyKey } from '@/hooks/useIdempotencyKey';
import { useText } from '@/hooks/useText';
import { cancelOrder, type Order } from '@/services/order';
import { isCallError } from '@/utils/callError';
import { errorCodes } from '@/utils/errorCodes';
import { ConfirmDialog } from '../ConfirmDialog';

interface CancelDialogProps {
  order: Pick<Order, 'orderId' | 'title'>;
  isOpen: boolean;
  onClose: () => void;
  /** It is another order now: cancelled, or paid a moment before. */
  onChanged: () => void;
}

/** Asks before an unpaid order is cancelled, and says what comes back. */
export default function CancelDialog({ order, isOpen, onClose, onChanged }: CancelDialogProps) {
  const text = useText();
  const once = useIdempotencyKey('cancelOrder');
  const handleConfirm = async () => {
    try {
      await once(order.orderId, (key) => cancelOrder(order.orderId, key));
      onClose();
      onChanged();
    } catch (error) {
      // It was paid or ran out meanwhile: the dialog says so, and behind it stands what is.
      if (isCallError(error, errorCodes.ORDER_STATE_CONFLICT)) onChanged();
      throw error;
    }
  };
  return (
    <ConfirmDialog
      isOpen={isOpen}
      title={text('purchase.cancel.title', { title: order.title })}
      confirmWord={text('purchase.cancel.confirm')}
      keepWord={text('purchase.cancel.keep')}
      onConfirm={handleConfirm}
      onCancel={onClose}
    >
      <p>{text('purchase.cancel.text')}</p>
    </ConfirmDialog>
  );
}
