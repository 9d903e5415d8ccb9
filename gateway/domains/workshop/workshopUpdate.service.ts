import { levels } from '../../contract/entitlements';
import type { WorkshopCalls } from '../../contract/workshop';
import type { WorkshopLifeCalls } from '../../contract/workshopLife';
import type { Db } from '../../db/client';
import { wordOf } from '../../locales/workshopWords';
import { Refusal } from '../../refusal';
import type { ImageService } from '../image/image.service';
import { extendableHours } from './idle.rules';
import type { Memberships, Viewer } from './neighbours';
import { requireOwnNames } from './setup.rules';
import type { SpecOfferService } from './specOffer.service';
import type { WorkshopView } from './workshop.presenter';
import { changeWorkshop, extendSession, findOpenSession, findWorkshop, type LockedWorkshop } from './workshop.repository';
import { HOUR_MS, requireAction, storedName } from './workshop.rules';
import { change, lockMine } from './workshopChange';
import type { WorkshopStartService } from './workshopStart.service';
import type { TimelineEntry, WorkshopStateService } from './workshopState.service';
import type { WorkshopViewService } from './workshopView.service';

type Update = WorkshopCalls['POST /gateway/workshop/update']['body'];
type Extension = WorkshopLifeCalls['POST /gateway/workshop/extend']['body'];

interface Deps {
  db: Db;
  specOffer: SpecOfferService;
  images: ImageService;
  starts: WorkshopStartService;
  states: WorkshopStateService;
  views: WorkshopViewService;
  memberships: Memberships;
  kick: () => void;
}

export type WorkshopUpdateService = ReturnType<typeof createWorkshopUpdateService>;

/** What a member changes about a workshop and about its present run. */
export function createWorkshopUpdateService(deps: Deps) {
  return {
    /**
     * Throws NOT_FOUND, WORKSHOP_NAME_TAKEN, WORKSHOP_STATE_CONFLICT, INVALID_INPUT (a reserved variable), SPEC_UNAVAILABLE,
     * IMAGE_UNAVAILABLE, ENGINE_UNAVAILABLE, ENGINE_NO_NETWORK, REAL_NAME_REQUIRED.
     */
    async update(viewer: Viewer, body: Update): Promise<WorkshopView> {
      const seen = await findWorkshop(deps.db, viewer.memberId, body.workshopId);
      if (!seen) throw new Refusal('NOT_FOUND');
      const name = body.name === undefined ? undefined : storedName(body.name);
      requireOwnNames(body.env);
      await requireOffered(deps, viewer, seen, body);
      await change(deps, async (tx) => {
        const workshop = await lockMine(tx, viewer, body.workshopId);
        requireAction(workshop.state, 'update');
        // Only what differs is a change; without any there is nothing to tell the timeline.
        const changed = differing(workshop, { ...body, name });
        if (Object.keys(changed).length === 0) return;
        const isOfRun = runFields.some((field) => field in changed);
        if (isOfRun) requireAction(workshop.state, 'changeSpec');
        if (changed.imageId !== undefined) await deps.images.choose(tx, viewer, changed.imageId);
        await changeWorkshop(tx, workshop.id, changed);
        const open = changed.idleMinutes === undefined ? undefined : await findOpenSession(tx, workshop.id);
        // Idle for longer than the new limit is no reason to stop without a warning.
        if (open) await extendSession(tx, open.id, 0);
        await deps.states.note(tx, {
          workshopId: workshop.id,
          sessionId: null,
          from: workshop.state,
          to: workshop.state,
          reason: isOfRun ? 'SPEC_CHANGED' : 'UPDATED',
          actor: 'member',
          evidence: evidenceOf(workshop, changed),
        });
      });
      return deps.views.get(viewer, body.workshopId);
    },

    extend: (viewer: Viewer, body: Extension) => extend(deps, viewer, body),
  };
}

const runFields = ['specId', 'imageId', 'env', 'network'] as const;
const fields = ['name', 'maxHours', 'idleMinutes', ...runFields] as const;
type Changed = Partial<Pick<LockedWorkshop, (typeof fields)[number]>>;
/** What was asked for; what was not is undefined. */
type Asked = { [K in keyof Changed]?: Changed[K] | undefined };

