import type { FastifyBaseLogger } from 'fastify';
import type { Db } from '../../db/client';
import type { ComputeEngine } from '../../drivers/compute/computeEngine';
import { objectKeyOf } from '../../drivers/storage/objectKey';
import type { ObjectStorage } from '../../drivers/storage/objectStorage';
import { forgetLeftover, listLeftovers } from './imageSave.repository';

interface PurgeDeps {
  db: Db;
  engine: ComputeEngine;
  storage: ObjectStorage;
  log: FastifyBaseLogger;
}

/** Removes archives and layers of images that are no more, once no workshop is still to be filled from them or stands on them. */
export async function purgeLeftovers(deps: PurgeDeps): Promise<void> {
  const { db, engine, storage } = deps;
  for (const { id, archiveKey, reference, needsArchive, needsLayer } of await listLeftovers(db, engine.instanceId)) {
    if (archiveKey !== null && !needsArchive) {
      await attempt(deps, id, async () => {
        await storage.delete(objectKeyOf(archiveKey));
        await forgetLeftover(db, id, 'archiveKey');
      });
    }
    if (reference !== null && !needsLayer) {
      await attempt(deps, id, async () => {
        await engine.removeImage?.(reference);
        await forgetLeftover(db, id, 'reference');
      });
    }
  }
}

/** One that cannot be removed now keeps none of the others; it is tried again with the next sweep. */
async function attempt({ log }: PurgeDeps, imageId: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (err) {
    log.warn({ err, imageId }, 'something of a deleted image could not be removed yet');
  }
}
