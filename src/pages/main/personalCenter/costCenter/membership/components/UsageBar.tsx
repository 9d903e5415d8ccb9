import { useText } from '@/hooks/useText';
import styles from './UsageBar.less';

interface UsageBarProps {
  label: string;
  used: number;
  most: number;
  /** Both figures with their unit. */
  words: string;
}

/** What is used of what is allowed: a bar for a glance, figures and words for everything else. */
export function UsageBar({ label, used, most, words }: UsageBarProps) {
  const text = useText();
  const isOver = used > most;
  const percent = most > 0 ? Math.min(100, (100 * used) / most) : 100;
  return (
    <li className={styles.usage} data-over={isOver}>
      <span className={styles.label}>{label}</span>
      <span className={styles.figures}>{words}</span>
      <span className={styles.track} aria-hidden="true">
        <span style={{ inlineSize: `${percent}%` }} />
      </span>
      {isOver ? <span className={styles.over}>{text('membership.usage.over')}</span> : null}
    </li>
  );
}
