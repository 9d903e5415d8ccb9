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
  const latestRefresh = useRef(refresh);
  latestRefresh.current = refresh;
  const answeredAt = useRef(performance.now());
  const intervalMs = data !== undefined && isInTransition(data) ? fastMs : slowMs;
  const isWaiting = data !== undefined && !loading && !error;

  useEffect(() => {
    if (!loading) answeredAt.current = performance.now();
  }, [loading]);

  useEffect(() => {
    if (!isVisible || !isWaiting) return;
    const waitMs = Math.max(0, intervalMs - (performance.now() - answeredAt.current));
    const timer = setTimeout(() => latestRefresh.current(), waitMs);
    return () => clearTimeout(timer);
  }, [isVisible, isWaiting, intervalMs]);
}
