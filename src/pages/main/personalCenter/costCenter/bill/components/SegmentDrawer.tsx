import { CheckCircleOutlined, WarningOutlined } from '@ant-design/icons';
import { Drawer } from 'antd';
import { useMemo } from 'react';
import { PagedList } from '@/components/PagedList';
import { ListSkeleton } from '@/components/PagedList/ListSkeleton';
import { type Column, RowTable } from '@/components/RowTable';
import { usePage } from '@/hooks/usePage';
import { useText } from '@/hooks/useText';
import { type BillSegment, type BillSegmentPage, pageBillSegments } from '@/services/bill';
import { formatObserved } from '@/utils/billingDays';
import { formatExact, formatNumber } from '@/utils/formatNumber';
import { formatDateTime, formatInstant } from '@/utils/formatTime';
import styles from './bill.less';

interface SegmentDrawerProps {
  sessionId: string;
  onClose: () => void;
}

/** How one run was charged: segment by segment, rate × observed time, and the sums beside each other. */
export default function SegmentDrawer({ sessionId, onClose }: SegmentDrawerProps) {
  const text = useText();
  const page = usePage<BillSegment, Record<never, never>>({
    load: ({ current, pageSize }) => pageBillSegments({ sessionId, current, pageSize }),
    filters: {},
    urlPrefix: 'segments.',
  });
  const run = page.data as BillSegmentPage | undefined;
  const columns = useSegmentColumns();
  return (
    <Drawer open width={760} title={text('bill.segments')} onClose={onClose} styles={{ body: { padding: 0 } }}>
      <div className={styles.drawer}>
        {run && <Run run={run} />}
        <PagedList
          page={page}
          skeleton={<ListSkeleton shape="rows" />}
          empty={{ drawing: 'ledger', words: text('bill.segments.empty') }}
          totalWords={text('bill.segments.total', { total: page.total })}
        >
          {(segments) => (
            <RowTable
              label={text('bill.segments')}
              rows={segments}
              idOf={({ segment }) => `${segment}`}
              columns={columns}
              minWidth={640}
            />
          )}
        </PagedList>
      </div>
    </Drawer>
  );
}

function useSegmentColumns(): Column<BillSegment>[] {
  const text = useText();
  return useMemo(
    () => [
      {
        key: 'from',
        title: text('bill.segment.from'),
        cell: ({ from, to }) => (
          <time dateTime={from} title={`${formatInstant(from)} – ${formatInstant(to)}`}>
            {formatDateTime(from)}
          </time>
        ),
      },
      { key: 'rate', title: text('bill.segment.rate'), align: 'end', cell: ({ dcuPerHour }) => formatNumber(dcuPerHour) },
      { key: 'time', title: text('bill.segment.time'), align: 'end', cell: ({ observedMs }) => formatObserved(observedMs) },
      { key: 'dcu', title: text('bill.segment.charge'), align: 'end', cell: ({ dcu }) => formatExact(dcu) },
    ],
    [text],
  );
}

function Run({ run }: { run: BillSegmentPage }) {
  const text = useText();
  const span =
    run.startedAt &&
    (run.endedAt
      ? text('bill.run.span', { from: formatDateTime(run.startedAt), to: formatDateTime(run.endedAt) })
      : text('bill.run.since', { from: formatDateTime(run.startedAt) }));
  return (
    <section className={styles.run} aria-label={text('bill.run')}>
      <p>
        <b>
          <bdi>{run.workshopName}</bdi>
        </b>{' '}
        · <bdi>{run.specName}</bdi>
      </p>
      {span && <p className={styles.runSpan}>{span}</p>}
      <dl>
        <div>
          <dt>{text('bill.run.charged')}</dt>
          <dd>{formatExact(run.chargedDcu)}</dd>
        </div>
        <div>
          <dt>{text('bill.run.recomputed')}</dt>
          <dd>{formatExact(run.recomputedDcu)}</dd>
        </div>
      </dl>
      <p className={run.isExact ? styles.exact : styles.inexact}>
        {run.isExact ? <CheckCircleOutlined aria-hidden /> : <WarningOutlined aria-hidden />}{' '}
        {text(run.isExact ? 'bill.run.exact' : 'bill.run.inexact')}
      </p>
    </section>
  );
}
