import { type Selectable, sql } from 'kysely';
import type { Db, Tx } from '../../db/client';
import type { LabImageTable } from '../../db/schemaLab';

export type LabImageRow = Selectable<LabImageTable>;

/** Also a deleted one: what workshops were made from stays known. */
export function findAnyImage(reader: Db | Tx, imageId: string): Promise<LabImageRow | undefined> {
  return reader.selectFrom('labImage').selectAll().where('id', '=', imageId).executeTakeFirst();
}

/** Against publishing, deleting, starring and making workshops from it at once. */
export function lockImage(tx: Tx, imageId: string): Promise<LabImageRow | undefined> {
  return tx
    .selectFrom('labImage')
    .selectAll()
    .where('id', '=', imageId)
    .where('state', '<>', 'DELETED')
    .forUpdate()
    .executeTakeFirst();
}

export async function insertImage(
  tx: Tx,
  image: Pick<
    LabImageRow,
    'id' | 'memberId' | 'workshopId' | 'name' | 'tag' | 'description' | 'baseImageId' | 'parentId' | 'engineInstanceId'
  >,
): Promise<void> {
  const empty = { progress: null, failureCode: null, archiveKey: null, archiveBytes: null, archiveSha256: null, files: null };
  const later = { reference: null, layerBytes: null, publishedAt: null, claimId: null, claimedUntil: null, readyAt: null };
  await tx
    .insertInto('labImage')
    .values({ ...image, ...empty, ...later, state: 'SAVING', deletedAt: null })
    .execute();
}

/** What counts towards the level's images: those there are and those being saved. */
export async function countKept(reader: Db | Tx, memberId: string): Promise<number> {
  const { count } = await reader
    .selectFrom('labImage')
    .select((eb) => eb.fn.countAll<bigint>().as('count'))
    .where('memberId', '=', memberId)
    .where('state', 'in', ['SAVING', 'READY'])
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** The member's own workshops that were made from an image and are still there. */
export function listOwnUses(reader: Db | Tx, memberId: string, imageId: string): Promise<{ workshopId: string; name: string }[]> {
  return reader
    .selectFrom('workshop')
    .select(['id as workshopId', 'name'])
    .where('imageId', '=', imageId)
    .where('memberId', '=', memberId)
    .where('state', '<>', 'DELETED')
    .orderBy('name')
    .execute();
}

export async function markDeleted(tx: Tx, imageId: string): Promise<void> {
  await tx
    .updateTable('labImage')
    .set({
      state: 'DELETED',
      deletedAt: sql<Date>`app_now()`,
      publishedAt: null,
      failureCode: null,
      progress: null,
      claimId: null,
      claimedUntil: null,
    })
    .where('id', '=', imageId)
    .execute();
  await tx.deleteFrom('labImageStar').where('imageId', '=', imageId).execute();
}

export async function setPublished(tx: Tx, imageId: string, isPublished: boolean): Promise<void> {
  const publishedAt = isPublished ? sql<Date>`coalesce(published_at, app_now())` : null;
  await tx.updateTable('labImage').set({ publishedAt }).where('id', '=', imageId).execute();
}

/** The row's lock is held, so that two stars of one member count once. */
export async function setStar(tx: Tx, imageId: string, memberId: string, isStarred: boolean): Promise<number> {
  if (isStarred) {
    await tx
      .insertInto('labImageStar')
      .values({ imageId, memberId })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  } else {
    await tx.deleteFrom('labImageStar').where('imageId', '=', imageId).where('memberId', '=', memberId).execute();
  }
  const { stars } = await tx
    .updateTable('labImage')
    .set({ stars: sql<number>`(select count(*)::int from lab_image_star where image_id = ${imageId})` })
    .where('id', '=', imageId)
    .returning('stars')
    .executeTakeFirstOrThrow();
  return stars;
}

export async function countUse(tx: Tx, imageId: string): Promise<void> {
  await tx.updateTable('labImage').set({ uses: sql<number>`uses + 1` }).where('id', '=', imageId).execute();
}
