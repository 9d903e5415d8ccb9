import type { AccountOverview } from '@/services/account';
import styles from './index.less';
import { runwayGauge } from './runwayGauge';

/** A hair line that is full when the balance lasts a day or more. The words beside it say the same. */
export function RunwayGauge({ overview }: { overview: AccountOverview | undefined }) {
  const { percent, tone } = runwayGauge(overview);
  return (
    <span className={styles.track} aria-hidden="true">
      <span className={styles[tone]} style={{ inlineSize: `${percent}%` }} />
    </span>
  );
}
