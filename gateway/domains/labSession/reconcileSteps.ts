import { limits } from '../../contract/limits';
import type { EventReason } from '../../contract/workshopStates';
import { inTransaction, type Tx } from '../../db/client';
import { dcuFromMicro } from '../../dcu';
import { type ComputeEngine, EngineRefused, type LabSpec, type Observed } from '../../drivers/compute/computeEngine';
import type { FailureCode } from '../../locales/workshopWords';
import type { Meter, Tasks, Wallets } from '../workshop/neighbours';
import type { StateReason, WorkshopStateService } from '../workshop/workshopState.service';
import { type FillDeps, fillHome, needsFilling } from './homeFill';
import type { LabOutputService } from './labOutput.service';
import { lockDue, lockUnchanged, type WishRow, writeStateReason } from './labSession.repository';
import { type Outcome, STOP_GRACE_MS, type Step, type Warning } from './reconcile.rules';

export interface StepDeps extends FillDeps {
  engine: ComputeEngine;
  installationId: string;
  wallets: Wallets;
  meter: Meter;
  states: WorkshopStateService;
  tasks: Tasks;
  outputs: Pick<LabOutputService, 'keep'>;
}

/** The task of the catalogue that a first running lab completes. */
const FIRST_LAB_TASK = 'first-lab';

const refusals: Readonly<Record<EngineRefused['reason'], { code: FailureCode; isRetryable: boolean }>> = {
  unsandboxed: { code: 'ENGINE_UNSANDBOXED', isRetryable: false },
  image: { code: 'ENGINE_IMAGE', isRetryable: false },
  capacity: { code: 'ENGINE_CAPACITY', isRetryable: true },
  disk_full: { code: 'ENGINE_DISK_FULL', isRetryable: true },
  engine_error: { code: 'ENGINE_ERROR', isRetryable: true },
};

/**
 * Does one step for one workshop. Every step may be done again after a crash anywhere in it: the database moves by
 * compare-and-set, the engine's calls are idempotent. Throws `EngineUnreachable`; the next pass looks again.
 */
export async function takeStep(deps: StepDeps, wish: WishRow, step: Step, lab: Observed | null): Promise<void> {
  switch (step.do) {
    case 'nothing':
      return;
    case 'wait':
      return writeStateReason(deps.db, wish, step.reason);
    case 'launch':
      return launch(deps, wish);
    case 'launchAgain':
      return askToStart(deps, wish);
    case 'see':
      return see(deps, wish, step);
    case 'beginStop':
      return beginStop(deps, wish, step.reason);
    case 'stop':
      return stop(deps, wish, step.isForced);
    case 'warn':
      return warn(deps, wish, step);
    case 'lose':
      return lose(deps, wish);
    case 'end':
      return end(deps, wish, step.outcome, lab);
    case 'deleteHome':
      return deleteHome(deps, wish);
  }
}

/** STARTING, or PULLING where an image or its files may have to come first, is written before the engine hears of it, so that a stop in between is never answered as if nothing had begun. */
async function launch(deps: StepDeps, wish: WishRow): Promise<void> {
  const isLong = (await deps.engine.capabilities()).hasImages || (await needsFilling(deps, wish));
  const to = isLong ? 'PULLING' : 'STARTING';
  const isMoved = await move(deps, wish, { to, reason: 'START_ACCEPTED' });
  if (isMoved) await askToStart(deps, { ...wish, state: to });
}

async function askToStart(deps: StepDeps, wish: WishRow): Promise<void> {
  const home = await fillHome(deps, wish);
  if (home === 'cancelled') return;
  if (home === 'refused') {
    const failure = { code: 'IMAGE_FILES', isRetryable: true } as const;
    return end(deps, wish, { stopReason: 'START_FAILED', to: 'FAILED', failure }, null, 'START_REFUSED');
  }
  try {
    await deps.engine.ensureStarted(await labSpecOf(deps, wish));
  } catch (error) {
    if (!(error instanceof EngineRefused)) throw error;
    deps.log.warn({ err: error, workshopId: wish.workshopId }, 'the engine refused to start a lab');
    const outcome: Outcome = { stopReason: 'START_FAILED', to: 'FAILED', failure: refusals[error.reason] };
    await end(deps, wish, outcome, null, 'START_REFUSED');
  }
}

