import { Link, useModel } from '@umijs/max';
import { useUpdateEffect } from 'ahooks';
import { DcuAmount } from '@/components/DcuAmount';
import type { Lab } from '@/components/LabCard/labFacts';
import { useLiveFigures } from '@/components/LabCard/useLiveFigures';
import { PagedList } from '@/components/PagedList';
import { ListSkeleton } from '@/components/PagedList/ListSkeleton';
import { type Column, RowTable } from '@/components/RowTable';
import { usePage } from '@/hooks/usePage';
import { useText } from '@/hooks/useText';
import { type DcuChange, pageDcuChanges } from '@/services/account';
import { formatNumber } from '@/utils/formatNumber';
import { formatDateTime, formatDuration, formatInstant, formatMoment } from '@/utils/formatTime';
import type { Text } from '@/utils/words';
import styles from '../index.less';

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

function columnsOf(text: Text): Column<DcuChange>[] {
  return [
    {
      key: 'at',
      title: text('workshop.cost.charges.at'),
      cell: ({ at }) => <span title={formatInstant(at)}>{formatDateTime(at)}</span>,
    },
    {
      key: 'time',
      title: text('workshop.cost.charges.time'),
      cell: ({ observedMs }) => (observedMs === null ? '' : formatDuration(observedMs)),
    },
    {
      key: 'rate',
      title: text('workshop.cost.charges.rate'),
      cell: ({ dcuPerHour }) => (dcuPerHour === null ? '' : text('workshop.card.rate', { rate: formatNumber(dcuPerHour) })),
    },
    {
      key: 'amount',
      title: text('workshop.cost.charges.amount'),
      align: 'end',
      cell: ({ amountDcu }) => <DcuAmount value={amountDcu} isSigned />,
    },
  ];
}

function Charges({ lab: { workshopId, lastSession, session } }: { lab: Lab }) {
  const text = useText();
  const page = usePage<DcuChange, Record<never, never>>({
    load: (query) => pageDcuChanges({ ...query, workshopId }),
    filters: {},
    urlPrefix: 'charges.',
  });
  // Charges are booked when a run ends and every hour: asking again at either is enough.
  const hour = session ? Math.floor(session.runningMs / 3_600_000) : 0;
  useUpdateEffect(page.refresh, [lastSession?.sessionId, hour]);
  return (
    <PagedList
      isFramed
      page={page}
      heading={text('workshop.cost.charges')}
      skeleton={<ListSkeleton shape="rows" />}
      empty={{ drawing: 'ledger', words: text('workshop.cost.charges.empty') }}
      totalWords={text('workshop.cost.charges.total', { total: page.total })}
    >
      {(charges) => (
        <RowTable
          label={text('workshop.cost.charges')}
          rows={charges}
          idOf={({ changeId }) => changeId}
          columns={columnsOf(text)}
          minWidth={560}
        />
      )}
    </PagedList>
  );
}

/** What this workshop cost: this run, all runs, and the charges that were booked for it. */
export default function CostTab({ lab }: { lab: Lab }) {
  const text = useText();
  return (
    <div className={styles.cost}>
      <div>
        <Figures lab={lab} />
        <p className={styles.note}>{text('workshop.cost.why')}</p>
      </div>
      <Charges lab={lab} />
      <p className={styles.note}>
        <Link to="/main/personalCenter/costCenter/account">{text('workshop.cost.charges.all')}</Link>
      </p>
    </div>
  );
}
