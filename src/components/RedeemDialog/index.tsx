import { type InputRef, Modal } from 'antd';
import { useRef, useState } from 'react';
import { useText } from '@/hooks/useText';
import type { Redeemed } from '@/services/coupon';
import { CodeForm } from './CodeForm';
import { RedeemedNote } from './RedeemedNote';

interface RedeemDialogProps {
  /** Something came of it: what the page shows is asked for anew. */
  onRedeemed: () => void;
  onClose: () => void;
}

/** Activate Rights: a code for a coupon, DCU or days of a level. `RedeemButton` opens it. */
export default function RedeemDialog({ onRedeemed, onClose }: RedeemDialogProps) {
  const text = useText();
  const field = useRef<InputRef>(null);
  const [isOpen, setIsOpen] = useState(true);
  const [redeemed, setRedeemed] = useState<Redeemed>();
  const handleRedeemed = (what: Redeemed) => {
    setRedeemed(what);
    onRedeemed();
  };
  return (
    <Modal
      centered
      width={440}
      open={isOpen}
      title={text('redeem.title')}
      footer={null}
      closable={{ 'aria-label': text('redeem.close') }}
      onCancel={() => setIsOpen(false)}
      // The dialog takes the focus as it opens; a field that took it before would lose it again.
      afterOpenChange={(isShown) => (isShown ? field.current?.focus() : onClose())}
    >
      {redeemed ? (
        <RedeemedNote redeemed={redeemed} onAnother={() => setRedeemed(undefined)} />
      ) : (
        <CodeForm field={field} onRedeemed={handleRedeemed} />
      )}
    </Modal>
  );
}