async function labSpecOf({ catalogue, imageUse, installationId }: StepDeps, wish: WishRow): Promise<LabSpec> {
  const { cpuCores, memoryBytes, diskBytes, processes } = catalogue.specOf(wish.specId);
  const { imageId, reference, commands } = await imageUse.startImageOf(wish.imageId);
  const { ref, sessionId } = runOf(wish);
  return {
    ref,
    sessionId,
    workshopId: wish.workshopId,
    memberId: wish.memberId,
    installationId,
    image: { imageId, reference, commands },
    cpuCores,
    memoryBytes,
    diskBytes,
    processes,
    hostname: `lab-${wish.workshopId.slice(-12)}`,
    leaseLimitMs: Number(wish.leaseLimitMs ?? 0n),
    env: wish.env,
    mounts: [],
    network: wish.network,
  };
}

async function see(deps: StepDeps, wish: WishRow, { to, isBack }: Extract<Step, { do: 'see' }>): Promise<void> {
  const reasons = {
    PULLING: 'START_ACCEPTED',
    STARTING: 'START_ACCEPTED',
    RUNNING: 'SEEN_RUNNING',
    STOPPING: 'STOP_REQUESTED',
  } as const;
  const stateReason = to === 'STOPPING' ? wish.stateReason || 'MEMBER' : '';
  const change = { to, reason: isBack ? 'SEEN_AGAIN' : reasons[to], stateReason: stateReason as StateReason } as const;
  const isMoved = await move(deps, wish, change);
  if (isMoved && to === 'RUNNING') await reportFirstLab(deps, wish);
}

/** A lab runs, whether or not its points can be written now: the next one that runs reports it again. */
async function reportFirstLab({ tasks, log }: StepDeps, { memberId, workshopId }: WishRow): Promise<void> {
  try {
    await tasks.reportDone(memberId, FIRST_LAB_TASK);
  } catch (err) {
    log.error({ err, memberId, workshopId }, 'the points of a first lab were not written');
  }
}

/**
 * A limit that was moved since the loop looked does not stop the lab: whoever extended in time goes on. Nor does one that came nearer than its
 * warning, as when a membership ends: it is announced first.
 */
async function beginStop(deps: StepDeps, wish: WishRow, cause: Extract<Step, { do: 'beginStop' }>['reason']): Promise<void> {
  const wished = { to: 'STOPPING', reason: 'STOP_REQUESTED', stateReason: cause, desired: 'stopped', evidence: { cause } } as const;
  if (cause === 'START_TIMEOUT' || cause === 'LEASE') {
    if (await move(deps, wish, wished)) await stop(deps, wish, false);
    return;
  }
  const isDue = async (tx: Tx) =>
    (await lockDue(tx, wish)) && announce(deps, tx, wish, { cause, stopsInMs: limits.warnBeforeStopMs });
  if (await move(deps, wish, wished, isDue)) await stop(deps, wish, false);
}

async function stop({ db, engine, states }: StepDeps, wish: WishRow, isForced: boolean): Promise<void> {
  const { ref, sessionId } = runOf(wish);
  if (isForced) {
    const { workshopId, state } = wish;
    const entry = { workshopId, sessionId, from: state, to: state, reason: 'STOP_FORCED', actor: 'system' } as const;
    await inTransaction(db, (tx) => states.noteOnce(tx, entry));
  }
  await engine.stop(ref, { graceMs: isForced ? 0 : STOP_GRACE_MS });
}

async function warn(deps: StepDeps, wish: WishRow, { warnings }: Extract<Step, { do: 'warn' }>): Promise<void> {
  for (const warning of warnings) await inTransaction(deps.db, (tx) => announce(deps, tx, wish, warning));
}

