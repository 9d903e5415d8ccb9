import { useDocumentVisibility } from 'ahooks';
import { useEffect, useRef } from 'react';

/** What polling needs of a request: ahooks `useRequest` and `usePage` both have it. */
interface Pollable<D> {
  data?: D | undefined;
  error?: Error | undefined;
  loading: boolean;
  refresh: () => void;
}

export const POLL_FAST_MS = 2_000;
export const POLL_SLOW_MS = 15_000;

/**
 * Repeats a request: every 2 s while its answer says that something is under way, every 15 s otherwise. The pause counts
 * from the last answer. A hidden tab asks nothing, and asks at once when it is shown again and the answer is overdue. After
 * an error it stands still until somebody retries.
 */
export function usePollWhile<D>(
  request: Pollable<D>,
  isInTransition: (data: D) => boolean,
  { fastMs = POLL_FAST_MS, slowMs = POLL_SLOW_MS }: { fastMs?: number; slowMs?: number } = {},
): void {
  const isVisible = useDocumentVisibility() !== 'hidden';
  const { data, error, loading, refresh } = request;
  const latest = useRef({ refresh, isInTransition });
  latest.current = { refresh, isInTransition };
  const answer = useRef<{ data: D | undefined; at: number }>({ data: undefined, at: 0 });

  useEffect(() => {
    // Every answer is a new object, also one that came so fast that `loading` was never drawn.
    if (answer.current.data !== data) answer.current = { data, at: performance.now() };
    if (!isVisible || loading || error || data === undefined) return;
    const intervalMs = latest.current.isInTransition(data) ? fastMs : slowMs;
    const waitMs = Math.max(0, intervalMs - (performance.now() - answer.current.at));
    const timer = setTimeout(() => latest.current.refresh(), waitMs);
    return () => clearTimeout(timer);
  }, [isVisible, loading, error, data, fastMs, slowMs]);
}
