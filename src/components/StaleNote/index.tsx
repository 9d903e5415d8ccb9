import { Button } from 'antd';
import { useText } from '@/hooks/useText';
import styles from './index.less';

interface StaleNoteProps {
  error: Error;
  onRetry: () => void;
  isRetrying?: boolean;
}

/** The last look failed while older content still stands: one quiet line above it. Where nothing stands, `ErrorState`. */
export function StaleNote({ error, onRetry, isRetrying = false }: StaleNoteProps) {
  const text = useText();
  return (
    <p className={styles.stale} role="status">
      <span>{`${text('list.stale')} ${error.message}`}</span>
      <Button type="link" size="small" loading={isRetrying} onClick={onRetry}>
        {text('error.retry')}
      </Button>
    </p>
  );
}
