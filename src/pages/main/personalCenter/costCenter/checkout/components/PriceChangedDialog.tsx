import { Button, Modal } from 'antd';
import { useText } from '@/hooks/useText';
import { formatMoney } from '@/utils/formatMoney';
import type { PriceChange } from './usePlace';

interface PriceChangedDialogProps {
  change: PriceChange;
  isPlacing: boolean;
  onAccept: () => void;
  onDecline: () => void;
}

/** It costs something else now: both amounts, and nothing happens without a yes. */
export default function PriceChangedDialog({ change, isPlacing, onAccept, onDecline }: PriceChangedDialogProps) {
  const text = useText();
  const old = formatMoney(change.old.expectedPayableFen);
  const next = formatMoney(change.next.expectedPayableFen);
  const buttons = (
    <>
      <Button autoFocus disabled={isPlacing} onClick={onDecline}>
        {text('checkout.changed.back')}
      </Button>
      <Button type="primary" data-track="accept-price" loading={isPlacing} onClick={onAccept}>
        {text('checkout.changed.confirm', { new: next })}
      </Button>
    </>
  );
  return (
    <Modal open centered title={text('checkout.changed.title')} footer={buttons} onCancel={() => isPlacing || onDecline()}>
      <p>{text('checkout.changed.text', { old, new: next })}</p>
    </Modal>
  );
}
