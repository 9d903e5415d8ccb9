import { v7 as uuidv7 } from 'uuid';
import { limits } from '../../contract/limits';
import type { WorkshopCalls } from '../../contract/workshop';
import type { Db, Tx } from '../../db/client';
import { findAnswer, type IdempotentRequest, runOnce } from '../../db/idempotency';
import type { RunSetup } from '../../db/schemaLab';
import type { ComputeEngine } from '../../drivers/compute/computeEngine';
import { Refusal } from '../../refusal';
import type { ImageService } from '../image/image.service';
import type { EngineInstanceService } from './engineInstance.service';
import type { Viewer, Wallets } from './neighbours';
import { requireOwnNames, wholeSetup } from './setup.rules';
import type { WorkshopView } from './workshop.presenter';
import { countWorkshops, findWorkshop, insertWorkshop } from './workshop.repository';
import { requireAction, storedName } from './workshop.rules';
import { change, lockMine } from './workshopChange';
import type { PreparedStart, WorkshopStartService } from './workshopStart.service';
import type { WorkshopStateService } from './workshopState.service';
import type { WorkshopViewService } from './workshopView.service';

type Body<K extends keyof WorkshopCalls> = WorkshopCalls[K]['body'];

/** What the changes need. */
export interface WorkshopDeps {
  db: Db;
  images: Pick<ImageService, 'choose'>;
  engine: ComputeEngine;
  wallets: Wallets;
  states: WorkshopStateService;
  starts: WorkshopStartService;
  instances: EngineInstanceService;
  views: WorkshopViewService;
  /** Wakes the reconcile loop. */
  kick: () => void;
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
    copyRun: (viewer: Viewer, run: RunToCopy, idempotency: IdempotentRequest | null) => copyRun(deps, viewer, run, idempotency),
    delete: (viewer: Viewer, workshopId: string) => remove(deps, viewer, workshopId),
  };
}

/** What a new workshop is, but for its name. */
interface NewWorkshop extends RunSetup {
  specId: string;
  imageId: string;
  startNow?: boolean;
}

/** A run to be copied: `name` is said under the locks, where names are settled. */
export interface RunToCopy extends NewWorkshop {
  nameIn: (tx: Tx) => Promise<string>;
}

/**
 * Throws WORKSHOP_NAME_TAKEN, WORKSHOP_LIMIT, MEMBER_STORAGE_LIMIT, SPEC_UNAVAILABLE, IMAGE_UNAVAILABLE, ENGINE_UNAVAILABLE,
 * ENGINE_NO_NETWORK, REAL_NAME_REQUIRED, INVALID_INPUT (a reserved variable); with startNow as `start`.
 */
async function create(
  deps: WorkshopDeps,
  viewer: Viewer,
  body: Body<'POST /gateway/workshop/create'>,
  idempotency: IdempotentRequest | null,
): Promise<WorkshopView> {
  const first = await findAnswer<WorkshopView>(deps.db, viewer.memberId, idempotency);
  if (first) return first.answer;
  const name = storedName(body.name);
  requireOwnNames(body.env);
  const start = await prepare(deps, viewer, body);
  return change(deps, (tx) =>
    runOnce(tx, viewer.memberId, idempotency, () => make(deps, tx, viewer, { ...body, nameIn: async () => name }, start)),
  );
}

/** As `create`. */
async function copyRun(
  deps: WorkshopDeps,
  viewer: Viewer,
  run: RunToCopy,
  idempotency: IdempotentRequest | null,
): Promise<WorkshopView> {
  const start = await prepare(deps, viewer, run);
  return change(deps, (tx) => runOnce(tx, viewer.memberId, idempotency, () => make(deps, tx, viewer, run, start)));
}

function prepare({ engine, starts }: WorkshopDeps, viewer: Viewer, { specId, imageId, network = 'none' }: NewWorkshop) {
  return starts.prepare(viewer, { specId, imageId, network, engineInstanceId: engine.instanceId });
}

async function make(deps: WorkshopDeps, tx: Tx, viewer: Viewer, ask: RunToCopy, start: PreparedStart): Promise<WorkshopView> {
  const { engine, wallets, starts, states, views } = deps;
  const { memberId } = viewer;
  await wallets.lockWallet(tx, memberId);
  await deps.images.choose(tx, viewer, ask.imageId);
  if ((await countWorkshops(tx, memberId)) >= limits.workshopsPerMember) {
    throw new Refusal('WORKSHOP_LIMIT', { params: { limit: limits.workshopsPerMember } });
  }
  const { specId, imageId } = ask;
  const kept = { id: uuidv7(), memberId, specId, imageId, ...wholeSetup(ask), engineInstanceId: engine.instanceId };
  const workshop = { ...kept, name: await ask.nameIn(tx) };
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
  if (ask.startNow) await starts.queue(tx, viewer, { ...workshop, state: 'STOPPED', generation: 0 }, start);
  return views.getChanged(tx, viewer, workshop.id);
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
