import { Type } from '@sinclair/typebox';
import { type CallTypes, Dcu, defineCalls, Fields, Id, Instant, Nullable, OneOf, PageOf, Paging } from './contract';
import { ByWorkshop, ImageId, SpecId, setupFields, specFields, startErrors, Workshop, WorkshopName } from './workshopShape';
import { workshopStates } from './workshopStates';

const { maxHours, idleMinutes, env, network } = setupFields;
const chosen = {
  maxHours: Type.Optional(maxHours),
  idleMinutes: Type.Optional(idleMinutes),
  env: Type.Optional(env),
  network: Type.Optional(network),
};

const CpuSpec = Fields({
  ...specFields,
  priceVersion: Type.Integer(),
  /** The lowest level whose ceilings allow this spec alone. */
  minimumLevel: Type.Integer({ minimum: 0, maximum: 3 }),
  isAllowed: Type.Boolean(),
  isAvailable: Type.Boolean(),
  /** Why it is not available now; empty when it is. */
  reason: Type.String(),
});

const WorkshopEvent = Fields({
  eventId: Type.String(),
  at: Instant,
  from: Nullable(OneOf(workshopStates)),
  to: OneOf(workshopStates),
  /** A stable word for why, translated by the page. */
  reason: Type.String(),
  actor: OneOf(['member', 'system', 'operator']),
  /** The evidence, by name (`{ runningMs, costDcu, limitMs, … }`). */
  evidence: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()])),
  sessionId: Nullable(Id),
});

export const metricRanges = ['15m', '1h', '6h', '24h', '7d'] as const;
export type MetricRange = (typeof metricRanges)[number];

