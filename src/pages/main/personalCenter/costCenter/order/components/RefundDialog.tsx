import { useRequest } from 'ahooks';
import { Input, message, Skeleton } from 'antd';
import { useId, useState } from 'react';
import { ConfirmDialog } from '@/components/ConfirmDialog';
import { ErrorState } from '@/components/ErrorState';
import { useIdempotencyKey } from '@/hooks/useIdempotencyKey';
import { useText } from '@/hooks/useText';
import { getRefundQuote, type OrderRow, type RefundQuote, refundOrder } from '@/services/order';
import { isCallError } from '@/utils/callError';
import { errorCodes } from '@/utils/errorCodes';
import { formatMoney } from '@/utils/formatMoney';
import { formatNumber } from '@/utils/formatNumber';
import type { Text } from '@/utils/words';
import styles from './order.less';

const MOST_LETTERS = 200;

interface RefundDialogProps {
  order: OrderRow;
  isOpen: boolean;
  onClose: () => void;
  onChanged: () => void;
}

/** Asks before what is unused of an order is given back: what comes back and what goes stand there first. */
export default function RefundDialog({ order, isOpen, onClose, onChanged }: RefundDialogProps) {
  const text = useText();
  const once = useIdempotencyKey('refundOrder');
  const [reason, setReason] = useState('');
  const [hasChanged, setHasChanged] = useState(false);
  const {
    data: quote,
    error,
    loading,
    refresh,
  } = useRequest(() => getRefundQuote(order.orderId), {
    ready: isOpen,
    onError: () => undefined,
  });
  const isPossible = quote?.isPossible === true && !loading;

  const handleConfirm = async () => {
    if (!quote) return;
    const words = reason.trim();
    const asked = { orderId: order.orderId, expectedRefundFen: quote.refundFen, ...(words ? { reason: words } : {}) };
    try {
      await once(asked, (key) => refundOrder(asked, key));
    } catch (failure) {
      // Shown anew, the question says what it is now, or why there is nothing any more.
      const isOther = isCallError(failure, errorCodes.PRICE_CHANGED) || isCallError(failure, errorCodes.NOTHING_TO_REFUND);
      setHasChanged(isOther);
      if (isOther) return refresh();
      throw failure;
    }
    message.success(text('order.refundDialog.done'));
    onClose();
    onChanged();
  };
  return (
    <ConfirmDialog
      isOpen={isOpen}
      title={text('order.refundDialog.title', { title: order.title })}
      confirmWord={
        quote && quote.refundFen > 0
          ? text('order.refundDialog.confirm', { amount: formatMoney(quote.refundFen) })
          : text('order.refundDialog.confirm.none')
      }
      keepWord={text('order.refundDialog.keep')}
      isConfirmable={isPossible}
      onConfirm={handleConfirm}
      onCancel={onClose}
    >
      {error && !quote ? (
        <ErrorState error={error} onRetry={refresh} isRetrying={loading} />
      ) : !quote ? (
        <Skeleton active paragraph={{ rows: 4 }} />
      ) : !quote.isPossible ? (
        <p role="status">{text(quote.cause ? `order.refundDialog.nothing.${quote.cause}` : 'order.refundDialog.nothing')}</p>
      ) : (
        <>
          {hasChanged && (
            <p role="status" className={styles.changed}>
              {text('order.refundDialog.changed')}
            </p>
          )}
          <Exchange quote={quote} />
          <Reason value={reason} onChange={setReason} />
        </>
      )}
    </ConfirmDialog>
  );
}

/** What comes back and what goes, a line each. */
function linesOf(quote: RefundQuote, text: Text): { comes: string[]; goes: string[] } {
  const some = (lines: (string | false)[]) => lines.filter((line) => line !== false);
  return {
    comes: some([
      quote.refundFen > 0 && text('order.refundDialog.money', { amount: formatMoney(quote.refundFen) }),
      quote.returnedPoints > 0 && text('order.refundDialog.points', { points: quote.returnedPoints }),
      quote.returnsCoupon && text('order.refundDialog.coupon'),
    ]),
    goes: some([
      quote.endsPackage && text('order.refundDialog.package'),
      quote.withdrawnDcu > 0 && text('order.refundDialog.dcu', { dcu: formatNumber(quote.withdrawnDcu) }),
      quote.withdrawnPoints > 0 && text('order.refundDialog.earned', { points: quote.withdrawnPoints }),
    ]),
  };
}

function Exchange({ quote }: { quote: RefundQuote }) {
  const text = useText();
  const { comes, goes } = linesOf(quote, text);
  return (
    <>
      <dl className={styles.exchange}>
        <dt>{text('order.refundDialog.comes')}</dt>
        {comes.map((line) => (
          <dd key={line}>{line}</dd>
        ))}
        <dt>{text('order.refundDialog.goes')}</dt>
        {goes.map((line) => (
          <dd key={line}>{line}</dd>
        ))}
      </dl>
      {quote.forfeitedFen > 0 && (
        <p className={styles.changed}>{text('order.refundDialog.forfeited', { amount: formatMoney(quote.forfeitedFen) })}</p>
      )}
      {quote.spentPointsFen > 0 && <p>{text('order.refundDialog.spent', { amount: formatMoney(quote.spentPointsFen) })}</p>}
      <p className={styles.hint}>{text('order.refundDialog.final')}</p>
    </>
  );
}

function Reason({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const text = useText();
  const id = useId();
  return (
    <p className={styles.reason}>
      <label htmlFor={id}>{text('order.refundDialog.reason')}</label>
      <Input.TextArea id={id} rows={2} maxLength={MOST_LETTERS} value={value} onChange={({ target }) => onChange(target.value)} />
    </p>
  );
}
