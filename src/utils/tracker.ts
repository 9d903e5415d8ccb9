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
