import { v7 as uuidv7 } from 'uuid';
import { limits } from '../../contract/limits';
import type { WorkshopCalls } from '../../contract/workshop';
import { brokenConstraint, type Db, inTransaction, type Tx } from '../../db/client';
import { findAnswer, type IdempotentRequest, runOnce } from '../../db/idempotency';
import type { ComputeEngine } from '../../drivers/compute/computeEngine';
import { Refusal } from '../../refusal';
import type { EngineInstanceService } from './engineInstance.service';
import type { Meter, Viewer, Wallets } from './neighbours';
import type { SpecOfferService } from './specOffer.service';
import type { WorkshopView } from './workshop.presenter';
import {
  changeWorkshop,
  countWorkshops,
  findOpenSession,
  findWorkshop,
  insertWorkshop,
  type LockedWorkshop,
  lockWorkshop,
} from './workshop.repository';
import { requireAction, storedName } from './workshop.rules';
import type { WorkshopStartService } from './workshopStart.service';
import type { WorkshopStateService } from './workshopState.service';
import type { WorkshopViewService } from './workshopView.service';

type Body<K extends keyof WorkshopCalls> = WorkshopCalls[K]['body'];

/** What the changes need. */
export interface WorkshopDeps {
  db: Db;
  engine: ComputeEngine;
  wallets: Wallets;
  meter: Meter;
  specOffer: SpecOfferService;
  states: WorkshopStateService;
  starts: WorkshopStartService;
  instances: EngineInstanceService;
  views: WorkshopViewService;
  /** Wakes the reconcile loop. */
  kick: () => void;
  closeTerminals: (workshopId: string) => void;
}

export type WorkshopService = ReturnType<typeof createWorkshopService>;

/**
 * What a member does with their workshops. Each change writes the wish and its event in one transaction and then wakes the
 * reconcile loop; no engine is called inside it. Lock order: wallet → workshop → lab session. Errors stand at each change below.
 */
export function createWorkshopService(deps: WorkshopDeps) {
  return {
    create: (viewer: Viewer, body: Body<'POST /gateway/workshop/create'>, idempotency: IdempotentRequest | null) =>
      create(deps, viewer, body, idempotency),
    start: (viewer: Viewer, workshopId: string, idempotency: IdempotentRequest | null) =>
      start(deps, viewer, workshopId, idempotency),
    update: (viewer: Viewer, body: Body<'POST /gateway/workshop/update'>) => update(deps, viewer, body),
    stop: (viewer: Viewer, workshopId: string) => stop(deps, viewer, workshopId),
    delete: (viewer: Viewer, workshopId: string) => remove(deps, viewer, workshopId),
  };
}

/** Runs a change and, once it is committed, wakes the loop. Throws WORKSHOP_NAME_TAKEN where the name index refuses. */
async function change<T>({ db, kick }: WorkshopDeps, work: (tx: Tx) => Promise<T>): Promise<T> {
  try {
    const answer = await inTransaction(db, work);
    kick();
    return answer;
  } catch (error) {
    if (brokenConstraint(error) === 'workshop_name') throw new Refusal('WORKSHOP_NAME_TAKEN');
    throw error;
  }
}

async function lockMine(tx: Tx, viewer: Viewer, workshopId: string): Promise<LockedWorkshop> {
  const workshop = await lockWorkshop(tx, viewer.memberId, workshopId);
  if (!workshop) throw new Refusal('NOT_FOUND');
  return workshop;
}

/** Throws WORKSHOP_NAME_TAKEN, WORKSHOP_LIMIT, MEMBER_STORAGE_LIMIT, SPEC_UNAVAILABLE, IMAGE_UNAVAILABLE, ENGINE_UNAVAILABLE; with startNow as `start`. */
async function create(
  deps: WorkshopDeps,
  viewer: Viewer,
  body: Body<'POST /gateway/workshop/create'>,
  idempotency: IdempotentRequest | null,
): Promise<WorkshopView> {
  const { engine, wallets, starts, states, views } = deps;
  const { memberId } = viewer;
  const first = await findAnswer<WorkshopView>(deps.db, memberId, idempotency);
  if (first) return first.answer;
  const name = storedName(body.name);
  const start = await starts.prepare(viewer, { ...body, engineInstanceId: engine.instanceId });
  return change(deps, (tx) =>
    runOnce(tx, memberId, idempotency, async () => {
      await wallets.lockWallet(tx, memberId);
      if ((await countWorkshops(tx, memberId)) >= limits.workshopsPerMember) {
        throw new Refusal('WORKSHOP_LIMIT', { params: { limit: limits.workshopsPerMember } });
      }
      const { specId, imageId, maxHours = null } = body;
      const workshop = { id: uuidv7(), memberId, name, specId, imageId, maxHours, engineInstanceId: engine.instanceId };
      await deps.instances.makeKnown(tx);
      await insertWorkshop(tx, workshop);
      await states.note(tx, {
        workshopId: workshop.id,
        sessionId: null,
        from: null,
        to: 'STOPPED',
        reason: 'CREATED',
        actor: 'member',
        evidence: { specId, imageId },
      });
      await starts.requireStorage(tx, memberId);
      if (body.startNow) await starts.queue(tx, viewer, { ...workshop, state: 'STOPPED', generation: 0 }, start);
      return views.getChanged(tx, viewer, workshop.id);
    }),
  );
}

