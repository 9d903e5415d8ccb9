import type { StopReason, WorkshopState } from '../../contract/workshopStates';
import type { EndReason, Observed } from '../../drivers/compute/computeEngine';
import type { FailureCode } from '../../locales/workshopWords';
import { hoursLimit, idleStopsInMs, isWarnedOf } from '../workshop/idle.rules';

/** How long a workshop may be in a state before the loop acts. */
export const timeoutsMs = {
  PULLING: 30 * 60_000,
  STARTING: 2 * 60_000,
  STOPPING: 2 * 60_000,
  LOST: 24 * 3_600_000,
} as const;

/** An engine silent or unhealthy for longer than this makes its labs LOST. */
export const LOST_AFTER_MS = 10_000;
/** Only this many healthy, complete listings without a lab are evidence that it is gone. */
export const ABSENCES_FOR_GONE = 2;
/** What a run's progress says while its home is being filled from its image. */
export const FILLING = 'FILLING';
export const STOP_GRACE_MS = 10_000;

/** A workshop of our engine instance with its open session, as the database has it. */
export interface Wish {
  state: WorkshopState;
  stateReason: string;
  stateAgeMs: number;
  desired: 'stopped' | 'running' | 'deleted';
  /** Null for a workshop that is being deleted. */
  session: {
    observedMs: number;
    maxHours: number | null;
    extendedMs: number;
    levelMaxHours: number;
    idleMinutes: number | null;
    /** Since it was last seen in use; null before it is seen running. */
    idleMs: number | null;
  } | null;
}

/** What the engine said, or how long it has said nothing. */
export type Evidence =
  | { kind: 'listing'; lab: Observed | null; absences: number; isHomeBusy: boolean }
  | { kind: 'none'; silentMs: number };

/** How a session ended and what the workshop becomes. */
export interface Outcome {
  stopReason: StopReason | 'LEASE';
  to: 'STOPPED' | 'FAILED';
  failure?: { code: FailureCode; isRetryable: boolean };
}

export type LimitReason = 'MAX_HOURS' | 'LEVEL_MAX_HOURS' | 'IDLE';

/** A stop nobody asked for that is near. */
export interface Warning {
  cause: LimitReason;
  stopsInMs: number;
}

/** The one next step that brings a workshop nearer to its wish, or writes down what was seen. */
export type Step =
  | { do: 'nothing' }
  | { do: 'wait'; reason: 'WAITS_FOR_ENGINE' | 'WAITS_FOR_EARLIER_RUN' }
  | { do: 'launch' }
  | { do: 'launchAgain' }
  | { do: 'see'; to: 'PULLING' | 'STARTING' | 'RUNNING' | 'STOPPING'; isBack: boolean }
  | { do: 'beginStop'; reason: LimitReason | 'START_TIMEOUT' | 'LEASE' }
  | { do: 'stop'; isForced: boolean }
  | { do: 'warn'; warnings: readonly Warning[] }
  | { do: 'lose' }
  | { do: 'end'; outcome: Outcome }
  | { do: 'deleteHome' };

const nothing: Step = { do: 'nothing' };

/**
 * The adoption and absence rules in one pure function. A lab is adopted when a healthy, complete listing of its own instance has
 * it, believed gone after two without it, and LOST while there is no such listing; nothing else counts as evidence.
 */
export function nextStep(wish: Wish, evidence: Evidence): Step {
  if (wish.session === null) return withoutSession(wish, evidence);
  if (evidence.kind === 'none') return inSilence(wish, evidence.silentMs);
  if (evidence.lab?.state === 'ended') return { do: 'end', outcome: outcomeOf(evidence.lab.endReason, wish) };
  if (evidence.lab) return whileListed(wish, evidence.lab, wish.session);
  return whileAbsent(wish, evidence, wish.session);
}

function withoutSession(wish: Wish, evidence: Evidence): Step {
  if (wish.state !== 'DELETING') return nothing;
  if (evidence.kind === 'none') {
    const isWorthSaying = evidence.silentMs > LOST_AFTER_MS && wish.stateReason === '';
    return isWorthSaying ? { do: 'wait', reason: 'WAITS_FOR_ENGINE' } : nothing;
  }
  if (evidence.isHomeBusy) return nothing;
  return { do: 'deleteHome' };
}

function inSilence(wish: Wish, silentMs: number): Step {
  if (silentMs <= LOST_AFTER_MS) return nothing;
  if (wish.state === 'QUEUED')
    return wish.stateReason === 'WAITS_FOR_ENGINE' ? nothing : { do: 'wait', reason: 'WAITS_FOR_ENGINE' };
  if (wish.state !== 'LOST') return { do: 'lose' };
  return wish.stateAgeMs > timeoutsMs.LOST ? { do: 'end', outcome: failed('ENGINE_LOST') } : nothing;
}

function whileListed(wish: Wish, lab: Observed, session: NonNullable<Wish['session']>): Step {
  const isBack = wish.state === 'LOST';
  if (wish.desired !== 'running') {
    if (wish.state !== 'STOPPING') return { do: 'see', to: 'STOPPING', isBack };
    const isForced = wish.stateReason === 'FORCED' || wish.stateAgeMs > timeoutsMs.STOPPING;
    return lab.state === 'stopping' && !isForced ? nothing : { do: 'stop', isForced };
  }
  // Nobody here asked: the engine is stopping it at its lease.
  if (lab.state === 'stopping') return { do: 'beginStop', reason: 'LEASE' };
  if (lab.state === 'queued' || lab.state === 'pulling' || lab.state === 'starting') return whileComingUp(wish, lab.state, isBack);
  if (wish.state !== 'RUNNING') return { do: 'see', to: 'RUNNING', isBack };
  return byLimits(lab.runningMs, session);
}

