import { useDocumentVisibility } from 'ahooks';
import { useEffect, useRef } from 'react';
import { isCallError, TRANSPORT_FAILURE } from '@/utils/callError';

/** What polling needs of a request: ahooks `useRequest` and `usePage` both have it. */
interface Pollable<D> {
  data?: D | undefined;
  error?: Error | undefined;
  loading: boolean;
  refresh: () => void;
}

export const POLL_FAST_MS = 2_000;
export const POLL_SLOW_MS = 15_000;
const RETRY_MS: readonly number[] = [5_000, 10_000, 20_000, 40_000, 60_000];
const FIRST_OF_OURS = 50000;

/** Nobody answered, or the gateway says that the trouble is its own: asking again may help. */
function isPassing(error: Error): boolean {
  return isCallError(error) && (error.code === TRANSPORT_FAILURE || error.code >= FIRST_OF_OURS || error.status >= 500);
}

/**
 * Repeats a request: every 2 s while its answer says that something is under way, every 15 s otherwise. The pause counts
 * from the last answer. A hidden tab asks nothing, and asks at once when it is shown again and the answer is overdue. After
 * an outage it tries again by itself, at growing distance; after any error once when the network or the tab comes back. A
 * refusal it does not repeat. Figures shown while the network was gone are asked for anew as soon as it is back.
 */
export function usePollWhile<D>(
  request: Pollable<D>,
  isInTransition: (data: D) => boolean,
  { fastMs = POLL_FAST_MS, slowMs = POLL_SLOW_MS }: { fastMs?: number; slowMs?: number } = {},
): void {
  const isVisible = useDocumentVisibility() !== 'hidden';
  const { data, error, loading, refresh } = request;
  const latest = useRef({ refresh, isInTransition, isWaiting: false });
  const hasAnswer = error !== undefined || (data !== undefined && isVisible);
  latest.current = { refresh, isInTransition, isWaiting: hasAnswer && !loading };
  const failures = useRef<{ error: Error | undefined; count: number }>({ error: undefined, count: 0 });
  const wasHidden = useRef(false);
  const answer = useRef<{ data: D | undefined; at: number }>({ data: undefined, at: 0 });

  useEffect(() => {
    // Every answer is a new object, also one that came so fast that `loading` was never drawn.
    if (answer.current.data !== data) answer.current = { data, at: performance.now() };
    if (failures.current.error !== error) failures.current = { error, count: error ? failures.current.count + 1 : 0 };
    if (!isVisible) wasHidden.current = true;
    if (!isVisible || loading) return;
    const isBack = wasHidden.current;
    wasHidden.current = false;
    let waitMs: number;
    if (error) {
      if (!isBack && !isPassing(error)) return;
      waitMs = isBack ? 0 : (RETRY_MS[Math.min(failures.current.count, RETRY_MS.length) - 1] ?? 0);
    } else {
      if (data === undefined) return;
      const intervalMs = latest.current.isInTransition(data) ? fastMs : slowMs;
      waitMs = Math.max(0, intervalMs - (performance.now() - answer.current.at));
    }
    const timer = setTimeout(() => latest.current.refresh(), waitMs);
    return () => clearTimeout(timer);
  }, [isVisible, loading, error, data, fastMs, slowMs]);

  useEffect(() => {
    const handleOnline = () => latest.current.isWaiting && latest.current.refresh();
    window.addEventListener('online', handleOnline);
    return () => window.removeEventListener('online', handleOnline);
  }, []);
}
