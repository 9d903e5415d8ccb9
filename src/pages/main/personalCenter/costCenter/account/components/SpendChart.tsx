import { Link } from '@umijs/max';
import { useRequest } from 'ahooks';
import { Skeleton } from 'antd';
import { BarChart } from '@/components/BarChart';
import { ErrorState } from '@/components/ErrorState';
import { FOCUS_MS } from '@/hooks/useCached';
import { useText } from '@/hooks/useText';
import { getBillSummary } from '@/services/bill';
import { addDays, billingToday } from '@/utils/billingDays';
import { formatNumber } from '@/utils/formatNumber';
import { billPath } from '@/utils/orderPaths';
import { barsOf } from '../../bill/components/bars';
import styles from './LotList.less';

const DAYS = 30;

async function loadSpending() {
  const to = billingToday();
  const from = addDays(to, 1 - DAYS);
  const { series, totalDcu } = await getBillSummary({ from, to, step: 'day', group: 'workshop' });
  return { bars: barsOf(series, { from, to }, 'day'), totalDcu };
}

/** What the last thirty days cost, day by day, as the bills have it. */
export function SpendChart() {
  const text = useText();
  const { data, error, loading, refresh } = useRequest(loadSpending, {
    refreshOnWindowFocus: true,
    focusTimespan: FOCUS_MS,
    onError: () => undefined,
  });
  if (!data) return error ? <ErrorState error={error} onRetry={refresh} isRetrying={loading} /> : <Skeleton active />;
  const toBills = <Link to={`${billPath}?span=30days`}>{text('account.spent.toBills')}</Link>;
  if (data.totalDcu === 0) {
    return (
      <section aria-labelledby="account-spent">
        <h2 id="account-spent">{text('account.spent')}</h2>
        <p className={styles.hint}>{text('account.spent.none')}</p>
        {toBills}
      </section>
    );
  }
  const format = (value: number) => text('common.dcu', { amount: formatNumber(value) });
  return (
    <BarChart
      name={text('account.spent')}
      bars={data.bars}
      format={format}
      sum={format(data.totalDcu)}
      columns={[text('account.spent.day'), 'DCU']}
      color="--pending"
      tools={toBills}
    />
  );
}
