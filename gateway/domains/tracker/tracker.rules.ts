import type { TrackCalls } from '../../contract/track';
import type { FieldProblem } from '../../locales/fieldProblems';

export type TrackedBatch = TrackCalls['POST /gateway/track/events']['body'];
export type TrackedEvent = TrackedBatch['events'][number];
type Detail = Exclude<keyof TrackedEvent, 'kind' | 'agoMs' | 'route'>;

/** What is told of each kind beside when and where: what must be there and what may. */
const details: Readonly<Record<TrackedEvent['kind'], { needed: readonly Detail[]; possible: readonly Detail[] }>> = {
  pageView: { needed: [], possible: [] },
  click: { needed: ['element'], possible: [] },
  error: { needed: ['errorType'], possible: ['file', 'line', 'column'] },
  timing: { needed: ['timing', 'durationMs'], possible: [] },
};

const allDetails = [...new Set(Object.values(details).flatMap(({ needed, possible }) => [...needed, ...possible]))];

/** What a batch's events tell too little or too much for their kind, field by field. */
export function problemsOf({ events }: TrackedBatch): FieldProblem[] {
  return events.flatMap((event, index) => {
    const { needed, possible } = details[event.kind];
    const missing = needed.filter((name) => event[name] === undefined);
    const surplus = allDetails.filter((name) => event[name] !== undefined && !needed.includes(name) && !possible.includes(name));
    return [
      ...missing.map((name): FieldProblem => ({ field: `body.events.${index}.${name}`, word: 'required' })),
      ...surplus.map((name): FieldProblem => ({ field: `body.events.${index}.${name}`, word: 'unknown' })),
    ];
  });
}

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** True for a browser whose owner asks not to be tracked: Do Not Track, or Global Privacy Control. */
export function asksForNoTracking(headers: Headers): boolean {
  return headers.dnt === '1' || headers['sec-gpc'] === '1';
}
