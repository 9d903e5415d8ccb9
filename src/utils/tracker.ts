import { matchRoutes } from '@umijs/max';
import type { TrackerSettings } from '../tracker/trackerPage';
import { visitOrigin } from './visitOrigin';

/** The specification's settings of the usage tracker. */
const settings: TrackerSettings = {
  batchSize: 10,
  flushMs: 60_000,
  beacon: true,
  pageViews: true,
  clicks: true,
  errors: true,
  performance: false,
};

/** Of the program's file; the gateway serves it there, and in development Umi's server does. */
const PROGRAM = '/tracker/tracker.js';

/** Loads the usage tracker beside the page. Where it does not load (blocked, switched off, offline) nothing is told and nothing else changes. */
export function startTracker(): void {
  window.atelierTracker = { settings, origin: visitOrigin(), opened: [] };
  const script = document.createElement('script');
  script.src = PROGRAM;
  script.async = true;
  document.head.append(script);
}

/** As much of Umi's route change as is needed; it types it as any. */
interface RouteChange {
  routes: Readonly<Record<string, { path?: string; redirect?: string } | undefined>>;
  clientRoutes: NonNullable<Parameters<typeof matchRoutes>[0]>;
  location: { pathname: string };
}

let openedPathname = '';

/** Tells the tracker that another page was opened: its pattern, never its address. A change of the query alone opens no page. */
export function trackPage({ routes, clientRoutes, location: { pathname } }: RouteChange): void {
  const page = window.atelierTracker;
  if (!page || pathname === openedPathname) return;
  openedPathname = pathname;
  const leaf: { path?: string; id?: string } | undefined = matchRoutes(clientRoutes, pathname)?.at(-1)?.route;
  const { path, redirect } = routes[leaf?.id ?? ''] ?? {};
  if (path === undefined || redirect !== undefined) return;
  if (page.onOpen) page.onOpen(path);
  else if (page.opened.length < settings.batchSize) page.opened.push(path);
}
