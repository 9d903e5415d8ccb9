import { PassThrough, pipeline, type Readable, type TransformCallback } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import type { Catalogue } from '../../catalog/catalogue';
import type { ImageEntry } from '../../catalog/entries';
import type { Db, Tx } from '../../db/client';
import type { ComputeEngine } from '../../drivers/compute/computeEngine';
import { HomeFilesError } from '../../drivers/homeFiles/homeFiles';
import { objectKeyOf } from '../../drivers/storage/objectKey';
import { ObjectMissing, type ObjectStorage } from '../../drivers/storage/objectStorage';
import { imageWordOf } from '../../locales/imageWords';
import { Refusal } from '../../refusal';
import { countUse, findAnyImage, lockImage } from './labImage.repository';
import { listNames } from './labImageView.repository';
import type { Homes, Viewer } from './neighbours';

/** The most files and folders an image can bring. */
const MOST_ENTRIES = 1_000_000;
const LOOK_AGAIN_MS = 1_000;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** What an engine starts a workshop's image from. */
export interface StartImage {
  imageId: string;
  reference: string | null;
  commands: readonly string[];
}

/** The files of an image cannot be put into a home. */
export class FillFailed extends Error {
  override readonly name = 'FillFailed';
}

export interface FillAsk {
  workshopId: string;
  imageId: string;
  diskBytes: number;
}

interface UseDeps {
  db: Db;
  catalogue: Catalogue;
  engine: ComputeEngine;
  storage: ObjectStorage;
  homes: Homes;
}

export type LabImageUseService = ReturnType<typeof createLabImageUseService>;

/** What workshops ask of images, be they of the basic tree or made by members: every look-up by a workshop's image id goes through here. */
export function createLabImageUseService({ db, catalogue, engine, storage, homes }: UseDeps) {
  return {
    /** The catalogue as pages of workshops need it: it finds the images made by members too, as they are called. */
    async knowing(imageIds: readonly string[], reader: Db | Tx = db): Promise<Catalogue> {
      const made = await listNames(reader, [...new Set(imageIds.filter((id) => !catalogue.findImage(id) && UUID.test(id)))]);
      if (made.length === 0) return catalogue;
      const entries = new Map(made.map((image) => [image.id, entryOf(catalogue, image)]));
      return { ...catalogue, findImage: (imageId) => entries.get(imageId) ?? catalogue.findImage(imageId) };
    },

    /** The image of the basic tree that an image is or stands on; undefined for one there never was. */
    async baseOf(imageId: string, reader: Db | Tx = db): Promise<ImageEntry | undefined> {
      const own = catalogue.findImage(imageId);
      if (own || !UUID.test(imageId)) return own;
      const made = await findAnyImage(reader, imageId);
      return made && catalogue.imageOf(made.baseImageId);
    },

    /**
     * For a workshop that is being made from it or changed to it: a member's own image, or a published one, held against being deleted
     * until the transaction ends. Throws IMAGE_UNAVAILABLE.
     */
    async choose(tx: Tx, viewer: Viewer, imageId: string): Promise<void> {
      if (catalogue.findImage(imageId)) return;
      const image = UUID.test(imageId) ? await lockImage(tx, imageId) : undefined;
      const isVisible = image !== undefined && (image.memberId === viewer.memberId || image.publishedAt !== null);
      if (!isVisible || image.state !== 'READY') {
        const reason = imageWordOf('gone', viewer.language);
        throw new Refusal('IMAGE_UNAVAILABLE', { params: { reason }, data: { reason } });
      }
      await countUse(tx, image.id);
    },

    /** What a workshop's image is to the engine. Of an image that was deleted its base stays, and its layer until nothing stands on it. */
    async startImageOf(imageId: string): Promise<StartImage> {
      const own = catalogue.findImage(imageId);
      if (own) return own;
      const made = await findAnyImage(db, imageId);
      if (!made) throw new RangeError(`there never was an image ${imageId}`);
      const base = catalogue.imageOf(made.baseImageId);
      const layer = made.engineInstanceId === engine.instanceId ? made.reference : null;
      return { imageId: base.imageId, reference: layer ?? base.reference, commands: base.commands };
    },

    /** Whether an image brings files that a new home is to be filled with. */
    async bringsFiles(imageId: string): Promise<boolean> {
      if (catalogue.findImage(imageId)) return false;
      return (await findAnyImage(db, imageId))?.archiveKey != null;
    },

    /**
     * Puts the files of an image into a workshop's home. `tell` is asked again and again with how far it is, and ends it by answering
     * false. True when it is done. Done again after a crash it replaces what was there. Throws `FillFailed`.
     */
    async fill(ask: FillAsk, tell: (percent: number | null) => Promise<boolean>): Promise<boolean> {
      const image = catalogue.findImage(ask.imageId) ? undefined : await findAnyImage(db, ask.imageId);
      if (!image?.archiveKey) return true;
      const stream = await openArchive(storage, image.archiveKey);
      const total = Number(image.archiveBytes ?? 0n);
      const counted = new CountedStream();
      // Whichever breaks off, the reader of `counted` hears of it.
      pipeline(stream, counted, () => undefined);
      const ended = new AbortController();
      const watching = watch(() => tell(total === 0 ? null : Math.floor((100 * counted.bytes) / total)), ended.signal);
      const unpacking = homes.unpack(ask.workshopId, counted, { bytes: ask.diskBytes, entries: MOST_ENTRIES });
      try {
        return await Promise.race([unpacking.then(() => true), watching]);
      } catch (error) {
        if (isRefused(error)) throw new FillFailed('the files of the image do not go into the home', { cause: error });
        throw error;
      } finally {
        ended.abort();
        counted.destroy();
        // Nothing may start in a home that is still being written to.
        await unpacking.catch(() => undefined);
      }
    },
  };
}

class CountedStream extends PassThrough {
  bytes = 0;

  override _transform(piece: Buffer, encoding: BufferEncoding, done: TransformCallback): void {
    this.bytes += piece.length;
    super._transform(piece, encoding, done);
  }
}

async function openArchive(storage: ObjectStorage, key: string): Promise<Readable> {
  try {
    return await storage.open(objectKeyOf(key));
  } catch (cause) {
    if (!(cause instanceof ObjectMissing)) throw cause;
    throw new FillFailed('the archive of the image is not here', { cause });
  }
}

function isRefused(error: unknown): boolean {
  return error instanceof HomeFilesError && error.problem !== 'UNAVAILABLE';
}

function entryOf(
  catalogue: Catalogue,
  { id, name, tag, baseImageId }: { id: string; name: string; tag: string; baseImageId: string },
): ImageEntry {
  const called = `${name}:${tag}`;
  return { ...catalogue.imageOf(baseImageId), imageId: id, name: { 'en-US': called, 'zh-CN': called } };
}

/** Asks until the answer is no. */
async function watch(ask: () => Promise<boolean>, signal: AbortSignal): Promise<false> {
  while (!signal.aborted && (await ask())) await wait(LOOK_AGAIN_MS, undefined, { signal }).catch(() => undefined);
  return false;
}
