import { Segmented, Skeleton } from 'antd';
import { BarChart } from '@/components/BarChart';
import { ErrorState } from '@/components/ErrorState';
import { StaleNote } from '@/components/StaleNote';
import { useText } from '@/hooks/useText';
import type { BillSummary } from '@/services/bill';
import { formatHours } from '@/utils/billingDays';
import { formatNumber } from '@/utils/formatNumber';
import { Breakdown } from './Breakdown';
import { barsOf } from './bars';
import styles from './bill.less';
import { canShowDays } from './billSpan';
import type { Bill } from './useBill';

/** What the days came to: one figure, a chart, and what it went to. */
export function Totals({ bill }: { bill: Bill }) {
  const { data, error, loading, refresh } = bill.summary;
  if (!data) {
    return (
      <div className={styles.card}>
        {error ? <ErrorState error={error} onRetry={refresh} isRetrying={loading} /> : <Skeleton active paragraph={{ rows: 6 }} />}
      </div>
    );
  }
  return (
    <div className={styles.sums} data-stale={bill.isSummaryStale} aria-busy={bill.isSummaryStale && loading}>
      {error && <StaleNote error={error} isRetrying={loading} onRetry={refresh} />}
      <Total summary={data} />
      <div className={styles.card}>
        <Chart bill={bill} summary={data} />
      </div>
      <div className={styles.card}>
        <Breakdown bill={bill} summary={data} />
      </div>
    </div>
  );
}

function Total({ summary: { totalDcu, observedMs } }: { summary: BillSummary }) {
  const text = useText();
  const figures = [
    { word: 'bill.total', value: formatNumber(totalDcu), unit: 'DCU' },
    { word: 'bill.time', value: formatHours(observedMs), unit: '' },
    {
      word: 'bill.rate',
      value: formatNumber(observedMs > 0 ? (totalDcu * 3_600_000) / observedMs : 0),
      unit: text('bill.perHour'),
    },
  ] as const;
  return (
    <dl className={`${styles.card} ${styles.total}`}>
      {figures.map(({ word, value, unit }) => (
        <div key={word}>
          <dt>{text(word)}</dt>
          <dd>
            {value} {unit && <small>{unit}</small>}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Chart({ bill, summary }: { bill: Bill; summary: BillSummary }) {
  const text = useText();
  const { days, step } = bill;
  const format = (value: number) => text('common.dcu', { amount: formatNumber(value) });
  const steps = canShowDays(days) && (
    <Segmented<'day' | 'month'>
      size="small"
      aria-label={text('bill.step')}
      value={step}
      onChange={bill.setStep}
      options={(['day', 'month'] as const).map((value) => ({ value, label: text(`bill.step.${value}`) }))}
    />
  );
  return (
    <BarChart
      name={text('bill.chart')}
      bars={barsOf(summary.series, days, step)}
      format={format}
      sum={format(summary.totalDcu)}
      columns={[text(`bill.step.${step}`), 'DCU']}
      color="--pending"
      tools={steps}
    />
  );
}
