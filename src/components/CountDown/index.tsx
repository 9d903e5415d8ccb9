import { useDocumentVisibility, useInterval } from 'ahooks';
import { useEffect, useRef, useState } from 'react';
import { clockFigures } from './clockFigures';
import styles from './index.less';

const TICK_MS = 1_000;

interface CountDownProps {
  /** The moment it counts to, as the gateway tells it. */
  until: string;
  /** Called once when the moment has come: what then is so, only the gateway knows. */
  onEnd?: () => void;
}

/** The time that is left, second by second; a hidden tab does not count, and shows the right time when it is seen again. */
export function CountDown({ until, onEnd }: CountDownProps) {
  const [now, setNow] = useState(() => Date.now());
  const isVisible = useDocumentVisibility() !== 'hidden';
  const leftMs = Math.max(0, Date.parse(until) - now);
  const isOver = leftMs === 0;
  useInterval(() => setNow(Date.now()), isVisible && !isOver ? TICK_MS : undefined, { immediate: true });

  const latest = useRef(onEnd);
  latest.current = onEnd;
  useEffect(() => {
    if (isOver) latest.current?.();
  }, [isOver]);
  return (
    <time role="timer" className={styles.clock} dateTime={until}>
      {clockFigures(leftMs)}
    </time>
  );
}
