import { useModel } from '@umijs/max';
import { useRequest } from 'ahooks';
import { Skeleton } from 'antd';
import { useEffect } from 'react';
import { CopyableText } from '@/components/CopyableText';
import { ErrorState } from '@/components/ErrorState';
import { BringsList } from '@/components/Purchase/BringsList';
import { usePollWhile } from '@/hooks/usePollWhile';
import { useText } from '@/hooks/useText';
import { getOrder, type Order } from '@/services/order';
import { isCallError } from '@/utils/callError';
import { errorCodes } from '@/utils/errorCodes';
import { formatMoney } from '@/utils/formatMoney';
import { formatNumber } from '@/utils/formatNumber';
import { membershipPath, orderPath, ordersPath, payPath } from '@/utils/orderPaths';
import { Outcome } from './Outcome';
import styles from './outcome.less';
import { PlainOutcome } from './PlainOutcome';

interface OrderOutcomeProps {
  orderId: string;
  next: string | null;
}

function isUnpaid({ state }: Order): boolean {
  return state === 'PENDING';
}

/** How an order stands: whoever comes back from the cashier may be faster than the provider's word. */
export function OrderOutcome({ orderId, next }: OrderOutcomeProps) {
  const request = useRequest(() => getOrder(orderId), { onError: () => undefined });
  const { data: order, error, loading, refresh } = request;
  usePollWhile(request, isUnpaid);
  if (isCallError(error, errorCodes.NOT_FOUND)) return <PlainOutcome what={null} next={next} />;
  if (error && !order) return <ErrorState error={error} onRetry={refresh} isRetrying={loading} />;
  if (!order) return <Skeleton active paragraph={{ rows: 6 }} />;
  const toOrder = { word: 'success.toOrder', path: orderPath(orderId) } as const;
  switch (order.state) {
    case 'FULFILLED':
      return <Fulfilled order={order} next={next} />;
    case 'PENDING':
      return <Outcome isDone={false} tale="waiting" ways={[{ word: 'success.waiting.pay', path: payPath(orderId) }, toOrder]} />;
    case 'CANCELLED':
    case 'EXPIRED':
      return <Outcome isDone={false} tale="ended" ways={[toOrder]} />;
    default:
      return <Outcome isDone={false} tale="refunded" ways={[toOrder]} />;
  }
}

function Fulfilled({ order, next }: { order: Order; next: string | null }) {
  const text = useText();
  const { remainDcu, refresh: refreshBalance } = useModel('balance');
  const { refreshUser } = useModel('session');
  // Seen paid for the first time: what the frame shows of balance and level is from before.
  useEffect(() => {
    refreshBalance();
    refreshUser().catch(() => undefined);
  }, [refreshBalance, refreshUser]);
  const toMembership = { word: 'success.toMembership', path: membershipPath } as const;
  return (
    <Outcome
      tale={order.payableFen > 0 ? 'paid' : 'free'}
      ways={[
        { word: 'success.toLab', path: '/main/myLab/workshop' },
        ...(order.brings.package ? [toMembership] : []),
        { word: 'purchase.toOrders', path: ordersPath },
      ]}
      next={next}
    >
      <div className={styles.facts}>
        <BringsList brings={order.brings} />
        <ul>
          <li aria-live="polite">{text('success.balance', { balance: formatNumber(remainDcu) })}</li>
          {order.payableFen > 0 && <li>{text('success.total', { amount: formatMoney(order.payableFen) })}</li>}
          {order.pointsEarned > 0 && <li>{text('success.earned', { points: order.pointsEarned })}</li>}
        </ul>
        <CopyableText words={order.orderNo} name={text('purchase.orderNo')} />
      </div>
    </Outcome>
  );
}
