import { useSearchParams } from '@umijs/max';
import { Skeleton } from 'antd';
import { lazy, Suspense } from 'react';
import { withWords } from '@/components/withWords';
import checkoutEn from '@/locales/en-US/checkout';
import purchaseEn from '@/locales/en-US/purchase';
import checkoutZh from '@/locales/zh-CN/checkout';
import purchaseZh from '@/locales/zh-CN/purchase';

const Choose = lazy(() => import('./components/Choose'));
const Pay = lazy(() => import('./components/Pay'));

/** Checkout: `?sku=…` or `?package=…` chooses and places an order, `?order=…` pays one, also one of yesterday. */
function CheckoutPage() {
  const [search] = useSearchParams();
  const orderId = search.get('order');
  return (
    <Suspense fallback={<Skeleton active paragraph={{ rows: 6 }} />}>
      {orderId ? <Pay key={orderId} orderId={orderId} /> : <Choose />}
    </Suspense>
  );
}

export default withWords(CheckoutPage, {
  'en-US': { ...checkoutEn, ...purchaseEn },
  'zh-CN': { ...checkoutZh, ...purchaseZh },
});
