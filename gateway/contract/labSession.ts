import { Type } from '@sinclair/typebox';
import { type CallTypes, Dcu, defineCalls, Fields, Id, Instant, Nullable, OneOf, PageOf, Paging } from './contract';
import { Advice, Image, Spec, SpecId, setupFields, startErrors, Workshop, WorkshopName } from './workshopShape';
import { stopReasons } from './workshopStates';

/** One run of a workshop from start to stop; the page calls it an instance. */
const LabSession = Fields({
  sessionId: Id,
  workshopId: Id,
  workshopName: Type.String(),
  isWorkshopThere: Type.Boolean(),
  spec: Spec,
  image: Image,
  /** What the workshop was set to when the run began. */
  setup: Fields(setupFields),
  queuedAt: Instant,
  startedAt: Nullable(Instant),
  endedAt: Nullable(Instant),
  stopReason: Nullable(OneOf(stopReasons)),
  exitCode: Nullable(Type.Integer()),
  runningMs: Type.Integer(),
  /** What an hour of it cost at last. */
  dcuPerHour: Dcu,
  costDcu: Dcu,
  /** What it printed was kept. */
  hasOutput: Type.Boolean(),
  advice: Nullable(Advice),
});

const BySession = Fields({ sessionId: Id });

export const labSessionCalls = defineCalls({
  'GET /gateway/session/page': {
    summary: 'The member’s runs, newest first unless sorted; `from` and `to` bound when each was asked for.',
    access: 'member',
    query: Fields({
      ...Paging,
      /** Part of the workshop’s name. */
      keyword: Type.Optional(Type.String({ maxLength: 40 })),
      state: Type.Optional(OneOf(['OPEN', 'ENDED'])),
      stopReason: Type.Optional(OneOf(stopReasons)),
      specId: Type.Optional(SpecId),
      from: Type.Optional(Instant),
      to: Type.Optional(Instant),
      sortField: Type.Optional(OneOf(['startedAt', 'costDcu', 'runningMs'])),
      sortOrder: Type.Optional(OneOf(['ascend', 'descend'])),
    }),
    data: PageOf(LabSession),
    errors: [],
  },
  'GET /gateway/session/filterList': {
    summary: 'The values the list’s filters offer among the member’s runs, with counts.',
    access: 'member',
    data: Fields({
      states: Type.Array(Fields({ state: OneOf(['OPEN', 'ENDED']), count: Type.Integer() })),
      stopReasons: Type.Array(Fields({ stopReason: OneOf(stopReasons), count: Type.Integer() })),
      specs: Type.Array(Fields({ specId: Type.String(), name: Type.String(), count: Type.Integer() })),
    }),
    errors: [],
  },
  'POST /gateway/session/copy': {
    summary: 'Makes a workshop with the spec, image and settings of a run; without a name it is called after the run’s workshop.',
    access: 'member',
    body: Fields({
      sessionId: Id,
      name: Type.Optional(WorkshopName),
      startNow: Type.Optional(Type.Boolean({ default: false })),
    }),
    data: Workshop,
    errors: ['WORKSHOP_NAME_TAKEN', 'WORKSHOP_LIMIT', 'IDEMPOTENCY_CONFLICT', ...startErrors],
    audited: 'data.workshopId',
    idempotent: true,
  },
  'POST /gateway/session/delete': {
    summary: 'Takes an ended run out of the list; its bill stays.',
    access: 'member',
    body: BySession,
    data: BySession,
    errors: ['NOT_FOUND', 'SESSION_OPEN'],
    audited: 'body.sessionId',
  },
});

export type LabSessionCalls = CallTypes<typeof labSessionCalls>;
