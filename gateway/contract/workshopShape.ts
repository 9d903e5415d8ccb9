import { Type } from '@sinclair/typebox';
import { Dcu, Fields, Id, Instant, Nullable, OneOf } from './contract';
import { limits } from './limits';
import { stopCauses, stopReasons, workshopStates } from './workshopStates';

/** Nothing that cannot be seen (control, direction, zero width), which would make two names look alike; emoji need the joiner. */
const VISIBLE = '(?:[^\\p{Cc}\\p{Cf}\\p{Cs}]|\\u200d)';
export const WorkshopName = Type.String({
  minLength: limits.workshopName.min,
  maxLength: limits.workshopName.max,
  // Not only white space either.
  pattern: `^${VISIBLE}*[^\\s\\p{Cc}\\p{Cf}\\p{Cs}]${VISIBLE}*$`,
});
export const SpecId = Type.String({ minLength: 1, maxLength: 64 });
export const ImageId = Type.String({ minLength: 1, maxLength: 64 });

/** What a member chooses for the runs of a workshop beside its spec and image. */
export const setupFields = {
  /** Stopped after so many hours of running; null for no limit of one’s own. */
  maxHours: Nullable(Type.Integer({ minimum: limits.maxHours.min, maximum: limits.maxHours.max })),
  /** Stopped after so many minutes without use; null never. An attached terminal is use. */
  idleMinutes: Nullable(Type.Integer({ minimum: limits.idleMinutes.min, maximum: limits.idleMinutes.max })),
  /** Variables of its shells; those the lab itself sets are refused. */
  env: Type.Record(
    Type.String({ pattern: '^[A-Za-z_][A-Za-z0-9_]{0,63}$' }),
    Type.String({ maxLength: limits.envValueLength, pattern: '^[^\\n\\r\\0]*$' }),
    { maxProperties: limits.envNames, additionalProperties: false },
  ),
  /** `egress` needs a verified real name and an engine that keeps labs apart from private networks. */
  network: OneOf(['none', 'egress']),
};

/** What a lab gets and what an hour of it costs. */
export const specFields = {
  specId: Type.String(),
  name: Type.String(),
  cpuCores: Type.Number(),
  memoryBytes: Type.Integer(),
  diskBytes: Type.Integer(),
  dcuPerHour: Dcu,
};
export const Spec = Fields(specFields);
export const Image = Fields({ imageId: Type.String(), name: Type.String() });

/** What a run used says that another size fits better. */
export const Advice = Fields({
  kind: OneOf(['SMALLER', 'LARGER']),
  specId: Type.String(),
  name: Type.String(),
  dcuPerHour: Dcu,
  evidence: Fields({
    /** 100 is one core. */
    cpuP95Percent: Type.Number(),
    memoryPeakBytes: Type.Integer(),
    minutes: Type.Integer(),
  }),
});

/** The open lab session of a workshop: one run from start to stop. */
const OpenSession = Fields({
  sessionId: Id,
  queuedAt: Instant,
  startedAt: Nullable(Instant),
  runningMs: Type.Integer(),
  dcuPerHour: Dcu,
  costDcu: Dcu,
  /** The earliest of maximum hours (with what was added), level, balance and, while it is not in use, idle limit; null before it runs. */
  stopsAt: Nullable(Instant),
  stopsCause: Nullable(OneOf(stopCauses)),
  /** Whole hours that may still be added to the member’s maximum. */
  extendableHours: Type.Integer(),
  /** Since when it is not in use; null while it is. */
  idleSince: Nullable(Instant),
  /** How far queueing, fetching or filling is; `percent` is null while nobody can tell. */
  progress: Nullable(Fields({ percent: Nullable(Type.Number()), detail: Type.String() })),
  terminalIds: Type.Array(Type.String()),
});

const LastSession = Fields({
  sessionId: Id,
  startedAt: Nullable(Instant),
  endedAt: Instant,
  runningMs: Type.Integer(),
  costDcu: Dcu,
  stopReason: OneOf(stopReasons),
  exitCode: Nullable(Type.Integer()),
  /** What it printed was kept. */
  hasOutput: Type.Boolean(),
  /** Null also where the workshop has another spec by now. */
  advice: Nullable(Advice),
});

export const Workshop = Fields({
  workshopId: Id,
  name: Type.String(),
  state: OneOf(workshopStates),
  stateChangedAt: Instant,
  spec: Spec,
  image: Image,
  ...setupFields,
  failure: Nullable(Fields({ code: Type.String(), hint: Type.String(), isRetryable: Type.Boolean() })),
  /** Why it waits or is lost, in the member’s language; empty otherwise. */
  stateReason: Type.String(),
  session: Nullable(OpenSession),
  lastSession: Nullable(LastSession),
  totalCostDcu: Dcu,
  /** CPU per cent of the last minutes, oldest first, for the sparkline. */
  cpuTrend: Type.Array(Type.Number()),
  /** Files were kept from a run or an upload. */
  isHomeThere: Type.Boolean(),
  createdAt: Instant,
});

export const ByWorkshop = Fields({ workshopId: Id });

/** What a start can refuse; making a workshop can refuse all of it too. */
export const startErrors = [
  'NOT_FOUND',
  'WORKSHOP_STATE_CONFLICT',
  'SPEC_UNAVAILABLE',
  'IMAGE_UNAVAILABLE',
  'ENGINE_UNAVAILABLE',
  'ENGINE_ELSEWHERE',
  'ENGINE_NO_NETWORK',
  'REAL_NAME_REQUIRED',
  'MEMBER_MAX_LEVEL_CPU_LIMIT',
  'MEMBER_NOT_MAX_LEVEL_CPU_LIMIT',
  'MEMBER_DCU_LIMIT',
  'MEMBER_RUNNING_LABS_LIMIT',
  'MEMBER_STORAGE_LIMIT',
] as const;
