import { Button } from 'antd';
import { useText } from '@/hooks/useText';
import styles from '../index.less';

/** The last look failed while older figures still stand: one quiet line. */
export default function StaleNote({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const text = useText();
  return (
    <p className={styles.stale} role="status">
      <span>{`${text('workshop.error.stale')} · ${error.message}`}</span>
      <Button type="link" size="small" onClick={onRetry}>
        {text('workshop.retry')}
      </Button>
    </p>
  );
}
