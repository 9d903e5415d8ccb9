import { Link, useModel, useNavigate } from '@umijs/max';
import { useRequest } from 'ahooks';
import { Button, Skeleton } from 'antd';
import { useEffect } from 'react';
import { EmptyState } from '@/components/EmptyState';
import { ErrorState } from '@/components/ErrorState';
import { PageHeading } from '@/components/PageHeading';
import { useText } from '@/hooks/useText';
import { getOrder, getRepayable, type Order, type Repayable } from '@/services/order';
import { isCallError } from '@/utils/callError';
import { errorCodes } from '@/utils/errorCodes';
import { checkoutPath, membershipPath, orderPath, ordersPath, successPath } from '@/utils/orderPaths';
import { PendingPayment } from './PendingPayment';

/** Paying one order: it can be left, reloaded and come back to, since all it shows is what the gateway knows. */
export default function Pay({ orderId }: { orderId: string }) {
  const text = useText();
  const repay = useRequest(() => getRepayable(orderId), { onError: () => undefined });
  const { data, error } = repay;
  // What is bought and how earlier attempts ended: asked for again whenever the short answer says that something moved.
  const order = useRequest(() => getOrder(orderId), {
    ready: data !== undefined,
    refreshDeps: [data?.state, data?.payment?.paymentId, data?.payment?.state],
    onError: () => undefined,
  });
  if (isCallError(error, errorCodes.NOT_FOUND)) return <Gone />;
  if (error && !data) return <ErrorState error={error} onRetry={repay.refresh} isRetrying={repay.loading} />;
  if (!data) return <Skeleton active paragraph={{ rows: 6 }} />;
  if (data.state === 'FULFILLED') return <Paid orderId={orderId} />;
  return (
    <>
      <PageHeading title={text('checkout.pay.title')} />
      {data.state === 'PENDING' ? (
        <PendingPayment repay={{ ...repay, data }} order={order.data} />
      ) : (
        <Ended repayable={data} order={order.data} />
      )}
    </>
  );
}

/** Paid, here or elsewhere: balance and level are no longer what they were. */
function Paid({ orderId }: { orderId: string }) {
  const navigate = useNavigate();
  const { refresh: refreshBalance } = useModel('balance');
  const { refreshUser } = useModel('session');
  useEffect(() => {
    refreshBalance();
    refreshUser().catch(() => undefined);
    navigate(successPath(orderId), { replace: true });
  }, [navigate, refreshBalance, refreshUser, orderId]);
  return <Skeleton active paragraph={{ rows: 6 }} />;
}

function Ended({ repayable, order }: { repayable: Repayable; order: Order | undefined }) {
  const text = useText();
  const navigate = useNavigate();
  const { state, orderId } = repayable;
  if (state !== 'CANCELLED' && state !== 'EXPIRED') {
    const action = <Link to={orderPath(orderId)}>{text('purchase.toOrders')}</Link>;
    return <EmptyState drawing="ledger" words={text('checkout.end.other.title')} action={action} />;
  }
  const shelf = order?.kind === 'PACKAGE' ? membershipPath : checkoutPath;
  return (
    <EmptyState
      drawing="ledger"
      title={text(`checkout.end.${state}.title`)}
      words={`${text('checkout.end.released')} ${text('checkout.end.late')}`}
      action={
        <Button type="primary" onClick={() => navigate(shelf)}>
          {text('checkout.end.again')}
        </Button>
      }
    />
  );
}

function Gone() {
  const text = useText();
  const action = <Link to={ordersPath}>{text('purchase.toOrders')}</Link>;
  return <EmptyState drawing="map" title={text('checkout.gone.title')} words={text('checkout.gone.text')} action={action} />;
}
