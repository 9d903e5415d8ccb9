import { PrinterOutlined } from '@ant-design/icons';
import { Link, useModel } from '@umijs/max';
import { useRequest } from 'ahooks';
import { Button, Select, Skeleton } from 'antd';
import { ErrorState } from '@/components/ErrorState';
import { PageHeading } from '@/components/PageHeading';
import { useUrlQuery } from '@/hooks/usePage';
import { useText } from '@/hooks/useText';
import { type BillSummary, getBillSummary } from '@/services/bill';
import { billingToday, firstDayOf, formatDay, formatHours, formatMonth, isDay, lastDayOf, monthOf } from '@/utils/billingDays';
import { formatExact } from '@/utils/formatNumber';
import { formatDateTime } from '@/utils/formatTime';
import { billPath } from '@/utils/orderPaths';
import styles from './statement.less';

const MONTHS_OFFERED = 24;

/** A month of the past or the present one; anything else of the URL is the present one. */
function monthAsked(asked: string): string {
  const present = monthOf(billingToday());
  return isDay(`${asked}-01`) && asked <= present ? asked : present;
}

async function loadStatement(month: string) {
  const span = { from: firstDayOf(month), to: lastDayOf(month), step: 'day' } as const;
  const [byWorkshop, bySpec] = await Promise.all([
    getBillSummary({ ...span, group: 'workshop' }),
    getBillSummary({ ...span, group: 'spec' }),
  ]);
  return { month, byWorkshop, bySpec, writtenAt: new Date().toISOString() };
}

/** One month on a sheet of paper: by workshop, by size and by day, and nothing of the console around it when printed. */
export default function Statement({ asked }: { asked: string }) {
  const text = useText();
  const { writeQuery } = useUrlQuery();
  const month = monthAsked(asked);
  const { data, error, loading, refresh } = useRequest(() => loadStatement(month), {
    refreshDeps: [month],
    onError: () => undefined,
  });
  const shown = data?.month === month ? data : undefined;
  const present = monthOf(billingToday());
  const offered = Array.from({ length: MONTHS_OFFERED }, (_, back) => monthOf(firstDayOf(present), -back));
  const months = offered.includes(month) ? offered : [...offered, month];
  return (
    <article className={styles.statement}>
      <PageHeading
        title={text('bill.statement.title', { month: formatMonth(month) })}
        subtitle={text('bill.zone')}
        actions={
          <span className={styles.actions}>
            <Link to={billPath}>{text('bill.statement.back')}</Link>
            <Select
              aria-label={text('bill.statement.month')}
              value={month}
              onChange={(chosen: string) => writeQuery({ statement: chosen })}
              popupMatchSelectWidth={false}
              options={months.map((value) => ({ value, label: formatMonth(value) }))}
            />
            <Button type="primary" icon={<PrinterOutlined aria-hidden />} disabled={!shown} onClick={() => window.print()}>
              {text('bill.statement.print')}
            </Button>
          </span>
        }
      />
      {shown && <Sheet {...shown} />}
      {!shown && error && !loading && <ErrorState error={error} onRetry={refresh} isRetrying={loading} />}
      {!shown && !(error && !loading) && <Skeleton active paragraph={{ rows: 8 }} />}
    </article>
  );
}

function Sheet({ month, byWorkshop, bySpec, writtenAt }: Awaited<ReturnType<typeof loadStatement>>) {
  const text = useText();
  const { currentUser } = useModel('session');
  const isOpen = month === monthOf(billingToday());
  const facts = [
    { word: 'bill.statement.member', value: <bdi>{currentUser.userName || currentUser.mobilePhone}</bdi> },
    {
      word: 'bill.span',
      value: text('bill.days', { from: formatDay(firstDayOf(month)), to: formatDay(lastDayOf(month)) }),
    },
    { word: 'bill.statement.written', value: formatDateTime(writtenAt) },
    { word: 'bill.total', value: <strong>{text('common.dcu', { amount: formatExact(byWorkshop.totalDcu) })}</strong> },
  ] as const;
  return (
    <div className={styles.sheet}>
      <dl className={styles.facts}>
        {facts.map(({ word, value }) => (
          <div key={word}>
            <dt>{text(word)}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {isOpen && <p className={styles.open}>{text('bill.statement.isOpen')}</p>}
      <Amounts title={text('bill.statement.byWorkshop')} head={text('bill.line.workshop')} rows={groupRows(byWorkshop)} />
      <Amounts title={text('bill.statement.bySpec')} head={text('bill.line.spec')} rows={groupRows(bySpec)} />
      <Amounts title={text('bill.statement.byDay')} head={text('bill.line.day')} rows={dayRows(byWorkshop)} />
      <p className={styles.note}>{text('bill.statement.note')}</p>
    </div>
  );
}

interface AmountRow {
  id: string;
  name: string;
  observedMs: number;
  dcu: number;
}

function groupRows({ groups }: BillSummary): AmountRow[] {
  return [...groups].sort((one, other) => other.dcu - one.dcu).map(({ groupId, ...row }) => ({ id: groupId, ...row }));
}

function dayRows({ series }: BillSummary): AmountRow[] {
  return series
    .filter(({ observedMs, dcu }) => observedMs > 0 || dcu > 0)
    .map(({ period, ...row }) => ({ id: period, name: formatDay(period), ...row }));
}

function Amounts({ title, head, rows }: { title: string; head: string; rows: AmountRow[] }) {
  const text = useText();
  if (rows.length === 0) return null;
  return (
    <table className={styles.amounts}>
      <caption>{title}</caption>
      <thead>
        <tr>
          <th scope="col">{head}</th>
          <th scope="col">{text('bill.time')}</th>
          <th scope="col">DCU</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ id, name, observedMs, dcu }) => (
          <tr key={id}>
            <th scope="row">
              <bdi>{name}</bdi>
            </th>
            <td>{formatHours(observedMs)}</td>
            <td>{formatExact(dcu)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
