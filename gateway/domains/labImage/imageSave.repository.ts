import { sql } from 'kysely';
import { v4 as uuidv4 } from 'uuid';
import type { Db, Tx } from '../../db/client';
import type { Progress } from '../../db/schemaLab';
import type { LabImageRow } from './labImage.repository';

/** A claim is believed so long after the last word of who holds it. */
export const CLAIM_SECONDS = 30;

/** A save that is ours while `claimId` stands in the row. */
export type ClaimedImage = LabImageRow & { claimId: string };

const lasting = sql<Date>`app_now() + make_interval(secs => ${CLAIM_SECONDS})`;

/** The next save that nobody works on, of this engine instance; what a crash left is nobody's once its claim has run out. */
export async function claimSave(db: Db, engineInstanceId: string, archiveKey: string): Promise<ClaimedImage | undefined> {
  const claimId = uuidv4();
  const claimed = await db
    .updateTable('labImage')
    .set({
      claimId,
      claimedUntil: lasting,
      attempts: sql<number>`attempts + 1`,
      archiveKey: sql<string>`coalesce(archive_key, ${archiveKey})`,
    })
    .where('id', '=', (eb) =>
      eb
        .selectFrom('labImage')
        .select('id')
        .where('state', '=', 'SAVING')
        .where('engineInstanceId', '=', engineInstanceId)
        .where((free) => free.or([free('claimedUntil', 'is', null), free('claimedUntil', '<', sql<Date>`(select app_now())`)]))
        .orderBy('createdAt')
        .limit(1)
        .forUpdate()
        .skipLocked(),
    )
    .returningAll()
    .executeTakeFirst();
  return claimed && { ...claimed, claimId };
}

const isStillOurs = (image: ClaimedImage) => sql<boolean>`id = ${image.id} and claim_id = ${image.claimId} and state = 'SAVING'`;

/** Says how far it is and that somebody works on it; false when it is not ours any more, because it was cancelled or taken over. */
export async function writeProgress(db: Db, image: ClaimedImage, progress: Progress): Promise<boolean> {
  const written = await db
    .updateTable('labImage')
    .set({ progress: JSON.stringify(progress), claimedUntil: lasting })
    .where(isStillOurs(image))
    .returning('id')
    .executeTakeFirst();
  return written !== undefined;
}

/** Lets somebody else begin anew at once, without counting this attempt. */
export async function releaseSave(db: Db, image: ClaimedImage): Promise<void> {
  await db
    .updateTable('labImage')
    .set({ claimId: null, claimedUntil: null, attempts: sql<number>`greatest(attempts - 1, 0)` })
    .where(isStillOurs(image))
    .execute();
}

/** Believed until its claim runs out, so that what failed is not tried again at once. */
export async function leaveSave(db: Db, image: ClaimedImage): Promise<void> {
  await db.updateTable('labImage').set({ claimedUntil: lasting }).where(isStillOurs(image)).execute();
}

export interface SavedImage {
  archiveBytes: bigint;
  archiveSha256: Buffer;
  files: number;
  secretPaths: string[];
  reference: string | null;
  layerBytes: bigint | null;
}

export async function finishSave(tx: Tx, image: ClaimedImage, saved: SavedImage): Promise<boolean> {
  const finished = await tx
    .updateTable('labImage')
    .set({
      ...saved,
      secretPaths: JSON.stringify(saved.secretPaths),
      state: 'READY',
      progress: null,
      readyAt: sql<Date>`app_now()`,
      claimId: null,
      claimedUntil: null,
    })
    .where(isStillOurs(image))
    .returning('id')
    .executeTakeFirst();
  return finished !== undefined;
}

/** A layer that was committed is written down before anything else can fail, so that it is found and removed. */
export async function noteReference(db: Db, image: ClaimedImage, reference: string): Promise<boolean> {
  const noted = await db.updateTable('labImage').set({ reference }).where(isStillOurs(image)).returning('id').executeTakeFirst();
  return noted !== undefined;
}

export async function failSave(tx: Tx, image: ClaimedImage, failureCode: string): Promise<boolean> {
  const failed = await tx
    .updateTable('labImage')
    .set({ state: 'FAILED', failureCode, progress: null, claimId: null, claimedUntil: null })
    .where(isStillOurs(image))
    .returning('id')
    .executeTakeFirst();
  return failed !== undefined;
}

/** What is left of images that are no more, of this engine instance, and that nothing needs. */
export async function listLeftovers(
  db: Db,
  engineInstanceId: string,
): Promise<{ id: string; archiveKey: string | null; reference: string | null; needsArchive: boolean; needsLayer: boolean }[]> {
  const { rows } = await sql<{
    id: string;
    archiveKey: string | null;
    reference: string | null;
    needsArchive: boolean;
    needsLayer: boolean;
  }>`
    select i.id, i.archive_key, i.reference,
      -- A home that is still to be filled from it.
      exists (select from workshop w where w.image_id = i.id::text and w.state <> 'DELETED' and w.home_filled_at is null)
        as needs_archive,
      -- Workshops that start from its layer, and images that stand on it.
      exists (select from lab_image o join workshop w on w.image_id = o.id::text
          where o.reference = i.reference and w.state <> 'DELETED')
        or exists (select from lab_image o where o.reference = i.reference and o.id <> i.id and o.state in ('SAVING','READY'))
        as needs_layer
    from lab_image i
    where i.state in ('DELETED','FAILED') and (i.archive_key is not null or i.reference is not null)
      and i.engine_instance_id = ${engineInstanceId}
    order by i.deleted_at limit 100`.execute(db);
  return rows;
}

export async function forgetLeftover(db: Db, imageId: string, part: 'archiveKey' | 'reference'): Promise<void> {
  await db
    .updateTable('labImage')
    .set({ [part]: null })
    .where('id', '=', imageId)
    .where('state', 'in', ['DELETED', 'FAILED'])
    .execute();
}
