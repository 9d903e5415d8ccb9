import { Button } from 'antd';
import { useText } from '@/hooks/useText';
import { isCallError, isSessionLost } from '@/utils/callError';
import styles from '../EmptyState/index.less';
import { LineDrawing } from '../LineDrawing';

interface ErrorStateProps {
  error?: Error;
  onRetry: () => void;
  isRetrying?: boolean;
}

/** What could not be loaded, in the gateway's words if it gave any, and a way to try again. */
export function ErrorState({ error, onRetry, isRetrying }: ErrorStateProps) {
  const text = useText();
  return (
    <div className={styles.empty} role="alert">
      <LineDrawing name="lamp" />
      <h2>{text('error.loading')}</h2>
      <p>{isCallError(error) && !isSessionLost(error) ? error.msg : ''}</p>
      <Button onClick={onRetry} loading={isRetrying}>
        {text('error.retry')}
      </Button>
    </div>
  );
}
