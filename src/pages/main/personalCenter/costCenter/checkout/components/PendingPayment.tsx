import { useNavigate } from '@umijs/max';
import { Button, Skeleton } from 'antd';
import { lazy, Suspense, useState } from 'react';
import { CopyableText } from '@/components/CopyableText';
import { CountDown } from '@/components/CountDown';
import { BringsList } from '@/components/Purchase/BringsList';
import { PriceLines } from '@/components/Purchase/PriceLines';
import { StaleNote } from '@/components/StaleNote';
import { usePollWhile } from '@/hooks/usePollWhile';
import { useText } from '@/hooks/useText';
import type { Order, Repayable } from '@/services/order';
import { ordersPath } from '@/utils/orderPaths';
import { Attempt } from './Attempt';
import styles from './choose.less';
import pay from './pay.less';

const CancelDialog = lazy(() => import('@/components/Purchase/CancelDialog'));

interface PendingPaymentProps {
  repay: { data: Repayable; error?: Error | undefined; loading: boolean; refresh: () => void };
  order: Order | undefined;
}

function isBeingPaid({ payment }: Repayable): boolean {
  return payment !== null;
}

/** An order that waits for its payment: how to pay, how long there is for it, and what it is for. */
export function PendingPayment({ repay, order }: PendingPaymentProps) {
  const text = useText();
  const navigate = useNavigate();
  const [isOver, setIsOver] = useState(false);
  const [isCancelling, setIsCancelling] = useState(false);
  const { data, error, loading, refresh } = repay;
  // The gateway closes it a moment after its time: that moment is waited for.
  usePollWhile(repay, (now) => isOver || isBeingPaid(now));
  const handleOver = () => {
    setIsOver(true);
    refresh();
  };
  return (
    <div className={styles.columns}>
      <section className={styles.card} aria-labelledby="checkout-pay">
        <div className={pay.head}>
          <h2 id="checkout-pay">{text('checkout.pay.how')}</h2>
          <p className={pay.left}>
            {text('checkout.pay.left')} <CountDown until={data.payUntil} onEnd={handleOver} />
          </p>
        </div>
        {error && <StaleNote error={error} onRetry={refresh} isRetrying={loading} />}
        {isOver ? (
          <p role="status" className={styles.note}>
            {text('checkout.pay.over')}
          </p>
        ) : (
          <Attempt repayable={data} order={order} onMoved={refresh} />
        )}
        <div className={pay.ways}>
          <Button onClick={() => navigate(ordersPath)}>{text('checkout.pay.later')}</Button>
          <Button type="text" danger disabled={!order} onClick={() => setIsCancelling(true)}>
            {text('checkout.pay.cancel')}
          </Button>
        </div>
      </section>
      <aside className={styles.summary} aria-label={text('purchase.orderNo')}>
        <CopyableText words={data.orderNo} name={text('purchase.orderNo')} />
        {order ? <Facts order={order} /> : <Skeleton active paragraph={{ rows: 5 }} />}
      </aside>
      {order && (
        <Suspense>
          <CancelDialog order={order} isOpen={isCancelling} onClose={() => setIsCancelling(false)} onChanged={refresh} />
        </Suspense>
      )}
    </div>
  );
}

function Facts({ order }: { order: Order }) {
  const text = useText();
  const { title, quantity, kind } = order;
  return (
    <div className={styles.figures}>
      <h2>
        <bdi>{kind === 'SKU' ? text('purchase.times', { title, quantity }) : title}</bdi>
      </h2>
      <BringsList brings={order.brings} />
      <PriceLines amounts={order} totalAs="purchase.payable" couponTitle={order.coupon?.title} pointsUsed={order.pointsUsed} />
    </div>
  );
}
