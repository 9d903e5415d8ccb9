import { lazy, Suspense } from 'react';
import { PageHeading } from '@/components/PageHeading';
import { withWords } from '@/components/withWords';
import { useUrlQuery } from '@/hooks/usePage';
import { useText } from '@/hooks/useText';
import orderEn from '@/locales/en-US/order';
import purchaseEn from '@/locales/en-US/purchase';
import orderZh from '@/locales/zh-CN/order';
import purchaseZh from '@/locales/zh-CN/purchase';
import { OrderList } from './components/OrderList';
import { useOrderActions } from './components/useOrderActions';
import { useOrders } from './components/useOrders';

const OrderDrawer = lazy(() => import('./components/OrderDrawer'));

/** My orders: every one with its state and what can be done about it; `?order=` opens one. */
function OrdersPage() {
  const text = useText();
  const page = useOrders();
  const { search, writeQuery } = useUrlQuery();
  const { act, dialogs, version } = useOrderActions(page.refresh);
  const openId = new URLSearchParams(search).get('order');
  return (
    <>
      <PageHeading title={text('menu.costCenter.order')} />
      <OrderList page={page} onAction={act} onOpen={(orderId) => writeQuery({ order: orderId }, true)} />
      {openId && (
        <Suspense>
          <OrderDrawer key={openId} orderId={openId} version={version} onAction={act} onClose={() => writeQuery({ order: null })} />
        </Suspense>
      )}
      {dialogs}
    </>
  );
}

export default withWords(OrdersPage, { 'en-US': { ...orderEn, ...purchaseEn }, 'zh-CN': { ...orderZh, ...purchaseZh } });
