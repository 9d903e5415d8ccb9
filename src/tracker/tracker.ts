import { originPattern, routePattern, trackLimits } from '../../gateway/contract/trackLimits';
import { elementOf, failureOf } from './names';
import { createOutbox, type Happening } from './outbox';
import { measureLoad } from './timings';
import type { TrackerPage } from './trackerPage';
import { visitId } from './visit';

const route = new RegExp(routePattern, 'u');
const origin = new RegExp(originPattern, 'u');
/** A page that fails again and again says so this often. */
const MOST_FAILURES = 10;

/** Whether the browser's owner asks for no tracking: Do Not Track, or Global Privacy Control. */
function isDeclined(): boolean {
  const { doNotTrack, globalPrivacyControl }: Navigator & { globalPrivacyControl?: boolean } = navigator;
  return doNotTrack === '1' || globalPrivacyControl === true;
}

/** Nothing that goes wrong in here may reach the page: it would be tracked in turn, or stand in the member's way. */
function quietly<T extends unknown[]>(act: (...given: T) => void): (...given: T) => void {
  return (...given) => {
    try {
      act(...given);
    } catch {
      // The event is lost, which costs nobody anything.
    }
  };
}

/** Tells the gateway which pages are opened, which named elements are clicked and what fails, as far as the settings say. Never throws. */
export const startTracker = quietly(start);

function start(page: TrackerPage): void {
  if (page.onOpen || isDeclined()) return;
  const { settings } = page;
  const named = Object.entries(page.origin).filter(([, name]) => origin.test(name));
  const outbox = createOutbox(settings, { visitId: visitId(), ...Object.fromEntries(named) });
  let opened = '';
  let failures = new Set<string>();

  const record = (event: Omit<Happening, 'route'>) => {
    if (opened !== '') outbox.add({ ...event, route: opened });
  };
  const open = (pattern: string) => {
    opened = route.test(pattern) && pattern.length <= trackLimits.routeLength ? pattern : '';
    failures = new Set();
    if (settings.pageViews) record({ kind: 'pageView' });
  };
  const fail = (failure: Partial<Happening> | null) => {
    const key = JSON.stringify(failure);
    if (!failure || failures.has(key) || failures.size === MOST_FAILURES) return;
    failures.add(key);
    record({ kind: 'error', ...failure });
  };

  page.onOpen = quietly(open);
  for (const pattern of page.opened.splice(0)) open(pattern);
  if (settings.clicks) {
    const click = ({ target }: Event) => {
      const element = elementOf(target);
      if (element !== null) record({ kind: 'click', element });
    };
    document.addEventListener('click', quietly(click), true);
  }
  if (settings.errors) {
    const place = (event: ErrorEvent) => ({ file: event.filename, line: event.lineno, column: event.colno });
    window.addEventListener(
      'error',
      quietly((event) => fail(failureOf(event.error, place(event)))),
    );
    window.addEventListener(
      'unhandledrejection',
      quietly(({ reason }) => fail(failureOf(reason))),
    );
  }
  if (settings.performance) measureLoad(quietly(record));
  document.addEventListener(
    'visibilitychange',
    quietly(() => document.visibilityState === 'hidden' && outbox.flush()),
  );
  window.addEventListener('pagehide', quietly(outbox.flush));
}
