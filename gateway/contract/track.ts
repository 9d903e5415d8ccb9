import { Type } from '@sinclair/typebox';
import { type CallTypes, defineCalls, Fields, Id, OneOf } from './contract';
import { elementPattern, errorTypePattern, originPattern, routePattern, scriptFilePattern, trackLimits } from './trackLimits';

export const trackedKinds = ['pageView', 'click', 'error', 'timing'] as const;
/** What the browser measured of a page's load; sent only where performance tracking is switched on. */
export const timings = ['firstByte', 'firstPaint', 'domReady', 'loaded'] as const;

const Origin = Type.Optional(Type.String({ maxLength: trackLimits.wordLength, pattern: originPattern }));
const Position = Type.Optional(Type.Integer({ minimum: 0, maximum: trackLimits.line }));

/** One thing that happened. Which of the optional fields belong to which kind is `tracker.rules`'. */
const TrackedEvent = Fields({
  kind: OneOf(trackedKinds),
  /** How long before the batch was sent; the browser's own clock is not asked. */
  agoMs: Type.Integer({ minimum: 0, maximum: trackLimits.ageMs }),
  /** The pattern of the page it happened on, `/main/myLab/workshop/detail/:workshopId`. */
  route: Type.String({ minLength: 1, maxLength: trackLimits.routeLength, pattern: routePattern }),
  element: Type.Optional(Type.String({ maxLength: trackLimits.wordLength, pattern: elementPattern })),
  errorType: Type.Optional(Type.String({ maxLength: trackLimits.wordLength, pattern: errorTypePattern })),
  file: Type.Optional(Type.String({ maxLength: trackLimits.fileLength, pattern: scriptFilePattern })),
  line: Position,
  column: Position,
  timing: Type.Optional(OneOf(timings)),
  durationMs: Type.Optional(Type.Integer({ minimum: 0, maximum: trackLimits.timingMs })),
});

export const trackCalls = defineCalls({
  'POST /gateway/track/events': {
    summary:
      'The tracker’s beacon: what happened on a visit’s pages. `accepted` is 0 where tracking is off or the browser asks for none.',
    access: 'visitor',
    bodyLimitBytes: trackLimits.bodyBytes,
    body: Fields({
      /** Random, one a browser tab; it belongs to nobody. */
      visitId: Id,
      source: Origin,
      eventCode: Origin,
      events: Type.Array(TrackedEvent, { minItems: 1, maxItems: trackLimits.batchSize }),
    }),
    data: Fields({ accepted: Type.Integer() }),
    errors: [],
  },
});

export type TrackCalls = CallTypes<typeof trackCalls>;
