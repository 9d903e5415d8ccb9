import { useDocumentVisibility, useInterval } from 'ahooks';
import { type ReactNode, useState } from 'react';
import { useText } from '@/hooks/useText';
import { formatPercent } from '@/utils/formatNumber';
import { formatDuration } from '@/utils/formatTime';
import styles from './index.less';

interface LongWorkProps {
  /** What is being done: "Getting your lab ready", "Uploading faces.zip". */
  title: string;
  /** Where it stands and what comes of it. */
  words: string;
  /** From 0 to 1; left out while nobody can tell. */
  done?: number;
  /** When it began, as the gateway tells it: whoever comes back sees the time it really took. */
  since?: string;
  /** A state badge, or a drawing. */
  mark?: ReactNode;
  /** Pause, cancel. */
  actions?: ReactNode;
}

/**
 * Work that takes longer than a moment and goes on without the page: the start of a workshop, an upload, the saving of an
 * image. What it shows comes from the gateway or a model, never from the page alone, so that it can be come back to.
 */
export function LongWork({ title, words, done, since, mark, actions }: LongWorkProps) {
  const text = useText();
  const share = done === undefined ? undefined : Math.min(1, Math.max(0, done));
  return (
    <section className={styles.work} aria-label={title}>
      {mark}
      <h2>{title}</h2>
      <div
        role="progressbar"
        aria-label={title}
        aria-valuemin={0}
        aria-valuemax={100}
        {...(share === undefined ? { 'aria-valuetext': words } : { 'aria-valuenow': Math.floor(share * 100) })}
        className={share === undefined ? styles.unknown : styles.known}
      >
        <span style={share === undefined ? undefined : { inlineSize: `${share * 100}%` }} />
      </div>
      <p className={styles.figures}>
        {share !== undefined && <span>{formatPercent(share)}</span>}
        {since && <Elapsed since={since} />}
      </p>
      <p role="status">{words}</p>
      <p className={styles.leave}>{text('work.leave')}</p>
      {actions && <div className={styles.actions}>{actions}</div>}
    </section>
  );
}

const TICK_MS = 1_000;

function Elapsed({ since }: { since: string }) {
  const text = useText();
  const [now, setNow] = useState(() => Date.now());
  const isVisible = useDocumentVisibility() !== 'hidden';
  useInterval(() => setNow(Date.now()), isVisible ? TICK_MS : undefined, { immediate: true });
  // A clock that goes wrong must not count backwards.
  const elapsedMs = Math.max(0, now - new Date(since).getTime());
  return <span>{text('work.elapsed', { duration: formatDuration(elapsedMs) })}</span>;
}
