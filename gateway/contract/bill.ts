import { Type } from '@sinclair/typebox';
import { type CallTypes, Dcu, defineCalls, Fields, Id, Instant, Nullable, OneOf, PageOf, Paging } from './contract';
import { Day } from './points';

/** A month of the billing time zone. */
const Month = Type.String({ pattern: '^[0-9]{4}-(0[1-9]|1[0-2])$' });

/** From and to are days, both counted in; at most 366 of them. */
const span = { from: Day, to: Day };

/** What a line is counted for; the present month is open until its last lab has been charged. */
export const billSteps = ['day', 'month'] as const;
export const billGroups = ['workshop', 'spec'] as const;

const Segment = Fields({
  segment: Type.Integer({ minimum: 1 }),
  from: Instant,
  to: Instant,
  observedMs: Type.Integer(),
  dcuPerHour: Dcu,
  dcu: Dcu,
});

export const billCalls = defineCalls({
  'GET /gateway/bill/page': {
    summary: 'Usage lines of a span of days, newest first: what one lab session cost on one day.',
    access: 'member',
    query: Fields({ ...Paging, ...span, workshopId: Type.Optional(Id) }),
    data: Fields({
      ...PageOf(
        Fields({
          day: Day,
          sessionId: Id,
          workshopId: Id,
          workshopName: Type.String(),
          specName: Type.String(),
          observedMs: Type.Integer(),
          dcu: Dcu,
          segments: Type.Integer(),
        }),
      ).properties,
      /** Of all lines, not of the page. */
      totalDcu: Dcu,
    }),
    errors: [],
  },
  'GET /gateway/bill/summary': {
    summary: 'The same span by day or month and by workshop or spec.',
    access: 'member',
    query: Fields({ ...span, step: OneOf(billSteps), group: OneOf(billGroups) }),
    data: Fields({
      totalDcu: Dcu,
      observedMs: Type.Integer(),
      series: Type.Array(Fields({ period: Type.Union([Day, Month]), dcu: Dcu, observedMs: Type.Integer() })),
      groups: Type.Array(
        Fields({ groupId: Type.String(), name: Type.String(), dcu: Dcu, observedMs: Type.Integer(), sessions: Type.Integer() }),
      ),
      /** The billing time zone, as its offset: days and months begin and end by it. */
      utcOffset: Type.String(),
    }),
    errors: [],
  },
  'GET /gateway/bill/segments': {
    summary:
      'One session’s charges, segment by segment, each computed again from rate and observed time, and the two sums beside each other.',
    access: 'member',
    query: Fields({ sessionId: Id, ...Paging }),
    data: Fields({
      ...PageOf(Segment).properties,
      workshopName: Type.String(),
      specName: Type.String(),
      startedAt: Nullable(Instant),
      endedAt: Nullable(Instant),
      chargedDcu: Dcu,
      /** floor(rate × observed time), from the segments alone. */
      recomputedDcu: Dcu,
      isExact: Type.Boolean(),
    }),
    errors: ['NOT_FOUND'],
  },
  'GET /gateway/bill/export': {
    summary: 'The lines of a span as CSV, streamed; cells that a spreadsheet would compute are made plain text.',
    access: 'member',
    query: Fields({ ...span, workshopId: Type.Optional(Id) }),
    data: Type.String(),
    stream: 'text/csv; charset=utf-8',
    errors: [],
  },
});

export type BillCalls = CallTypes<typeof billCalls>;
