import { Tooltip } from 'antd';
import { RunwayGauge } from '@/components/RunwayGauge';
import { RunwayWords } from '@/components/RunwayWords';
import { useText } from '@/hooks/useText';
import type { AccountOverview } from '@/services/account';
import { formatExact, formatNumber } from '@/utils/formatNumber';
import { formatDuration } from '@/utils/formatTime';
import { reservedDcu } from '@/utils/reservedDcu';
import styles from './BalanceCard.less';

/** The balance as one figure, how long it lasts in words, and what the figure hides: held and spent. */
export function BalanceCard({ overview, isStale }: { overview: AccountOverview; isStale: boolean }) {
  const text = useText();
  const figures = [
    { word: 'balance.available', hint: 'balance.available.hint', value: overview.availableDcu },
    { word: 'balance.held', hint: 'balance.held.hint', value: reservedDcu(overview) },
    { word: 'balance.spentToday', hint: undefined, value: overview.spentTodayDcu },
    { word: 'balance.spentMonth', hint: undefined, value: overview.spentMonthDcu },
  ] as const;
  return (
    <>
      <h2 className={styles.label}>{text('balance.remain')}</h2>
      <Tooltip title={text('common.exactDcu', { amount: formatExact(overview.remainDcu) })} placement="topLeft">
        <p className={styles.figure}>
          {formatNumber(overview.remainDcu)} <span>DCU</span>
        </p>
      </Tooltip>
      <div className={styles.gauge}>
        <RunwayGauge overview={overview} />
      </div>
      <p className={styles.runway}>
        <RunwayWords overview={overview} />
        {overview.runwayMs === null ? null : (
          <span>{text('balance.lasts.left', { duration: formatDuration(overview.runwayMs) })}</span>
        )}
      </p>
      <dl className={styles.figures}>
        {figures.map(({ word, hint, value }) => (
          <div key={word}>
            <dt>{text(word)}</dt>
            <dd>{formatNumber(value)}</dd>
            {hint ? <dd className={styles.hint}>{text(hint)}</dd> : null}
          </div>
        ))}
      </dl>
      {isStale ? <p className={styles.stale}>{text('balance.stale')}</p> : null}
    </>
  );
}
