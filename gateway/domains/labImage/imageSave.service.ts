import type { FastifyBaseLogger } from 'fastify';
import { type Db, inTransaction } from '../../db/client';
import type { ComputeEngine } from '../../drivers/compute/computeEngine';
import { newObjectKey, objectKeyOf } from '../../drivers/storage/objectKey';
import type { ObjectStorage } from '../../drivers/storage/objectStorage';
import type { ImageFailure } from '../../locales/imageWords';
import { requireStorage } from '../workshop/workshop.rules';
import type { WorkshopStateService } from '../workshop/workshopState.service';
import { purgeLeftovers } from './imagePurge';
import {
  type ClaimedImage,
  claimSave,
  failSave,
  finishSave,
  leaveSave,
  releaseSave,
  type SavedImage,
  writeProgress,
} from './imageSave.repository';
import { failureOf, NotOurs, readWorkshop, ShuttingDown, saveParts } from './imageSaveSteps';
import type { Homes, Memberships, Wallets } from './neighbours';

/** Saves at once on one gateway; more wait. */
const MOST_AT_ONCE = 2;
const MOST_ATTEMPTS = 3;
const HEARTBEAT_MS = 1_000;
/** What was not written to for so long belongs to nobody. */
const UNFINISHED_MS = 3_600_000;
const GB = 1_073_741_824n;

export interface ImageSaveDeps {
  db: Db;
  engine: ComputeEngine;
  storage: ObjectStorage;
  homes: Homes;
  wallets: Wallets;
  memberships: Memberships;
  states: WorkshopStateService;
  /** What the member's homes and images hold in all. */
  storedBytes: (reader: Db, memberId: string) => Promise<bigint>;
  log: FastifyBaseLogger;
}

interface Saving {
  abort: AbortController;
  done: Promise<void>;
}

export type ImageSaveService = ReturnType<typeof createImageSaveService>;

/**
 * Saves images beside everything else: claims what waits, packs, writes, checks, and says how far it is. What a crash interrupts is
 * begun anew by whoever claims it next; what is cancelled or fails leaves nothing behind.
 */
export function createImageSaveService(deps: ImageSaveDeps) {
  const running = new Map<string, Saving>();
  let isClosed = false;

  function begin(image: ClaimedImage): void {
    const abort = new AbortController();
    const done = save(deps, image, abort)
      .catch((err: unknown) => deps.log.error({ err, imageId: image.id }, 'an image could not be saved nor given up'))
      .finally(() => running.delete(image.id));
    running.set(image.id, { abort, done });
  }

  return {
    /** Begins what waits; how many. */
    async runOnce(): Promise<number> {
      let begun = 0;
      while (!isClosed && running.size < MOST_AT_ONCE) {
        const image = await claimSave(deps.db, deps.engine.instanceId, newObjectKey('images'));
        if (!image) break;
        begin(image);
        begun += 1;
      }
      return begun;
    },

    /** Removes what cancelled, failed and deleted images and crashes left. */
    async sweep(): Promise<void> {
      await purgeLeftovers(deps);
      await deps.storage.sweep(UNFINISHED_MS);
    },

    /** Resolves when nothing is being saved any more. */
    async drain(): Promise<void> {
      await Promise.all([...running.values()].map(({ done }) => done));
    },

    /** Ends what is being saved; the next start begins it anew. */
    async close(): Promise<void> {
      isClosed = true;
      for (const { abort } of running.values()) abort.abort(new ShuttingDown());
      await this.drain();
    },
  };
}

async function save(deps: ImageSaveDeps, image: ClaimedImage, abort: AbortController): Promise<void> {
  const { db, log, storage } = deps;
  if (image.attempts > MOST_ATTEMPTS) return fail(deps, image, 'INTERRUPTED');
  const heart = beat(deps, image, abort);
  try {
    const limitBytes = await freeBytes(deps, image.memberId);
    const saved = await saveParts({ ...deps, limitBytes, signal: abort.signal, tell: heart.tell }, image);
    await finish(deps, image, saved);
  } catch (error) {
    // It is somebody else's now, or nobody's: whoever has it, or the purge, removes what was made.
    if (error instanceof NotOurs) return;
    if (image.archiveKey) await storage.delete(objectKeyOf(image.archiveKey));
    if (error instanceof ShuttingDown) return releaseSave(db, image);
    const failure = failureOf(error);
    if (failure) return await fail(deps, image, failure);
    log.warn({ err: error, imageId: image.id, attempt: image.attempts }, 'an image was not saved and is tried again');
    await (image.attempts >= MOST_ATTEMPTS ? fail(deps, image, 'INTERRUPTED') : leaveSave(db, image));
  } finally {
    heart.stop();
  }
}

/** Says again and again how far it is, which keeps the claim, and ends the work when it is not ours any more. */
function beat({ db, log }: ImageSaveDeps, image: ClaimedImage, abort: AbortController) {
  let progress = { percent: null as number | null, detail: 'WAITING' };
  const timer = setInterval(() => {
    writeProgress(db, image, progress).then(
      (isOurs) => {
        if (!isOurs) abort.abort(new NotOurs());
      },
      (err: unknown) => log.warn({ err, imageId: image.id }, 'the progress of an image was not written'),
    );
  }, HEARTBEAT_MS);
  return {
    tell: (percent: number | null, detail: string) => {
      progress = { percent, detail };
    },
    stop: () => clearInterval(timer),
  };
}

/** What of the level's storage homes and images leave, as far as can be known before the end. */
async function freeBytes({ db, memberships, storedBytes }: ImageSaveDeps, memberId: string): Promise<number> {
  const { ceilings } = await memberships.getRights(memberId);
  const used = await storedBytes(db, memberId);
  const free = BigInt(ceilings.storageGb) * GB - used;
  return Number(free > 0n ? free : 0n);
}

/** Under the wallet's lock: two images that fit alone must not both fit together. */
async function finish(deps: ImageSaveDeps, image: ClaimedImage, saved: SavedImage): Promise<void> {
  const { db, wallets, memberships, storedBytes, states } = deps;
  await inTransaction(db, async (tx) => {
    await wallets.lockWallet(tx, image.memberId);
    const { ceilings } = await memberships.getRights(image.memberId, tx);
    const used = await storedBytes(tx, image.memberId);
    // What is full exactly is not too much.
    requireStorage(ceilings, used + saved.archiveBytes + (saved.layerBytes ?? 0n) - 1n);
    if (!(await finishSave(tx, image, saved))) throw new NotOurs();
    const workshop = await readWorkshop(tx, image.workshopId);
    await states.note(tx, {
      workshopId: image.workshopId,
      sessionId: null,
      from: workshop.state,
      to: workshop.state,
      reason: 'IMAGE_SAVED',
      actor: 'system',
      evidence: { image: `${image.name}:${image.tag}`, bytes: Number(saved.archiveBytes) },
    });
  });
}

async function fail({ db, states, log }: ImageSaveDeps, image: ClaimedImage, failure: ImageFailure): Promise<void> {
  log.warn({ imageId: image.id, failure }, 'an image could not be saved');
  await inTransaction(db, async (tx) => {
    if (!(await failSave(tx, image, failure))) return;
    const workshop = await readWorkshop(tx, image.workshopId);
    await states.note(tx, {
      workshopId: image.workshopId,
      sessionId: null,
      from: workshop.state,
      to: workshop.state,
      reason: 'IMAGE_FAILED',
      actor: 'system',
      evidence: { image: `${image.name}:${image.tag}`, cause: failure },
    });
  });
}