function announce({ states }: StepDeps, tx: Tx, wish: WishRow, { cause, stopsInMs }: Warning): Promise<boolean> {
  const { workshopId, state, activeAt } = wish;
  const { sessionId } = runOf(wish);
  const entry = { workshopId, sessionId, from: state, to: state, reason: 'WARNING', actor: 'system' } as const;
  const evidence = { cause, stopsInMs: Math.round(stopsInMs) };
  return states.announceStop(tx, { ...entry, evidence }, cause === 'IDLE' ? activeAt : null);
}

/** The meter stands still before the state says so: a crash between the two costs the member nothing. */
async function lose(deps: StepDeps, wish: WishRow): Promise<void> {
  await deps.meter.pauseSessions([runOf(wish).sessionId]);
  await move(deps, wish, { to: 'LOST', reason: 'ENGINE_UNREACHABLE', stateReason: wish.stateReason as StateReason });
}

/** Ends the session and settles the workshop in one transaction, then lets the engine forget the lab. */
async function end(deps: StepDeps, wish: WishRow, outcome: Outcome, lab: Observed | null, reason?: EventReason): Promise<void> {
  const { db, engine, wallets, meter, states } = deps;
  const { ref, sessionId } = runOf(wish);
  const isBooked = await inTransaction(db, async (tx) => {
    await wallets.lockWallet(tx, wish.memberId);
    if (!(await lockUnchanged(tx, wish))) return false;
    const runningMs = lab?.runningMs ?? Number(wish.observedMs ?? 0n);
    const exitCode = lab?.exitCode ?? null;
    const ended = await meter.endSession(tx, { sessionId, runningMs, stopReason: outcome.stopReason, exitCode });
    return states.move(tx, {
      workshopId: wish.workshopId,
      generation: wish.generation,
      from: wish.state,
      to: outcome.to,
      reason: reason ?? ended.stopReason,
      actor: 'system',
      desired: 'stopped',
      sessionId,
      ...(outcome.failure ? { failure: outcome.failure } : {}),
      evidence: {
        runningMs: Number(ended.observedMs),
        costDcu: dcuFromMicro(ended.chargedMicro),
        ...(exitCode === null ? {} : { exitCode }),
        ...(outcome.failure ? { code: outcome.failure.code } : {}),
      },
    });
  });
  // Only what is booked may be forgotten: the listing is the last word on how long the lab ran.
  if (!isBooked || lab?.state !== 'ended') return;
  await deps.outputs.keep({ ref, sessionId, specId: wish.specId });
  await engine.forget(ref);
}

async function deleteHome(deps: StepDeps, wish: WishRow): Promise<void> {
  try {
    await deps.engine.deleteHome(wish.workshopId);
  } catch (error) {
    if (!(error instanceof EngineRefused)) throw error;
    deps.log.warn({ err: error, workshopId: wish.workshopId }, 'a home could not be deleted');
    await noteFailedDelete(deps, wish);
    return;
  }
  await move(deps, wish, { to: 'DELETED', reason: 'DELETED' });
}

async function noteFailedDelete({ db, states }: StepDeps, wish: WishRow): Promise<void> {
  if (wish.stateReason === 'DELETE_FAILED') return;
  await writeStateReason(db, wish, 'DELETE_FAILED');
  const { workshopId, state } = wish;
  const entry = { workshopId, sessionId: null, from: state, to: state, reason: 'DELETE_FAILED', actor: 'system' } as const;
  await inTransaction(db, (tx) => states.note(tx, entry));
}

type Change = Pick<Parameters<WorkshopStateService['move']>[1], 'to' | 'reason' | 'stateReason' | 'desired' | 'evidence'>;

function move(
  { db, states }: StepDeps,
  wish: WishRow,
  change: Change,
  isStillSo: (tx: Tx) => Promise<boolean> = async () => true,
): Promise<boolean> {
  const { workshopId, generation, sessionId, state } = wish;
  return inTransaction(db, async (tx) => {
    if (!(await isStillSo(tx))) return false;
    return states.move(tx, { workshopId, generation, sessionId, from: state, actor: 'system', ...change });
  });
}

function runOf(wish: WishRow): { ref: string; sessionId: string } {
  if (wish.sessionId === null || wish.engineRef === null) throw new Error(`workshop ${wish.workshopId} has no open session`);
  return { ref: wish.engineRef, sessionId: wish.sessionId };
}
