import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, rename, rm, stat, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { v4 as uuidv4 } from 'uuid';
import type { Clock } from '../../clock';
import { objectKeyOf } from './objectKey';
import {
  type ByteRange,
  type ObjectKey,
  ObjectMissing,
  type ObjectStorage,
  ObjectTooLarge,
  type PutOptions,
  StorageFull,
  type StoredObject,
} from './objectStorage';

const UNFINISHED = 'unfinished';

/**
 * Objects as files under one folder, for its owner alone: written beside, synced, then renamed, so that after a crash there is the whole
 * object or something `sweep` removes.
 */
export function createLocalObjectStorage({ folder, clock }: { folder: string; clock: Clock }): ObjectStorage {
  const pathOf = (key: ObjectKey) => join(folder, objectKeyOf(key));
  return {
    async put(key, source, options) {
      const path = pathOf(key);
      await mkdir(join(folder, UNFINISHED), { recursive: true, mode: 0o700 });
      const unfinished = join(folder, UNFINISHED, uuidv4());
      try {
        const written = await write(unfinished, source, options);
        await mkdir(dirname(path), { recursive: true, mode: 0o700 });
        await rename(unfinished, path);
        await syncFolder(dirname(path));
        return { key, ...written };
      } catch (error) {
        source.destroy();
        await rm(unfinished, { force: true });
        throw isFull(error) ? new StorageFull('the disk of the object storage is full', { cause: error }) : error;
      }
    },

    async open(key, range) {
      return openPart(await openExisting(pathOf(key)), range);
    },

    async delete(key) {
      await rm(pathOf(key), { force: true });
    },

    async sweep(unusedMs) {
      const folderOfUnfinished = join(folder, UNFINISHED);
      const names = await readdir(folderOfUnfinished).catch(emptyIfMissing);
      const swept = await Promise.all(
        names.map((name) => removeIfUnused(join(folderOfUnfinished, name), clock.nowMs() - unusedMs)),
      );
      return swept.filter(Boolean).length;
    },
  };
}

async function write(path: string, source: Readable, options: PutOptions): Promise<Omit<StoredObject, 'key'>> {
  const file = await open(path, 'wx', 0o600);
  const hash = createHash('sha256');
  // A source that waits for ever must still hear of the abort.
  const abort = () => source.destroy(reasonOf(options.signal));
  options.signal.addEventListener('abort', abort, { once: true });
  try {
    if (options.signal.aborted) throw reasonOf(options.signal);
    const bytes = await copy(source, file, hash, options);
    await file.sync();
    return { bytes, sha256: hash.digest() };
  } finally {
    options.signal.removeEventListener('abort', abort);
    await file.close();
  }
}

async function copy(source: Readable, file: FileHandle, hash: Hash, { limitBytes, signal, onBytes }: PutOptions): Promise<number> {
  let bytes = 0;
  for await (const piece of source) {
    if (signal.aborted) throw reasonOf(signal);
    const chunk: Buffer = Buffer.isBuffer(piece) ? piece : Buffer.from(piece);
    bytes += chunk.length;
    if (bytes > limitBytes) throw new ObjectTooLarge(`more than ${limitBytes} bytes`);
    hash.update(chunk);
    await file.appendFile(chunk);
    onBytes?.(bytes);
  }
  if (signal.aborted) throw reasonOf(signal);
  return bytes;
}

function reasonOf({ reason }: AbortSignal): Error {
  return reason instanceof Error ? reason : new Error('aborted');
}

/** The file is open before the answer begins: an object deleted meanwhile is still given to its end. */
async function openExisting(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'r');
  } catch (cause) {
    if (codeOf(cause) !== 'ENOENT') throw cause;
    throw new ObjectMissing(`no object ${path}`, { cause });
  }
}

function openPart(file: FileHandle, range: ByteRange | undefined): Readable {
  return createReadStream('', { fd: file, autoClose: true, ...(range ? { start: range.from, end: range.to } : {}) });
}

/** A rename is only there after a crash when its folder was synced. */
async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function removeIfUnused(path: string, beforeMs: number): Promise<boolean> {
  try {
    if ((await stat(path)).mtimeMs > beforeMs) return false;
    await unlink(path);
    return true;
  } catch (error) {
    // Another sweep, or the end of its own put, was first.
    if (codeOf(error) === 'ENOENT') return false;
    throw error;
  }
}

function emptyIfMissing(error: Error): string[] {
  if (codeOf(error) === 'ENOENT') return [];
  throw error;
}

function isFull(error: unknown): boolean {
  return codeOf(error) === 'ENOSPC' || codeOf(error) === 'EDQUOT';
}

function codeOf(error: unknown): string {
  return String((error as NodeJS.ErrnoException | null)?.code ?? '');
}
