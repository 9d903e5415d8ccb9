import { Link, useModel } from '@umijs/max';
import { useRequest } from 'ahooks';
import { Skeleton, Table } from 'antd';
import { DcuAmount } from '@/components/DcuAmount';
import { ErrorState } from '@/components/ErrorState';
import type { Lab } from '@/components/LabCard/labFacts';
import { useLiveFigures } from '@/components/LabCard/useLiveFigures';
import { type Text, useText } from '@/hooks/useText';
import { type DcuChange, pageDcuChanges } from '@/services/account';
import { formatNumber } from '@/utils/formatNumber';
import { formatDateTime, formatDuration, formatInstant, formatMoment } from '@/utils/formatTime';
import styles from '../index.less';

const NEWEST = 100;

function Figures({ lab }: { lab: Lab }) {
  const text = useText();
  const live = useLiveFigures(lab);
  const { overview } = useModel('balance');
  const { session, lastSession } = lab;
  const run = session ? live : lastSession;
  const ahead = session ? live.costDcu - session.costDcu : 0;
  const lastsUntil = lab.state === 'RUNNING' ? overview?.lastsUntil : null;
  const figures = [
    run && {
      key: 'run',
      term: text(session ? 'workshop.cost.run' : 'workshop.cost.lastRun'),
      value: <DcuAmount value={run.costDcu} />,
    },
    { key: 'total', term: text('workshop.cost.total'), value: <DcuAmount value={lab.totalCostDcu + ahead} /> },
    {
      key: 'rate',
      term: text('workshop.cost.rate'),
      value: text('workshop.card.rate', { rate: formatNumber(session?.dcuPerHour ?? lab.spec.dcuPerHour) }),
    },
    run && { key: 'time', term: text('workshop.cost.time'), value: formatDuration(run.runningMs) },
    lastsUntil && { key: 'lasts', term: text('workshop.cost.lasts'), value: formatMoment(lastsUntil) },
    session?.stopsAt &&
      session.stopsCause && {
        key: 'stops',
        term: text('workshop.cost.stops'),
        value: (
          <>
            {formatMoment(session.stopsAt)} <small>{text(`workshop.cause.${session.stopsCause}`)}</small>
          </>
        ),
      },
  ].filter((figure) => !!figure);
  return (
    <dl className={styles.figures}>
      {figures.map(({ key, term, value }) => (
        <div key={key}>
          <dt>{term}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function columnsOf(text: Text) {
  return [
    {
      key: 'at',
      title: text('workshop.cost.charges.at'),
      render: (_: unknown, { at }: DcuChange) => <span title={formatInstant(at)}>{formatDateTime(at)}</span>,
    },
    {
      key: 'time',
      title: text('workshop.cost.charges.time'),
      render: (_: unknown, { observedMs }: DcuChange) => (observedMs === null ? '' : formatDuration(observedMs)),
    },
    {
      key: 'rate',
      title: text('workshop.cost.charges.rate'),
      render: (_: unknown, { dcuPerHour }: DcuChange) =>
        dcuPerHour === null ? '' : text('workshop.card.rate', { rate: formatNumber(dcuPerHour) }),
    },
    {
      key: 'amount',
      title: text('workshop.cost.charges.amount'),
      align: 'end' as const,
      render: (_: unknown, { amountDcu }: DcuChange) => <DcuAmount value={amountDcu} isSigned />,
    },
  ];
}

/** What this workshop cost: this run, all runs, and the charges that were booked for it. */
export default function CostTab({ lab }: { lab: Lab }) {
  const text = useText();
  const { workshopId, lastSession, session } = lab;
  const load = async () => {
    const { list, total } = await pageDcuChanges({ workshopId, pageSize: NEWEST });
    return { charges: list, hasMore: total > NEWEST };
  };
  // Charges are booked when a run ends and every hour: asking again at either is enough.
  const hour = session ? Math.floor(session.runningMs / 3_600_000) : 0;
  const request = useRequest(load, { refreshDeps: [workshopId, lastSession?.sessionId, hour], onError: () => undefined });
  const { data, error, loading, refresh } = request;
  return (
    <>
      <Figures lab={lab} />
      <p className={styles.note}>{text('workshop.cost.why')}</p>
      <h2 className={styles.subheading}>{text('workshop.cost.charges')}</h2>
      {error && <ErrorState error={error} onRetry={refresh} isRetrying={loading} />}
      {!data && !error && <Skeleton active paragraph={{ rows: 4 }} />}
      {data && data.charges.length === 0 && <p className={styles.note}>{text('workshop.cost.charges.empty')}</p>}
      {data && data.charges.length > 0 && (
        <Table<DcuChange>
          rowKey="changeId"
          size="middle"
          scroll={{ x: 520 }}
          pagination={{ hideOnSinglePage: true, showSizeChanger: false }}
          dataSource={data.charges}
          columns={columnsOf(text)}
        />
      )}
      <p className={styles.note}>
        {data?.hasMore && `${text('workshop.cost.charges.note', { count: NEWEST })} `}
        <Link to="/main/personalCenter/costCenter/account">{text('workshop.cost.charges.all')}</Link>
      </p>
    </>
  );
}
