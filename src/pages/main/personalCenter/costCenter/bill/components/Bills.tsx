import { Link, useSearchParams } from '@umijs/max';
import { Skeleton } from 'antd';
import { lazy, Suspense } from 'react';
import { PageHeading } from '@/components/PageHeading';
import { useUrlQuery } from '@/hooks/usePage';
import { useText } from '@/hooks/useText';
import { monthOf } from '@/utils/billingDays';
import { billPath } from '@/utils/orderPaths';
import { BillLines } from './BillLines';
import styles from './bill.less';
import { SpanBar } from './SpanBar';
import { Totals } from './Totals';
import { useBill } from './useBill';

const SegmentDrawer = lazy(() => import('./SegmentDrawer'));

/** What a span of days cost: in one figure, as a chart, by what it went to, and line by line. */
export function Bills() {
  const text = useText();
  const bill = useBill();
  const [search] = useSearchParams();
  const { writeQuery } = useUrlQuery();
  const sessionId = search.get('session');
  return (
    <>
      <PageHeading
        title={text('menu.costCenter.bill')}
        subtitle={text('bill.zone')}
        actions={<Link to={`${billPath}?statement=${monthOf(bill.days.to)}`}>{text('bill.statement.open')}</Link>}
      />
      <div className={styles.page}>
        <SpanBar bill={bill} />
        <Totals bill={bill} />
        <BillLines bill={bill} onOpen={(opened) => writeQuery({ session: opened, 'segments.current': null }, true)} />
      </div>
      {sessionId && (
        <Suspense fallback={<Skeleton active />}>
          <SegmentDrawer
            key={sessionId}
            sessionId={sessionId}
            onClose={() => writeQuery({ session: null, 'segments.current': null })}
          />
        </Suspense>
      )}
    </>
  );
}
