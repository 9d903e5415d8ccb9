import type { Clock } from '../../clock';
import type { Observed } from '../../drivers/compute/computeEngine';
import type { EngineInstanceService } from '../workshop/engineInstance.service';
import type { Memberships } from '../workshop/neighbours';
import { createEngineWatch, type EngineWatch, type Look } from './engineWatch';
import { findSessions, listForsakenWishes, listWishes, updateProgress, type WishRow } from './labSession.repository';
import { nextStep, STOP_GRACE_MS, type Wish } from './reconcile.rules';
import { type StepDeps, takeStep } from './reconcileSteps';
import { createSlots, type Slots } from './slots';

/** A gateway that has not said for this long that it lives is believed dead, and its labs are shown as LOST. */
const FORSAKEN_AFTER_MS = 60_000;
const HEARTBEAT_MS = 10_000;
const RIGHTS_KEPT_MS = 30_000;

export interface ReconcileDeps extends StepDeps {
  clock: Clock;
  memberships: Memberships;
  instances: EngineInstanceService;
}

interface Pass extends ReconcileDeps {
  watch: EngineWatch;
  slots: Slots;
  levelHours: (memberId: string) => Promise<number>;
  /** Refs of labs that are not ours to drive, said once each for as long as they are listed. */
  strangers: Set<string>;
}

export interface PassReport {
  isEngineSilent: boolean;
  workshops: number;
  failures: number;
}

export type ReconcileService = ReturnType<typeof createReconcileService>;

/**
 * Brings the engine of this gateway to what members wish and writes down what it observes. It drives the labs of its own engine
 * instance only; of others it says at most that they are LOST.
 */
export function createReconcileService(deps: ReconcileDeps) {
  const slots = createSlots(deps.log);
  const pass: Pass = { ...deps, watch: createEngineWatch(deps), slots, levelHours: rememberLevels(deps), strangers: new Set() };
  let lastBeatMs = Number.NEGATIVE_INFINITY;

  return {
    /** One pass. A failing workshop is logged and counted and keeps none of the others waiting. */
    async runOnce(): Promise<PassReport> {
      const nowMs = deps.clock.monotonicMs();
      if (nowMs - lastBeatMs >= HEARTBEAT_MS) {
        await deps.instances.beat();
        await loseForsaken(pass);
        lastBeatMs = nowMs;
      }
      return reconcile(pass);
    },
    /** Resolves when no call to the engine is under way any more. */
    drain: () => slots.drain(),
  };
}

async function reconcile(pass: Pass): Promise<PassReport> {
  const { db, engine, watch } = pass;
  const look = await watch.look();
  const wishes = await listWishes(db, engine.instanceId);
  const open = new Map(wishes.flatMap((wish) => (wish.sessionId === null ? [] : [[wish.sessionId, wish] as const])));
  watch.keepOnly(new Set(open.keys()));
  if (look.kind === 'listing') {
    await recordSightings(pass, look.labs, open);
    await noteProgress(pass, look.labs, open);
  }
  const failures = await Promise.all(wishes.map((wish) => driveOne(pass, wish, look)));
  if (look.kind === 'listing') {
    pushLeases(pass, look.labs, open);
    await clearOrphans(pass, look.labs, open);
  }
  return {
    isEngineSilent: look.kind === 'none',
    workshops: wishes.length,
    failures: failures.filter(Boolean).length,
  };
}

async function recordSightings({ meter }: Pass, labs: readonly Observed[], open: ReadonlyMap<string, WishRow>): Promise<void> {
  const seen = labs.filter((lab) => open.has(lab.sessionId) && (lab.state === 'running' || lab.state === 'stopping'));
  if (seen.length > 0) await meter.recordSightings(seen.map(({ sessionId, runningMs }) => ({ sessionId, runningMs })));
}

/** What the engine says about labs on their way, where it says something new. */
async function noteProgress({ db }: Pass, labs: readonly Observed[], open: ReadonlyMap<string, WishRow>): Promise<void> {
  const told = labs.flatMap(({ sessionId, progress, state }) => {
    const wish = open.get(sessionId);
    return wish && state !== 'ended' && !isSameProgress(wish.progress, progress) ? [{ sessionId, progress }] : [];
  });
  await updateProgress(db, told);
}

function isSameProgress(one: Observed['progress'], other: Observed['progress']): boolean {
  return one?.percent === other?.percent && one?.detail === other?.detail;
}

/** True when it failed. Calls that take long go on beside the loop; the workshop is left alone until its call returns. */
async function driveOne(pass: Pass, wish: WishRow, look: Look): Promise<boolean> {
  const evidence = pass.watch.evidenceOn(look, wish.workshopId, wish.sessionId);
  return pass.slots.run(wish.workshopId, async () => {
    const step = nextStep(await wishOf(pass, wish), evidence);
    if (step.do !== 'nothing') await takeStep(pass, wish, step, evidence.kind === 'listing' ? evidence.lab : null);
  });
}

