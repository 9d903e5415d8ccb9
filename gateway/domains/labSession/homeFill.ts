import type { FastifyBaseLogger } from 'fastify';
import type { Catalogue } from '../../catalog/catalogue';
import type { Db } from '../../db/client';
import { FillFailed, type LabImageUseService } from '../labImage/labImageUse.service';
import { markFilled, tellFilling, type WishRow } from './labSession.repository';

export interface FillDeps {
  db: Db;
  catalogue: Catalogue;
  imageUse: Pick<LabImageUseService, 'bringsFiles' | 'fill' | 'startImageOf'>;
  log: FastifyBaseLogger;
}

/** Whether the home is new and its image brings files. */
export async function needsFilling({ imageUse }: FillDeps, wish: WishRow): Promise<boolean> {
  return wish.homeFilledAt === null && (await imageUse.bringsFiles(wish.imageId));
}

/**
 * Fills a new home with what its image brings, before the engine hears of the run; a later image changes no files. `cancelled` when
 * nobody waits for the run any more. Throws what the engine or the storage throws, and then begins anew with the next pass.
 */
export async function fillHome(deps: FillDeps, wish: WishRow): Promise<'filled' | 'cancelled' | 'refused'> {
  if (wish.homeFilledAt !== null) return 'filled';
  const { db, catalogue, imageUse, log } = deps;
  const { workshopId, imageId } = wish;
  const { diskBytes } = catalogue.specOf(wish.specId);
  try {
    const isDone = await imageUse.fill({ workshopId, imageId, diskBytes }, (percent) => tellFilling(db, wish, percent));
    if (!isDone) return 'cancelled';
  } catch (error) {
    if (!(error instanceof FillFailed)) throw error;
    log.warn({ err: error, workshopId, imageId }, 'the files of an image could not be put into a home');
    return 'refused';
  }
  await markFilled(db, workshopId);
  return 'filled';
}