function differing(workshop: LockedWorkshop, asked: Asked): Changed {
  const isChanged = (field: (typeof fields)[number]) => asked[field] !== undefined && !isSame(asked[field], workshop[field]);
  return Object.fromEntries(fields.filter(isChanged).map((field) => [field, asked[field]]));
}

/** Variables count as the same in any order. */
function isSame(one: unknown, other: unknown): boolean {
  const text = (value: unknown) =>
    JSON.stringify(
      typeof value === 'object' && value !== null ? Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)) : value,
    );
  return text(one) === text(other);
}

function evidenceOf(workshop: LockedWorkshop, changed: Changed): NonNullable<TimelineEntry['evidence']> {
  const { name, specId, imageId, env, network, maxHours, idleMinutes } = changed;
  return {
    ...(name === undefined ? {} : { name }),
    ...(specId === undefined ? {} : { specId, fromSpecId: workshop.specId }),
    ...(imageId === undefined ? {} : { imageId, fromImageId: workshop.imageId }),
    ...(maxHours === undefined ? {} : { maxHours: maxHours ?? 0 }),
    ...(idleMinutes === undefined ? {} : { idleMinutes: idleMinutes ?? 0 }),
    // Values can be secrets.
    ...(env === undefined ? {} : { variables: Object.keys(env).length }),
    ...(network === undefined ? {} : { network }),
  };
}

/** Asks of the engine only what changes, and before any lock. */
async function requireOffered(
  { specOffer, images, starts }: Deps,
  viewer: Viewer,
  seen: LockedWorkshop,
  { specId = seen.specId, imageId = seen.imageId, network = seen.network }: Update,
): Promise<void> {
  if (specId !== seen.specId) await specOffer.requireAvailable(specId, viewer.language);
  if (imageId !== seen.imageId) await images.requireAvailable(imageId, viewer.language);
  if (network !== seen.network) await starts.requireNetwork(viewer, { network, engineInstanceId: seen.engineInstanceId });
}

/** Throws NOT_FOUND, WORKSHOP_STATE_CONFLICT, EXTENSION_LIMIT. */
async function extend(deps: Deps, viewer: Viewer, { workshopId, hours = 0 }: Extension): Promise<WorkshopView> {
  const { states, views, memberships } = deps;
  await change(deps, async (tx) => {
    const workshop = await lockMine(tx, viewer, workshopId);
    requireAction(workshop.state, 'extend');
    const open = await findOpenSession(tx, workshop.id);
    if (!open) throw new Error(`workshop ${workshop.id} runs without a session`);
    const { levelFlag, ceilings } = await memberships.getRights(viewer.memberId, tx);
    const left = extendableHours({
      maxHours: workshop.maxHours,
      extendedMs: Number(open.extendedMs),
      levelMaxHours: ceilings.maxHours,
    });
    if (hours > left) {
      const total = (workshop.maxHours ?? ceilings.maxHours) + Number(open.extendedMs) / HOUR_MS + hours;
      throw extensionRefusal(viewer, { left, levelFlag, levelMaxHours: ceilings.maxHours, total });
    }
    await extendSession(tx, open.id, hours * HOUR_MS);
    await states.note(tx, {
      workshopId: workshop.id,
      sessionId: open.id,
      from: workshop.state,
      to: workshop.state,
      reason: 'EXTENDED',
      actor: 'member',
      evidence: hours > 0 ? { hours } : {},
    });
  });
  return views.get(viewer, workshopId);
}

function extensionRefusal(
  { language }: Viewer,
  ask: { left: number; levelFlag: number; levelMaxHours: number; total: number },
): Refusal {
  const higher = levels.filter((level) => level.levelFlag > ask.levelFlag && level.maxHours > ask.levelMaxHours);
  const allowing = higher.find((level) => level.maxHours >= ask.total) ?? higher.at(-1);
  const wayOut = allowing ? wordOf('levelAllowsMore', language, { level: allowing.levelFlag }) : '';
  return new Refusal('EXTENSION_LIMIT', {
    params: { hours: ask.left, wayOut },
    data: {
      cause: 'LEVEL_MAX_HOURS',
      extendableHours: ask.left,
      levelMaxHours: ask.levelMaxHours,
      neededLevel: allowing?.levelFlag ?? null,
    },
  });
}