async function wishOf(pass: Pass, row: WishRow): Promise<Wish> {
  const { state, stateReason, stateAgeMs, desired, maxHours } = row;
  if (row.sessionId === null) return { state, stateReason, stateAgeMs, desired, session: null };
  const { idleMinutes, idleMs } = row;
  const levelMaxHours = await pass.levelHours(row.memberId);
  const ran = { observedMs: Number(row.observedMs ?? 0n), extendedMs: Number(row.extendedMs ?? 0n) };
  const session = { ...ran, maxHours, levelMaxHours, idleMinutes, idleMs };
  return { state, stateReason, stateAgeMs, desired, session };
}

/** The engine may know an older, shorter lease: after a tick, or after a gateway that died between tick and push. */
function pushLeases({ engine, slots }: Pass, labs: readonly Observed[], open: ReadonlyMap<string, WishRow>): void {
  for (const lab of labs) {
    const limitMs = Number(open.get(lab.sessionId)?.leaseLimitMs ?? 0n);
    if (lab.state === 'ended' || lab.leaseLimitMs >= limitMs) continue;
    slots.beside(`lease ${lab.ref}`, () => engine.extendLease(lab.ref, limitMs));
  }
}

/**
 * Labs of this installation that no open session stands for: ended ones are forgotten, living ones stopped, never billed, their
 * home kept. Unknown sessions count as ended: a restored database does not know them, and nobody would pay for them.
 */
async function clearOrphans(pass: Pass, labs: readonly Observed[], open: ReadonlyMap<string, WishRow>): Promise<void> {
  const unmatched = labs.filter((lab) => !open.has(lab.sessionId));
  const unmatchedRefs = new Set(unmatched.map((lab) => lab.ref));
  for (const ref of pass.strangers) if (!unmatchedRefs.has(ref)) pass.strangers.delete(ref);
  if (unmatched.length === 0) return;
  const booked = new Map(
    (
      await findSessions(
        pass.db,
        unmatched.map((lab) => lab.sessionId),
      )
    ).map((session) => [session.id, session]),
  );
  for (const lab of unmatched) {
    const session = booked.get(lab.sessionId);
    if (session && session.endedAt === null) {
      sayOnce(pass, lab.ref, session.engineInstanceId);
    } else if (lab.state === 'ended') {
      pass.slots.beside(lab.ref, () => forgetKept(pass, lab, session?.specId));
    } else {
      pass.slots.beside(lab.ref, () => pass.engine.stop(lab.ref, { graceMs: STOP_GRACE_MS }));
    }
  }
}

/** The gateway that booked its end may have died before it kept what the run printed. */
async function forgetKept({ engine, outputs }: Pass, { ref, sessionId }: Observed, specId: string | undefined): Promise<void> {
  if (specId !== undefined) await outputs.keep({ ref, sessionId, specId });
  await engine.forget(ref);
}

function sayOnce({ strangers, log }: Pass, ref: string, engineInstanceId: string): void {
  if (!strangers.has(ref)) log.error({ ref, engineInstanceId }, 'a lab of an open session that is not ours to drive');
  strangers.add(ref);
}

/** Labs of gateways that died: nobody observes them, so they are LOST, and after a day given up. */
async function loseForsaken(pass: Pass): Promise<void> {
  const wishes = await listForsakenWishes(pass.db, pass.engine.instanceId, FORSAKEN_AFTER_MS);
  for (const wish of wishes) {
    await pass.slots.run(wish.workshopId, async () => {
      const step = nextStep(await wishOf(pass, wish), { kind: 'none', silentMs: FORSAKEN_AFTER_MS });
      if (step.do === 'lose' || step.do === 'end' || step.do === 'wait') await takeStep(pass, wish, step, null);
    });
  }
}

/** A level's maximum hours change rarely and are asked every second. */
function rememberLevels({ memberships, clock }: ReconcileDeps): Pass['levelHours'] {
  const known = new Map<string, { maxHours: number; untilMs: number }>();
  return async (memberId) => {
    const nowMs = clock.monotonicMs();
    const kept = known.get(memberId);
    if (kept && kept.untilMs > nowMs) return kept.maxHours;
    for (const [id, { untilMs }] of known) if (untilMs <= nowMs) known.delete(id);
    const { maxHours } = (await memberships.getRights(memberId)).ceilings;
    known.set(memberId, { maxHours, untilMs: nowMs + RIGHTS_KEPT_MS });
    return maxHours;
  };
}
