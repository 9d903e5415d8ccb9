import type { TrackCalls } from '../../gateway/contract/track';
import { trackLimits } from '../../gateway/contract/trackLimits';
import type { TrackerSettings } from './trackerPage';

type Batch = TrackCalls['POST /gateway/track/events']['body'];
/** An event as it is recorded; its age is known when it is sent. */
export type Happening = Omit<Batch['events'][number], 'agoMs'>;
type Kept = Happening & { atMs: number };

const URL = '/gateway/track/events';
/** Offline, the oldest events give way. */
const MOST_KEPT = 100;

/** Keeps events until a batch is full, the time is up or the page goes, and sends them; what cannot be sent waits for the next time. */
export function createOutbox({ batchSize, flushMs, beacon }: TrackerSettings, visit: Omit<Batch, 'events'>) {
  const kept: Kept[] = [];
  let timer: ReturnType<typeof setTimeout> | null = null;
  /** After a failure only the clock and the page's end try again: a gateway in trouble is not asked at every click. */
  let isFailing = false;

  function add(event: Happening): void {
    kept.push({ ...event, atMs: Date.now() });
    kept.splice(0, kept.length - MOST_KEPT);
    if (kept.length >= batchSize && !isFailing) flush();
    else wait();
  }

  function wait(): void {
    timer ??= setTimeout(flush, flushMs);
  }

  function flush(): void {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    isFailing = navigator.onLine === false;
    const tooOld = Date.now() - trackLimits.ageMs;
    kept.splice(0, kept.filter(({ atMs }) => atMs < tooOld).length);
    while (kept.length > 0 && !isFailing) send(kept.splice(0, batchSize));
    if (kept.length > 0) wait();
  }

  function send(events: Kept[]): void {
    const now = Date.now();
    // A clock that was set back must not put an event into the future.
    const told = events.map(({ atMs, ...event }) => ({ ...event, agoMs: Math.max(0, now - atMs) }));
    const body = JSON.stringify({ ...visit, events: told });
    if (beacon && navigator.sendBeacon?.(URL, new Blob([body], { type: 'application/json' }))) return;
    const failed = () => putBack(events);
    fetch(URL, { method: 'POST', body, keepalive: true, headers: { 'content-type': 'application/json' } }).then(
      ({ status }) => (status === 429 || status >= 500) && failed(),
      failed,
    );
  }

  function putBack(events: Kept[]): void {
    isFailing = true;
    kept.unshift(...events);
    kept.splice(0, kept.length - MOST_KEPT);
    wait();
  }

  return { add, flush };
}
