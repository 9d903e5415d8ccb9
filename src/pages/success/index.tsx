import { useSearchParams } from '@umijs/max';
import { withWords } from '@/components/withWords';
import purchaseEn from '@/locales/en-US/purchase';
import successEn from '@/locales/en-US/success';
import purchaseZh from '@/locales/zh-CN/purchase';
import successZh from '@/locales/zh-CN/success';
import { OrderOutcome } from './components/OrderOutcome';
import { PlainOutcome } from './components/PlainOutcome';

/**
 * What went well: `?order=` an order, `?what=` something else. Both are only looked up, so that a made-up address says
 * nothing untrue; `?redirect=` leads on within the console and nowhere else.
 */
function SuccessPage() {
  const [search] = useSearchParams();
  const orderId = search.get('order');
  const next = search.get('redirect');
  return orderId ? (
    <OrderOutcome key={orderId} orderId={orderId} next={next} />
  ) : (
    <PlainOutcome what={search.get('what')} next={next} />
  );
}

export default withWords(SuccessPage, {
  'en-US': { ...successEn, ...purchaseEn },
  'zh-CN': { ...successZh, ...purchaseZh },
});
