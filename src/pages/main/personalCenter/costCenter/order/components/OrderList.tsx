import { useNavigate } from '@umijs/max';
import { Button } from 'antd';
import { CopyableText } from '@/components/CopyableText';
import { CountDown } from '@/components/CountDown';
import { Money } from '@/components/Money';
import { PagedList } from '@/components/PagedList';
import { ListSkeleton } from '@/components/PagedList/ListSkeleton';
import { OrderState } from '@/components/Purchase/OrderState';
import { type Column, RowTable } from '@/components/RowTable';
import { useText } from '@/hooks/useText';
import type { OrderRow } from '@/services/order';
import { formatMoney } from '@/utils/formatMoney';
import { formatDateTime, formatInstant } from '@/utils/formatTime';
import { checkoutPath } from '@/utils/orderPaths';
import type { Text } from '@/utils/words';
import { OrderButtons } from './OrderButtons';
import { OrderFilterBar } from './OrderFilterBar';
import styles from './order.less';
import { titleOf } from './orderWords';
import type { OnOrderAction } from './useOrderActions';
import type { OrderPage } from './useOrders';

interface OrderListProps {
  page: OrderPage;
  onAction: OnOrderAction;
  onOpen: (orderId: string) => void;
}

/** The orders as a table, on a phone as cards. */
export function OrderList({ page, onAction, onOpen }: OrderListProps) {
  const text = useText();
  const navigate = useNavigate();
  const action = (
    <Button type="primary" onClick={() => navigate(checkoutPath)}>
      {text('order.buy')}
    </Button>
  );
  return (
    <PagedList
      isFramed
      page={page}
      filters={<OrderFilterBar page={page} />}
      skeleton={<ListSkeleton shape="rows" />}
      empty={{ drawing: 'ledger', words: text('order.empty'), action }}
      totalWords={text('order.total', { total: page.total })}
    >
      {(orders) => (
        <RowTable
          label={text('menu.costCenter.order')}
          rows={orders}
          idOf={({ orderId }) => orderId}
          columns={columnsOf({ page, onAction, onOpen }, text)}
          minWidth={860}
          card={(order) => <OrderCard order={order} page={page} onAction={onAction} onOpen={onOpen} />}
        />
      )}
    </PagedList>
  );
}

function columnsOf({ page, onAction, onOpen }: OrderListProps, text: Text): Column<OrderRow>[] {
  return [
    { key: 'what', title: text('order.what'), cell: (order) => <What order={order} onOpen={onOpen} /> },
    { key: 'at', title: text('order.at'), width: 190, cell: ({ createdAt }) => <At at={createdAt} /> },
    { key: 'state', title: text('order.state'), width: 170, cell: (order) => <State order={order} onOver={page.refresh} /> },
    { key: 'amount', title: text('order.amount'), width: 150, align: 'end', cell: (order) => <Amount order={order} /> },
    {
      key: 'actions',
      title: text('order.actions'),
      width: 190,
      cell: (order) => <OrderButtons order={order} onAction={onAction} />,
    },
  ];
}

function OrderCard({ order, page, onAction, onOpen }: OrderListProps & { order: OrderRow }) {
  return (
    <div className={styles.row}>
      <What order={order} onOpen={onOpen} />
      <Amount order={order} />
      <State order={order} onOver={page.refresh} />
      <At at={order.createdAt} />
      <OrderButtons order={order} onAction={onAction} />
    </div>
  );
}

function What({ order, onOpen }: { order: OrderRow; onOpen: (orderId: string) => void }) {
  const text = useText();
  return (
    <div className={styles.what}>
      <Button type="link" data-track="open-order" onClick={() => onOpen(order.orderId)}>
        <bdi>{titleOf(order, text)}</bdi>
      </Button>
      <CopyableText words={order.orderNo} name={text('purchase.orderNo')} />
    </div>
  );
}

function At({ at }: { at: string }) {
  return (
    <time dateTime={at} title={formatInstant(at)} className={styles.at}>
      {formatDateTime(at)}
    </time>
  );
}

/** The time that is left stands under the state while the order waits to be paid. */
function State({ order, onOver }: { order: OrderRow; onOver: () => void }) {
  return (
    <div className={styles.state}>
      <OrderState state={order.state} />
      {order.state === 'PENDING' && (
        <small>
          <CountDown until={order.payUntil} onEnd={onOver} />
        </small>
      )}
    </div>
  );
}

function Amount({ order }: { order: OrderRow }) {
  const text = useText();
  return (
    <div className={styles.amount}>
      <b>
        <Money fen={order.payableFen} />
      </b>
      {order.refundedFen > 0 && <small>{text('order.refunded', { amount: formatMoney(order.refundedFen) })}</small>}
    </div>
  );
}
