import { Link, useModel } from '@umijs/max';
import { Skeleton } from 'antd';
import { LotBar } from '@/components/LotBar';
import { RunwayWords } from '@/components/RunwayWords';
import { useText } from '@/hooks/useText';
import { formatNumber } from '@/utils/formatNumber';
import { topUpPath } from '@/utils/orderPaths';
import { reservedDcu } from '@/utils/reservedDcu';
import styles from './BalanceDetails.less';

const LOTS_SHOWN = 3;

/** What opens under the balance: how long it lasts, what may be used, what it is made of. */
export function BalanceDetails({ onLeave }: { onLeave: () => void }) {
  const text = useText();
  const { overview, error } = useModel('balance');
  if (!overview) return <div className={styles.details}>{error ? text('error.loading') : <Skeleton active title={false} />}</div>;
  const figures = [
    ['balance.available', overview.availableDcu],
    ['balance.held', reservedDcu(overview)],
    ['balance.spentToday', overview.spentTodayDcu],
  ] as const;
  return (
    <div className={styles.details}>
      <p className={styles.runway}>
        <RunwayWords overview={overview} />
      </p>
      {overview.alert?.isBelow ? (
        <p className={styles.below}>{text('balance.below', { amount: formatNumber(overview.alert.thresholdDcu) })}</p>
      ) : null}
      <dl className={styles.figures}>
        {figures.map(([word, value]) => (
          <div key={word}>
            <dt>{text(word)}</dt>
            <dd>{text('common.dcu', { amount: formatNumber(value) })}</dd>
          </div>
        ))}
      </dl>
      <ul className={styles.lots}>
        {overview.lots.slice(0, LOTS_SHOWN).map((lot) => (
          <li key={lot.lotId}>
            <LotBar lot={lot} />
          </li>
        ))}
      </ul>
      {error ? <p className={styles.stale}>{text('balance.stale')}</p> : null}
      <p className={styles.ways}>
        <Link to="/main/personalCenter/costCenter/account" onClick={onLeave}>
          {text('balance.toAccount')}
        </Link>
        <Link to={topUpPath} onClick={onLeave}>
          {text('balance.topUp')}
        </Link>
      </p>
    </div>
  );
}
