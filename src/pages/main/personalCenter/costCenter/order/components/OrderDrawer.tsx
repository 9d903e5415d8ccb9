import { useRequest } from 'ahooks';
import { Drawer, Skeleton } from 'antd';
import { useState } from 'react';
import { ErrorState } from '@/components/ErrorState';
import { StaleNote } from '@/components/StaleNote';
import { usePollWhile } from '@/hooks/usePollWhile';
import { useText } from '@/hooks/useText';
import { getOrder, type Order } from '@/services/order';
import { isCallError } from '@/utils/callError';
import { errorCodes } from '@/utils/errorCodes';
import { currentDirection } from '@/utils/language';
import { OrderButtons } from './OrderButtons';
import { OrderDetail } from './OrderDetail';
import type { OnOrderAction } from './useOrderActions';

interface OrderDrawerProps {
  orderId: string;
  /** Moves when something was done about an order. */
  version: number;
  onAction: OnOrderAction;
  onClose: () => void;
}

function isMoving({ state }: Order): boolean {
  return state === 'PENDING' || state === 'REFUNDING';
}

/** One order with all there is to know about it. */
export default function OrderDrawer({ orderId, version, onAction, onClose }: OrderDrawerProps) {
  const text = useText();
  const [isOpen, setIsOpen] = useState(true);
  const request = useRequest(() => getOrder(orderId), { refreshDeps: [version], onError: () => undefined });
  usePollWhile(request, isMoving);
  const { data: order, error, loading, refresh } = request;
  return (
    <Drawer
      open={isOpen}
      placement={currentDirection() === 'rtl' ? 'left' : 'right'}
      width={640}
      title={text('order.detail.title')}
      closable={{ 'aria-label': text('order.detail.close') }}
      onClose={() => setIsOpen(false)}
      afterOpenChange={(isStillOpen) => !isStillOpen && onClose()}
      footer={order && order.actions.length > 0 ? <OrderButtons order={order} size="middle" onAction={onAction} /> : null}
    >
      {isCallError(error, errorCodes.NOT_FOUND) ? (
        <p>{text('order.detail.gone')}</p>
      ) : order ? (
        <>
          {error && <StaleNote error={error} onRetry={refresh} isRetrying={loading} />}
          <OrderDetail order={order} onOver={refresh} />
        </>
      ) : error ? (
        <ErrorState error={error} onRetry={refresh} isRetrying={loading} />
      ) : (
        <Skeleton active paragraph={{ rows: 8 }} />
      )}
    </Drawer>
  );
}
