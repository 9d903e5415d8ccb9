import type { Db, Tx } from '../../db/client';
import { type ComputeEngine, EngineRefused } from '../../drivers/compute/computeEngine';
import { objectKeyOf } from '../../drivers/storage/objectKey';
import { type ObjectStorage, ObjectTooLarge, StorageFull } from '../../drivers/storage/objectStorage';
import { ArchiveBroken, readTarNames } from '../../drivers/storage/tarNames';
import type { ImageFailure } from '../../locales/imageWords';
import { Refusal } from '../../refusal';
import { type ClaimedImage, noteReference, type SavedImage } from './imageSave.repository';
import { findAnyImage } from './labImage.repository';
import { looksSecret, shownPath } from './labImage.rules';
import type { Homes } from './neighbours';

/** The save was cancelled, or another one has taken it over. */
export class NotOurs extends Error {
  override readonly name = 'NotOurs';
}

export class ShuttingDown extends Error {
  override readonly name = 'ShuttingDown';
}

class HomeGone extends Error {
  override readonly name = 'HomeGone';
}

/** One more than can be listed is enough to know that there are more. */
const MOST_SECRETS = 101;

interface Work {
  db: Db;
  engine: ComputeEngine;
  storage: ObjectStorage;
  homes: Homes;
  limitBytes: number;
  signal: AbortSignal;
  tell: (percent: number | null, detail: string) => void;
}

/** Makes the parts of an image: the layer first, which a running lab may outlive, then the archive, which is read back and looked through. */
export async function saveParts(work: Work, image: ClaimedImage): Promise<SavedImage> {
  const { storage, signal } = work;
  const key = objectKeyOf(image.archiveKey ?? '');
  await storage.delete(key);
  const layer = await saveLayer(work, image);
  signal.throwIfAborted();
  const stored = await saveArchive(work, image, key);
  work.tell(95, `CHECKING ${stored.bytes}`);
  const { files, secretPaths } = await lookThrough(work, key);
  return { ...layer, archiveBytes: BigInt(stored.bytes), archiveSha256: stored.sha256, files, secretPaths };
}

async function saveArchive(
  { storage, homes, limitBytes, signal, tell, db }: Work,
  image: ClaimedImage,
  key: ReturnType<typeof objectKeyOf>,
) {
  if (!(await homes.hasHome(image.workshopId))) throw new HomeGone();
  const { diskBytes } = await readWorkshop(db, image.workshopId);
  const { stream } = await homes.pack(image.workshopId);
  return storage.put(key, stream, {
    limitBytes,
    signal,
    // The archive is smaller than the home by nobody knows how much: it never says more than is true.
    onBytes: (bytes) => tell(diskBytes > 0n ? Math.min(90, Math.floor((100 * bytes) / Number(diskBytes))) : null, `FILES ${bytes}`),
  });
}

async function lookThrough({ storage, signal }: Work, key: ReturnType<typeof objectKeyOf>) {
  const secretPaths = new Set<string>();
  let files = 0;
  for await (const entry of readTarNames(await storage.open(key))) {
    signal.throwIfAborted();
    if (entry.isFile) files += 1;
    if (entry.isFile && secretPaths.size < MOST_SECRETS && looksSecret(entry.path)) secretPaths.add(shownPath(entry.path));
  }
  return { files, secretPaths: [...secretPaths] };
}

/** A lab that lives can be committed where the engine does that; else the image stands on the layer its workshop stood on. */
async function saveLayer(
  { db, engine, signal, tell }: Work,
  image: ClaimedImage,
): Promise<Pick<SavedImage, 'reference' | 'layerBytes'>> {
  const parent = image.parentId === null ? undefined : await findAnyImage(db, image.parentId);
  const inherited = { reference: parent?.engineInstanceId === image.engineInstanceId ? parent.reference : null, layerBytes: null };
  if (!engine.commitImage || (await engine.capabilities()).saveImage !== 'rootfs') return inherited;
  const ref = await runningRef(db, image.workshopId);
  if (ref === null) return inherited;
  tell(null, 'LAYER 0');
  const reference = `atelier/lab-image:${image.id}`;
  await engine.removeImage?.(reference);
  if (!(await noteReference(db, image, reference))) throw new NotOurs();
  const committed = await engine.commitImage(ref, {
    reference,
    labels: { 'atelier.image': image.id },
    signal,
    onProgress: ({ percent }) => tell(percent, 'LAYER 0'),
  });
  return { reference: committed.reference, layerBytes: BigInt(committed.sizeBytes) };
}

async function runningRef(db: Db, workshopId: string): Promise<string | null> {
  const run = await db
    .selectFrom('labSession')
    .innerJoin('workshop', 'workshop.id', 'labSession.workshopId')
    .select('labSession.engineRef')
    .where('labSession.workshopId', '=', workshopId)
    .where('labSession.endedAt', 'is', null)
    .where('workshop.state', '=', 'RUNNING')
    .executeTakeFirst();
  return run?.engineRef ?? null;
}

export function readWorkshop(reader: Db | Tx, workshopId: string) {
  return reader.selectFrom('workshop').select(['state', 'diskBytes']).where('id', '=', workshopId).executeTakeFirstOrThrow();
}

/** What a member is told of an error that trying again does not mend; null for others. */
export function failureOf(error: unknown): ImageFailure | null {
  if (error instanceof ObjectTooLarge) return 'STORAGE_LIMIT';
  if (error instanceof Refusal && error.error === 'MEMBER_STORAGE_LIMIT') return 'STORAGE_LIMIT';
  if (error instanceof StorageFull) return 'STORAGE_FULL';
  if (error instanceof HomeGone) return 'HOME_GONE';
  if (error instanceof ArchiveBroken) return 'ARCHIVE_BROKEN';
  if (error instanceof EngineRefused) return 'LAYER_REFUSED';
  return null;
}
