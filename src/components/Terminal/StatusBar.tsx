import { Button } from 'antd';
import { useEffect, useState } from 'react';
import { useText } from '@/hooks/useText';
import type { Text } from '@/utils/words';
import type { TerminalByeReason } from '../../../gateway/contract/terminal';
import styles from './index.less';
import type { PaneStatus } from './useTerminal';

interface StatusBarProps {
  status: PaneStatus;
  onRetry: () => void;
  onReload: () => void;
  onNew: () => void;
}

function useSecondsLeft(status: PaneStatus): number {
  const [secondsLeft, setSecondsLeft] = useState(0);
  useEffect(() => {
    if (status.kind !== 'waiting') return;
    const dueAt = performance.now() + status.retryInMs;
    const count = () => setSecondsLeft(Math.max(1, Math.ceil((dueAt - performance.now()) / 1_000)));
    count();
    const timer = setInterval(count, 1_000);
    return () => clearInterval(timer);
  }, [status]);
  return secondsLeft;
}

const knownByes = ['STOPPED', 'SIGNED_OUT', 'NOT_FOUND', 'LIMIT', 'IDLE'] as const;
/** The shell is still there: the same terminal can be attached again. */
const canComeBack: readonly string[] = ['LIMIT', 'IDLE', 'PROTOCOL', 'SIGNED_OUT'] satisfies TerminalByeReason[];

function wordsOf(status: PaneStatus, seconds: number, text: Text): string {
  switch (status.kind) {
    case 'loading':
      return text('workshop.terminal.loading');
    case 'failed':
      return text('workshop.terminal.failed');
    case 'waiting':
      return text('workshop.terminal.status.waiting', { seconds });
    case 'exited':
      return status.exitCode === null
        ? text('workshop.terminal.status.exitedUnknown')
        : text('workshop.terminal.status.exited', { code: status.exitCode });
    case 'closed': {
      const known = knownByes.find((reason) => reason === status.reason) ?? 'unknown';
      return text('workshop.terminal.status.closed', { reason: text(`workshop.terminal.bye.${known}`) });
    }
    case 'refused':
      return text('workshop.terminal.status.refused', { reason: status.message });
    default:
      return text(`workshop.terminal.status.${status.kind}`);
  }
}

/** How the connection stands, and the way on when it does not. */
export default function StatusBar({ status, onRetry, onReload, onNew }: StatusBarProps) {
  const text = useText();
  const seconds = useSecondsLeft(status);
  const isGone = status.kind === 'exited' || (status.kind === 'closed' && !canComeBack.includes(status.reason));
  return (
    <div className={styles.status} data-kind={status.kind}>
      <span role="status">{wordsOf(status, seconds, text)}</span>
      {(status.kind === 'waiting' || status.kind === 'offline') && (
        <Button size="small" onClick={onRetry}>
          {text('workshop.terminal.retry')}
        </Button>
      )}
      {(status.kind === 'failed' || status.kind === 'refused' || status.kind === 'closed') && !isGone && (
        <Button size="small" onClick={onReload}>
          {text(status.kind === 'closed' ? 'workshop.terminal.retry' : 'error.retry')}
        </Button>
      )}
      {isGone && (
        <Button size="small" onClick={onNew}>
          {text('workshop.terminal.again')}
        </Button>
      )}
      {status.kind === 'connected' && <span className={styles.keys}>{text('workshop.terminal.keys')}</span>}
    </div>
  );
}