export const workshopCalls = defineCalls({
  'GET /gateway/workshop/cpuSpec': {
    summary: 'The specs on offer with price per hour, the level each needs and whether the engine offers it now.',
    access: 'member',
    data: Fields({
      list: Type.Array(CpuSpec),
      /** Whether labs can reach the internet here, and, where not, why. */
      network: Fields({ isAvailable: Type.Boolean(), reason: Type.String() }),
    }),
    errors: [],
  },
  'POST /gateway/workshop/create': {
    summary: 'Makes a workshop; with `startNow` it is queued in the same step, or nothing is made.',
    access: 'member',
    body: Fields({
      name: WorkshopName,
      specId: SpecId,
      imageId: ImageId,
      ...chosen,
      startNow: Type.Optional(Type.Boolean({ default: false })),
    }),
    data: Workshop,
    errors: ['WORKSHOP_NAME_TAKEN', 'WORKSHOP_LIMIT', 'IDEMPOTENCY_CONFLICT', ...startErrors],
    audited: 'data.workshopId',
    idempotent: true,
  },
  'POST /gateway/workshop/update': {
    summary: 'Renames a workshop, changes its hours and idle limit, or, while stopped, its spec, image, environment and network.',
    access: 'member',
    // With the workshop at least one thing to change.
    body: Fields(
      {
        workshopId: Id,
        name: Type.Optional(WorkshopName),
        specId: Type.Optional(SpecId),
        imageId: Type.Optional(ImageId),
        ...chosen,
      },
      { minProperties: 2 },
    ),
    data: Workshop,
    errors: [
      'NOT_FOUND',
      'WORKSHOP_NAME_TAKEN',
      'WORKSHOP_STATE_CONFLICT',
      'SPEC_UNAVAILABLE',
      'IMAGE_UNAVAILABLE',
      'ENGINE_UNAVAILABLE',
      'ENGINE_NO_NETWORK',
      'REAL_NAME_REQUIRED',
    ],
    audited: 'body.workshopId',
  },
  'POST /gateway/workshop/start': {
    summary: 'Wishes a workshop to run: queues a lab session that holds ten minutes of its rate.',
    access: 'member',
    body: ByWorkshop,
    data: Workshop,
    errors: ['IDEMPOTENCY_CONFLICT', ...startErrors],
    audited: 'body.workshopId',
    idempotent: true,
  },
  'POST /gateway/workshop/stop': {
    summary:
      'Wishes a workshop to stop, or, by force, to end without grace; its home is kept, the meter ends with the last observed running moment.',
    access: 'member',
    body: Fields({ workshopId: Id, isForced: Type.Optional(Type.Boolean({ default: false })) }),
    data: Workshop,
    errors: ['NOT_FOUND', 'WORKSHOP_STATE_CONFLICT'],
    audited: 'body.workshopId',
  },
  'POST /gateway/workshop/delete': {
    summary: 'Deletes a stopped workshop with its home; bills stay.',
    access: 'member',
    body: ByWorkshop,
    data: Workshop,
    errors: ['NOT_FOUND', 'WORKSHOP_STATE_CONFLICT'],
    audited: 'body.workshopId',
  },
  'GET /gateway/workshop/get': {
    summary: 'One workshop with its open session, cost so far and what stops it next.',
    access: 'member',
    query: ByWorkshop,
    data: Workshop,
    errors: ['NOT_FOUND'],
  },
  'GET /gateway/workshop/page': {
    summary: 'The member’s workshops.',
    access: 'member',
    query: Fields({
      ...Paging,
      keyword: Type.Optional(Type.String({ maxLength: 40 })),
      state: Type.Optional(OneOf(workshopStates)),
      specId: Type.Optional(SpecId),
      sortField: Type.Optional(OneOf(['createdAt', 'name', 'stateChangedAt'])),
      sortOrder: Type.Optional(OneOf(['ascend', 'descend'])),
    }),
    data: PageOf(Workshop),
    errors: [],
  },
  'GET /gateway/workshop/filterList': {
    summary: 'The values the list’s filters offer: states and specs among the member’s workshops, with counts.',
    access: 'member',
    data: Fields({
      states: Type.Array(Fields({ state: OneOf(workshopStates), count: Type.Integer() })),
      specs: Type.Array(Fields({ specId: Type.String(), name: Type.String(), count: Type.Integer() })),
    }),
    errors: [],
  },
  'GET /gateway/workshop/events': {
    summary: 'The timeline of a workshop, newest first.',
    access: 'member',
    query: Fields({ workshopId: Id, ...Paging }),
    data: PageOf(WorkshopEvent),
    errors: ['NOT_FOUND'],
  },
  'POST /gateway/workshop/terminal': {
    summary: 'A one-use ticket, good for 60 s, for the terminal socket; without `terminalId` for a new terminal.',
    access: 'member',
    body: Fields({ workshopId: Id, terminalId: Type.Optional(Id) }),
    data: Fields({ ticket: Type.String(), path: Type.String(), terminalId: Id, expiresInSeconds: Type.Integer() }),
    errors: ['NOT_FOUND', 'WORKSHOP_NOT_RUNNING', 'TERMINAL_LIMIT', 'ENGINE_UNAVAILABLE', 'ENGINE_ELSEWHERE'],
    audited: 'body.workshopId',
  },
  'GET /gateway/workshop/metricsStatistics': {
    summary: 'Series of one workshop over a range, or of one run over its whole life; without either only the member’s own totals.',
    access: 'member',
    query: Fields({ workshopId: Type.Optional(Id), sessionId: Type.Optional(Id), range: Type.Optional(OneOf(metricRanges)) }),
    data: Fields({
      /** Equal-length arrays, oldest first; null where nothing was sampled. */
      series: Fields({
        at: Type.Array(Instant),
        cpuPercent: Type.Array(Nullable(Type.Number())),
        memoryBytes: Type.Array(Nullable(Type.Number())),
        diskBytes: Type.Array(Nullable(Type.Number())),
        rxBytesPerSecond: Type.Array(Nullable(Type.Number())),
        txBytesPerSecond: Type.Array(Nullable(Type.Number())),
        costDcu: Type.Array(Nullable(Type.Number())),
      }),
      memoryLimitBytes: Nullable(Type.Integer()),
      cpuCores: Nullable(Type.Number()),
      summary: Fields({
        running: Type.Integer(),
        stopped: Type.Integer(),
        hoursThisMonth: Type.Number(),
        dcuThisMonth: Dcu,
      }),
    }),
    errors: ['NOT_FOUND'],
  },
});

export type WorkshopCalls = CallTypes<typeof workshopCalls>;