/** Throws NOT_FOUND, WORKSHOP_STATE_CONFLICT, the refusals of `prepare` and `queue`. */
async function start(
  deps: WorkshopDeps,
  viewer: Viewer,
  workshopId: string,
  idempotency: IdempotentRequest | null,
): Promise<WorkshopView> {
  const { db, wallets, starts, views } = deps;
  const first = await findAnswer<WorkshopView>(db, viewer.memberId, idempotency);
  if (first) return first.answer;
  const seen = await findWorkshop(db, viewer.memberId, workshopId);
  if (!seen) throw new Refusal('NOT_FOUND');
  const prepared = await starts.prepare(viewer, seen);
  return change(deps, (tx) =>
    runOnce(tx, viewer.memberId, idempotency, async () => {
      await wallets.lockWallet(tx, viewer.memberId);
      const workshop = await lockMine(tx, viewer, workshopId);
      await starts.queue(tx, viewer, workshop, prepared);
      return views.getChanged(tx, viewer, workshopId);
    }),
  );
}

/** Throws NOT_FOUND, WORKSHOP_NAME_TAKEN, WORKSHOP_STATE_CONFLICT, SPEC_UNAVAILABLE. */
async function update(deps: WorkshopDeps, viewer: Viewer, body: Body<'POST /gateway/workshop/update'>): Promise<WorkshopView> {
  const { db, specOffer, states, views } = deps;
  const seen = await findWorkshop(db, viewer.memberId, body.workshopId);
  if (!seen) throw new Refusal('NOT_FOUND');
  const name = body.name === undefined ? undefined : storedName(body.name);
  if (body.specId !== undefined && body.specId !== seen.specId) await specOffer.requireAvailable(body.specId, viewer.language);
  await change(deps, async (tx) => {
    const workshop = await lockMine(tx, viewer, body.workshopId);
    requireAction(workshop.state, 'update');
    // Only what differs is a change; without any there is nothing to tell the timeline.
    const specId = body.specId === workshop.specId ? undefined : body.specId;
    const changed = {
      ...(name === undefined || name === workshop.name ? {} : { name }),
      ...(specId === undefined ? {} : { specId }),
      ...(body.maxHours === undefined || body.maxHours === workshop.maxHours ? {} : { maxHours: body.maxHours }),
    };
    if (Object.keys(changed).length === 0) return;
    if (specId !== undefined) requireAction(workshop.state, 'changeSpec');
    await changeWorkshop(tx, workshop.id, changed);
    await states.note(tx, {
      workshopId: workshop.id,
      sessionId: null,
      from: workshop.state,
      to: workshop.state,
      reason: specId === undefined ? 'UPDATED' : 'SPEC_CHANGED',
      actor: 'member',
      evidence: {
        ...(changed.name === undefined ? {} : { name: changed.name }),
        ...(specId === undefined ? {} : { specId, fromSpecId: workshop.specId }),
        ...(changed.maxHours === undefined ? {} : { maxHours: changed.maxHours ?? 0 }),
      },
    });
  });
  return views.get(viewer, body.workshopId);
}

/** Throws NOT_FOUND, WORKSHOP_STATE_CONFLICT. */
async function stop(deps: WorkshopDeps, viewer: Viewer, workshopId: string): Promise<WorkshopView> {
  const { wallets, meter, states, views } = deps;
  const stopped = await change(deps, async (tx) => {
    // The wallet comes first in the lock order, and ending a session needs it.
    await wallets.lockWallet(tx, viewer.memberId);
    const workshop = await lockMine(tx, viewer, workshopId);
    requireAction(workshop.state, 'stop');
    const open = await findOpenSession(tx, workshop.id);
    const shared = {
      workshopId,
      generation: workshop.generation,
      from: workshop.state,
      actor: 'member',
      desired: 'stopped',
    } as const;
    const endsAtOnce = workshop.state === 'QUEUED' || workshop.state === 'LOST' || workshop.state === 'FAILED';
    if (!endsAtOnce) {
      const wish = { to: 'STOPPING', reason: 'STOP_REQUESTED', stateReason: 'MEMBER', sessionId: open?.id ?? null } as const;
      await states.move(tx, { ...shared, ...wish });
    } else {
      // Nothing runs that we can see: an engine that comes back with this lab has it stopped as an orphan, unbilled.
      const end = { runningMs: Number(open?.observedMs ?? 0n), stopReason: 'MEMBER', exitCode: null } as const;
      if (open) await meter.endSession(tx, { sessionId: open.id, ...end });
      await states.move(tx, {
        ...shared,
        to: 'STOPPED',
        reason: 'MEMBER',
        sessionId: open?.id ?? null,
        evidence: { runningMs: end.runningMs },
      });
    }
    return views.getChanged(tx, viewer, workshopId);
  });
  // Terminals know the id as the database writes it; a request may write it in capitals.
  deps.closeTerminals(stopped.workshopId);
  return stopped;
}

/** Throws NOT_FOUND, WORKSHOP_STATE_CONFLICT. Asked again while DELETING it tries again at once. */
async function remove(deps: WorkshopDeps, viewer: Viewer, workshopId: string): Promise<WorkshopView> {
  const { states, views } = deps;
  return change(deps, async (tx) => {
    const workshop = await lockMine(tx, viewer, workshopId);
    requireAction(workshop.state, 'delete');
    if (workshop.state !== 'DELETING') {
      await states.move(tx, {
        workshopId,
        generation: workshop.generation,
        from: workshop.state,
        to: 'DELETING',
        reason: 'DELETE_REQUESTED',
        actor: 'member',
        desired: 'deleted',
        sessionId: null,
      });
    }
    return views.getChanged(tx, viewer, workshopId);
  });
}
