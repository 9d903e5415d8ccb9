import { useSearchParams } from '@umijs/max';
import { Skeleton } from 'antd';
import { lazy, Suspense } from 'react';
import { withWords } from '@/components/withWords';
import billEn from '@/locales/en-US/bill';
import chartEn from '@/locales/en-US/chart';
import billZh from '@/locales/zh-CN/bill';
import chartZh from '@/locales/zh-CN/chart';
import { Bills } from './components/Bills';

const Statement = lazy(() => import('./components/Statement'));

/** My bills: what a span of days cost; `?statement=2026-10` is one month of it for paper. */
function BillPage() {
  const [search] = useSearchParams();
  const month = search.get('statement');
  if (month === null) return <Bills />;
  return (
    <Suspense fallback={<Skeleton active paragraph={{ rows: 8 }} />}>
      <Statement asked={month} />
    </Suspense>
  );
}

export default withWords(BillPage, { 'en-US': { ...billEn, ...chartEn }, 'zh-CN': { ...billZh, ...chartZh } });
