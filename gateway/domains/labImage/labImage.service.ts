import { v7 as uuidv7 } from 'uuid';
import type { Catalogue } from '../../catalog/catalogue';
import type { MadeImageCalls } from '../../contract/image';
import type { LabImageCalls } from '../../contract/labImage';
import { brokenConstraint, type Db, inTransaction, type Tx } from '../../db/client';
import { findAnswer, type IdempotentRequest, runOnce } from '../../db/idempotency';
import { type ComputeEngine, EngineUnreachable } from '../../drivers/compute/computeEngine';
import { HomeFilesError } from '../../drivers/homeFiles/homeFiles';
import { wordOf } from '../../locales/workshopWords';
import { Refusal } from '../../refusal';
import { requireAction, requireStorage } from '../workshop/workshop.rules';
import type { WorkshopStateService } from '../workshop/workshopState.service';
import type { LabImageWire } from './labImage.presenter';
import {
  countKept,
  insertImage,
  type LabImageRow,
  listOwnUses,
  lockImage,
  markDeleted,
  setPublished,
  setStar,
} from './labImage.repository';
import { requireImageRoom, requireNoSecrets, requireUnused, storedImageName } from './labImage.rules';
import type { LabImageViewService } from './labImageView.service';
import type { Homes, Memberships, Proofs, Viewer, Wallets } from './neighbours';

type SaveBody = LabImageCalls['POST /gateway/workshop/saveImage']['body'];
type PublishBody = MadeImageCalls['POST /gateway/image/publish']['body'];
type SavedFrom = NonNullable<Awaited<ReturnType<LabImageDeps['lockWorkshop']>>>;

export interface LabImageDeps {
  db: Db;
  catalogue: Catalogue;
  engine: ComputeEngine;
  homes: Homes;
  wallets: Wallets;
  memberships: Memberships;
  proofs: Proofs;
  states: WorkshopStateService;
  views: LabImageViewService;
  storedBytes: (reader: Db | Tx, memberId: string) => Promise<bigint>;
  lockWorkshop: (
    tx: Tx,
    memberId: string,
    workshopId: string,
  ) => Promise<
    { id: string; name: string; imageId: string; engineInstanceId: string; state: Parameters<typeof requireAction>[0] } | undefined
  >;
}

export type LabImageService = ReturnType<typeof createLabImageService>;

/**
 * What a member does with images. Lock order: wallet → workshop → image. Somebody else's image answers NOT_FOUND like a missing one
 * to everything but a star on a published one. Errors stand at each change below.
 */
export function createLabImageService(deps: LabImageDeps) {
  return {
    save: (viewer: Viewer, body: SaveBody, idempotency: IdempotentRequest | null) => save(deps, viewer, body, idempotency),
    cancel: (viewer: Viewer, imageId: string) => cancel(deps, viewer, imageId),
    delete: (viewer: Viewer, imageId: string) => remove(deps, viewer, imageId),
    publish: (viewer: Viewer, body: PublishBody) => publish(deps, viewer, body),
    star: (viewer: Viewer, imageId: string, isStarred: boolean) => star(deps, viewer, imageId, isStarred),
  };
}

/**
 * Writes the wish; the loop does the work. Throws NOT_FOUND, WORKSHOP_STATE_CONFLICT, NOTHING_TO_SAVE, ENGINE_CANNOT_SAVE,
 * ENGINE_UNAVAILABLE, ENGINE_ELSEWHERE, IMAGE_LIMIT, IMAGE_NAME_TAKEN, IMAGE_STATE_CONFLICT (the workshop is being saved already),
 * MEMBER_STORAGE_LIMIT.
 */
async function save(
  deps: LabImageDeps,
  viewer: Viewer,
  body: SaveBody,
  idempotency: IdempotentRequest | null,
): Promise<LabImageWire> {
  const { db, wallets, lockWorkshop, views } = deps;
  const { memberId } = viewer;
  const first = await findAnswer<LabImageWire>(db, memberId, idempotency);
  if (first) return first.answer;
  const name = storedImageName(body.name);
  const hasHome = await lookAtEngine(deps, viewer, body.workshopId);
  try {
    return await inTransaction(db, (tx) =>
      runOnce(tx, memberId, idempotency, async () => {
        await wallets.lockWallet(tx, memberId);
        const workshop = await lockWorkshop(tx, memberId, body.workshopId);
        if (!workshop) throw new Refusal('NOT_FOUND');
        requireAction(workshop.state, 'saveImage');
        if (workshop.engineInstanceId !== deps.engine.instanceId) throw new Refusal('ENGINE_ELSEWHERE');
        if (!hasHome) throw new Refusal('NOTHING_TO_SAVE');
        await requireRoom(deps, tx, memberId);
        const imageId = uuidv7();
        const { tag, description = '' } = body;
        await insertImage(tx, {
          id: imageId,
          memberId,
          name,
          tag,
          description: description.trim(),
          ...(await originOf(deps, tx, workshop)),
        });
        return views.get(viewer, imageId, tx);
      }),
    );
  } catch (error) {
    const broken = brokenConstraint(error);
    if (broken === 'lab_image_name') throw new Refusal('IMAGE_NAME_TAKEN');
    if (broken === 'lab_image_saving') throw new Refusal('IMAGE_STATE_CONFLICT', { data: { state: 'SAVING' } });
    throw error;
  }
}

