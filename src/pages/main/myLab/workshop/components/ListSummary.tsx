import { useModel } from '@umijs/max';
import { useText } from '@/hooks/useText';
import { formatExact, formatNumber } from '@/utils/formatNumber';
import { formatInstant, formatMoment } from '@/utils/formatTime';
import styles from '../index.less';

/** One line under the heading: what runs, what it costs an hour, how long the balance lasts. */
export default function ListSummary() {
  const text = useText();
  const { overview } = useModel('balance');
  if (!overview) return <span>{'\u00a0'}</span>;
  const balance = formatNumber(overview.remainDcu);
  const exact = text('workshop.exact', { value: formatExact(overview.remainDcu) });
  return (
    <span className={styles.summary}>
      <span>
        <span>{text('workshop.summary.running', { count: overview.runningLabs })}</span>
        {overview.burnDcuPerHour > 0 && (
          <span>{text('workshop.summary.burn', { rate: formatNumber(overview.burnDcuPerHour) })}</span>
        )}
        {overview.lastsUntil ? (
          <span title={formatInstant(overview.lastsUntil)}>
            {text('workshop.summary.lasts', { balance, moment: formatMoment(overview.lastsUntil) })}
          </span>
        ) : (
          <span title={exact}>{text('workshop.summary.balance', { balance: formatNumber(overview.availableDcu) })}</span>
        )}
      </span>
    </span>
  );
}