/** What was seen running does not begin anew, and nothing goes back to an earlier state of its start: the next look will tell. */
function whileComingUp(wish: Wish, seen: 'queued' | 'pulling' | 'starting', isBack: boolean): Step {
  if (wish.state === 'RUNNING') return nothing;
  if (wish.state === 'QUEUED' && seen !== 'starting') return seen === 'pulling' ? { do: 'see', to: 'PULLING', isBack } : nothing;
  if (wish.state === 'PULLING' && seen !== 'starting') return untilTimeout(wish, timeoutsMs.PULLING);
  if (wish.state !== 'STARTING') return { do: 'see', to: 'STARTING', isBack };
  return untilTimeout(wish, seen === 'starting' ? timeoutsMs.STARTING : timeoutsMs.PULLING);
}

function untilTimeout(wish: Wish, limitMs: number): Step {
  return wish.stateAgeMs > limitMs ? { do: 'beginStop', reason: 'START_TIMEOUT' } : nothing;
}

/** What is due stops the lab, hours before idleness; each that is near is warned of. */
function byLimits(runningMs: number, session: NonNullable<Wish['session']>): Step {
  const { limitMs, cause } = hoursLimit(session);
  const idleMs = idleStopsInMs(session);
  const stops: Warning[] = [
    { cause, stopsInMs: limitMs - runningMs },
    ...(idleMs === null ? [] : [{ cause: 'IDLE', stopsInMs: idleMs } as const]),
  ];
  const due = stops.find(({ stopsInMs }) => stopsInMs <= 0);
  if (due) return { do: 'beginStop', reason: due.cause };
  const warnings = stops.filter(({ stopsInMs }) => isWarnedOf(stopsInMs));
  return warnings.length > 0 ? { do: 'warn', warnings } : nothing;
}

function whileAbsent(wish: Wish, evidence: Extract<Evidence, { kind: 'listing' }>, session: NonNullable<Wish['session']>): Step {
  const isGone = evidence.absences >= ABSENCES_FOR_GONE;
  if (wish.state === 'QUEUED') {
    if (wish.desired !== 'running') return { do: 'end', outcome: asWished(wish) };
    if (!evidence.isHomeBusy) return { do: 'launch' };
    return wish.stateReason === 'WAITS_FOR_EARLIER_RUN' ? nothing : { do: 'wait', reason: 'WAITS_FOR_EARLIER_RUN' };
  }
  // Accepted or about to be, never seen running: the engine may simply not have got the call, and the call may be repeated.
  const isUnseen = session.observedMs === 0 && (wish.state === 'STARTING' || wish.state === 'PULLING');
  if (isUnseen && wish.desired === 'running') {
    const limitMs = wish.state === 'PULLING' ? timeoutsMs.PULLING : timeoutsMs.STARTING;
    if (wish.stateAgeMs > limitMs && isGone) return { do: 'end', outcome: failed('START_TIMEOUT') };
    return evidence.isHomeBusy ? nothing : { do: 'launchAgain' };
  }
  if (!isGone) return nothing;
  if (wish.desired !== 'running') return { do: 'end', outcome: asWished(wish) };
  if (wish.state === 'LOST' && session.observedMs === 0) return { do: 'see', to: 'STARTING', isBack: true };
  return { do: 'end', outcome: failed('VANISHED') };
}

/** What an end means, given why the engine says it came and what had been wished. */
export function outcomeOf(endReason: EndReason | null, wish: Pick<Wish, 'desired' | 'stateReason'>): Outcome {
  switch (endReason) {
    case 'lease':
      return { stopReason: 'LEASE', to: 'STOPPED' };
    case 'out_of_memory':
      return failed('OUT_OF_MEMORY');
    case 'disk_full':
      return failed('DISK_FULL');
    case 'image_unavailable':
      if (isCancelled(wish)) return asWished(wish);
      return { ...failed('START_FAILED'), failure: { code: 'ENGINE_IMAGE', isRetryable: true } };
    case 'start_failed':
      return isCancelled(wish) ? asWished(wish) : failed('START_FAILED');
    case 'engine_died':
      return wish.desired === 'running' ? failed('ENGINE_LOST') : asWished(wish);
    case 'exited':
      return wish.desired === 'running' ? { stopReason: 'EXITED', to: 'STOPPED' } : asWished(wish);
    default:
      // Stopped, although nobody here wished it: an operator did it at the engine.
      return wish.desired === 'running' ? { stopReason: 'OPERATOR', to: 'STOPPED' } : asWished(wish);
  }
}

/** Asked to end before it ran: that its start failed meanwhile is nothing to its member. */
function isCancelled({ stateReason }: Pick<Wish, 'stateReason'>): boolean {
  return stateReason === 'CANCELLED' || stateReason === 'FORCED';
}

function asWished({ stateReason }: Pick<Wish, 'stateReason'>): Outcome {
  switch (stateReason) {
    case 'START_TIMEOUT':
      return failed('START_TIMEOUT');
    case 'MAX_HOURS':
    case 'LEVEL_MAX_HOURS':
    case 'IDLE':
    case 'FORCED':
    case 'CANCELLED':
    case 'LEASE':
    case 'OPERATOR':
      return { stopReason: stateReason, to: 'STOPPED' };
    default:
      return { stopReason: 'MEMBER', to: 'STOPPED' };
  }
}

type FailedReason = Extract<StopReason, FailureCode>;

function failed(code: FailedReason): Outcome {
  return { stopReason: code, to: 'FAILED', failure: { code, isRetryable: true } };
}