/** Asked before any lock is taken; whether there is anything to save. */
async function lookAtEngine({ engine, homes }: LabImageDeps, viewer: Viewer, workshopId: string): Promise<boolean> {
  try {
    const { saveImage } = await engine.capabilities();
    if (saveImage === 'none') throw new Refusal('ENGINE_CANNOT_SAVE');
    return await homes.hasHome(workshopId);
  } catch (error) {
    const isSilent = error instanceof EngineUnreachable || (error instanceof HomeFilesError && error.problem === 'UNAVAILABLE');
    if (!isSilent) throw error;
    throw new Refusal('ENGINE_UNAVAILABLE', { params: { reason: wordOf('engineUnreachable', viewer.language) } });
  }
}

/** What a workshop's image was made of. */
async function originOf({ catalogue }: LabImageDeps, tx: Tx, { id, imageId, engineInstanceId }: SavedFrom) {
  const base = catalogue.findImage(imageId);
  if (base) return { workshopId: id, engineInstanceId, baseImageId: base.imageId, parentId: null };
  const parent = await tx.selectFrom('labImage').select(['id', 'baseImageId']).where('id', '=', imageId).executeTakeFirstOrThrow();
  return { workshopId: id, engineInstanceId, baseImageId: parent.baseImageId, parentId: parent.id };
}

async function requireRoom({ memberships, storedBytes }: LabImageDeps, tx: Tx, memberId: string): Promise<void> {
  const { ceilings } = await memberships.getRights(memberId, tx);
  requireImageRoom(await countKept(tx, memberId), ceilings.privateImages);
  requireStorage(ceilings, await storedBytes(tx, memberId));
}

/** Throws NOT_FOUND. */
async function lockMine(tx: Tx, { memberId }: Viewer, imageId: string): Promise<LabImageRow> {
  const image = await lockImage(tx, imageId);
  if (image?.memberId !== memberId) throw new Refusal('NOT_FOUND');
  return image;
}

/** Throws NOT_FOUND, IMAGE_STATE_CONFLICT. Whoever saves it sees that it is gone and stops. */
async function cancel({ db, states }: LabImageDeps, viewer: Viewer, imageId: string): Promise<{ imageId: string }> {
  await inTransaction(db, async (tx) => {
    const image = await lockMine(tx, viewer, imageId);
    if (image.state !== 'SAVING') throw new Refusal('IMAGE_STATE_CONFLICT', { data: { state: image.state } });
    await markDeleted(tx, image.id);
    const workshop = await tx.selectFrom('workshop').select('state').where('id', '=', image.workshopId).executeTakeFirstOrThrow();
    await states.note(tx, {
      workshopId: image.workshopId,
      sessionId: null,
      from: workshop.state,
      to: workshop.state,
      reason: 'IMAGE_FAILED',
      actor: 'member',
      evidence: { image: `${image.name}:${image.tag}`, cause: 'CANCELLED' },
    });
  });
  return { imageId };
}

/** Throws NOT_FOUND, IMAGE_IN_USE, IMAGE_STATE_CONFLICT (it is being saved: that is cancelled instead). */
async function remove({ db }: LabImageDeps, viewer: Viewer, imageId: string): Promise<{ imageId: string }> {
  await inTransaction(db, async (tx) => {
    const image = await lockMine(tx, viewer, imageId);
    if (image.state === 'SAVING') throw new Refusal('IMAGE_STATE_CONFLICT', { data: { state: image.state } });
    requireUnused(await listOwnUses(tx, viewer.memberId, image.id));
    await markDeleted(tx, image.id);
  });
  return { imageId };
}

/** Throws NOT_FOUND, REAL_NAME_REQUIRED (PUBLISH_IMAGE), IMAGE_STATE_CONFLICT, IMAGE_HOLDS_SECRETS. Taking it back needs nothing. */
async function publish(deps: LabImageDeps, viewer: Viewer, body: PublishBody): Promise<LabImageWire> {
  const { db, proofs, views } = deps;
  return inTransaction(db, async (tx) => {
    const image = await lockMine(tx, viewer, body.imageId);
    if (body.isPublished) {
      const { isRealName } = await proofs.getProofs(viewer.memberId, tx);
      if (!isRealName) throw new Refusal('REAL_NAME_REQUIRED', { data: { cause: 'PUBLISH_IMAGE' } });
      if (image.state !== 'READY') throw new Refusal('IMAGE_STATE_CONFLICT', { data: { state: image.state } });
      requireNoSecrets(image.secretPaths, body.acceptedPaths ?? []);
    }
    await setPublished(tx, image.id, body.isPublished);
    return views.get(viewer, image.id, tx);
  });
}

/** Throws NOT_FOUND. Given twice it counts once. */
async function star({ db }: LabImageDeps, { memberId }: Viewer, imageId: string, isStarred: boolean) {
  return inTransaction(db, async (tx) => {
    const image = await lockImage(tx, imageId);
    const isVisible = image !== undefined && (image.memberId === memberId || image.publishedAt !== null);
    if (!isVisible) throw new Refusal('NOT_FOUND');
    return { imageId: image.id, isStarred, stars: await setStar(tx, image.id, memberId, isStarred) };
  });
}
