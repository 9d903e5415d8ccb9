import type { TrackCalls } from '../contract/track';

type TrackedEvent = TrackCalls['POST /gateway/track/events']['body']['events'][number];

export interface TrackerEventTable {
  at: Date;
  visitId: string;
  isSignedIn: boolean;
  source: string | null;
  eventCode: string | null;
  kind: TrackedEvent['kind'];
  route: string;
  element: string | null;
  errorType: string | null;
  file: string | null;
  line: number | null;
  column: number | null;
  timing: TrackedEvent['timing'] | null;
  durationMs: number | null;
}
