import { useRequest } from 'ahooks';

const CACHE_MS = 5 * 60_000;
/** However often the focus changes, nothing is asked again sooner. */
export const FOCUS_MS = 5_000;

/**
 * A request whose answer is shared by everything that asks under the same key: shown at once from the cache for five
 * minutes while a fresh one is fetched, and refreshed when the window gets the focus back, at most every five seconds.
 */
export function useCached<D>(key: string, load: () => Promise<D>, options: { isReady?: boolean; freshMs?: number } = {}) {
  return useRequest(load, {
    cacheKey: key,
    cacheTime: CACHE_MS,
    staleTime: options.freshMs ?? 0,
    refreshOnWindowFocus: true,
    focusTimespan: FOCUS_MS,
    ready: options.isReady ?? true,
    // Whoever shows it shows `error` with a retry; without this line ahooks would log it as unhandled.
    onError: () => undefined,
  });
}
