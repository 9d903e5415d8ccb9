import { Link, useModel } from '@umijs/max';
import { useText } from '@/hooks/useText';
import styles from './RunningBadge.less';

/** How many labs run now; leads to them. Nothing runs, nothing shows. */
export function RunningBadge() {
  const text = useText();
  const { overview } = useModel('balance');
  const count = overview?.runningLabs ?? 0;
  if (count === 0) return null;
  const label = text('frame.running', { count });
  return (
    <Link to="/main/myLab/workshop?state=RUNNING" className={styles.badge} title={label} aria-label={label}>
      <span className={styles.dot} />
      <span className={styles.word}>{label}</span>
      <span className={styles.figure}>{count}</span>
    </Link>
  );
}
