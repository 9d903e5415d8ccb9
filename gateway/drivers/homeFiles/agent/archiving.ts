import { constants } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, readlink, symlink } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { packTar, packZip, unpackTar, type Walk, type Walked } from '../archive';
import { HomeFilesError, type PackCounts, type UnpackLimits } from '../homeFiles';
import { isTemporary, partsOf } from '../paths';
import { codeOf, type Folder, inFolder, openPlainFile, problemOf } from './folder';
import { type Home, unlinkIfThere } from './home';
import { readNames } from './looking';

const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;

const CHUNK_BYTES = 64 * 1024;

/** Answers once the folder is known to be one that can be read. */
export async function zip(home: Home, path: string): Promise<Readable> {
  const parts = partsOf(path);
  await inFolder(home.root, parts, async () => undefined);
  return packZip(walk(home, parts));
}

export async function packHome(home: Home, counts: PackCounts): Promise<Readable> {
  await inFolder(home.root, [], async () => undefined);
  return packTar(walk(home, []), counts);
}

/** Everything below a folder. Folders are opened by their way from the root each time: few handles, however deep it goes. */
async function* walk(home: Home, base: readonly string[], below: readonly string[] = []): Walk {
  const path = (name: string) => [...below, name].join('/');
  let names: Awaited<ReturnType<typeof readNames>>;
  try {
    names = await inFolder(home.root, [...base, ...below], (folder) => readNames(folder));
  } catch (error) {
    if (!(error instanceof HomeFilesError)) throw error;
    yield { kind: 'leftOut', path: below.join('/') };
    return;
  }
  for (const { name, isText } of names.sort((one, other) => (one.name < other.name ? -1 : 1))) {
    const met = isText ? await meet(home, [...base, ...below], name, path(name)) : ({ kind: 'leftOut', path: path(name) } as const);
    yield met;
    if (met.kind === 'folder') yield* walk(home, base, [...below, name]);
  }
}

async function meet({ root, isContained }: Home, parts: readonly string[], name: string, path: string): Promise<Walked> {
  try {
    return await inFolder(root, parts, async (folder) => {
      const stats = await lstat(folder.at(name));
      const shared = { path, modifiedAtMs: stats.mtimeMs };
      if (stats.isDirectory()) return { kind: 'folder', ...shared, mode: stats.mode & 0o777 };
      if (stats.isSymbolicLink()) return { kind: 'link', ...shared, target: await readlink(folder.at(name)) };
      if (!stats.isFile()) return { kind: 'leftOut', path };
      return openWalked(await openPlainFile(folder.at(name), isContained), shared);
    });
  } catch (error) {
    if (error instanceof HomeFilesError) return { kind: 'leftOut', path };
    throw error;
  }
}

async function openWalked(handle: FileHandle, shared: { path: string; modifiedAtMs: number }): Promise<Walked> {
  const { size, mode } = await handle.stat();
  return { kind: 'file', ...shared, mode: mode & 0o777, sizeBytes: size, open: () => bytesOf(handle, 0, size, true) };
}

/**
 * So many bytes from `start` on; closing the stream closes the handle. Where the file ends before, it fails, unless it `isPadded`:
 * then zeros fill it up, as tar does.
 */
export function bytesOf(handle: FileHandle, start: number, count: number, isPadded: boolean): Readable {
  let done = 0;
  const next = async (): Promise<Buffer | null> => {
    if (done >= count) return null;
    const piece = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, count - done));
    const { bytesRead } = await handle.read(piece, 0, piece.length, start + done);
    if (bytesRead === 0 && !isPadded) throw new HomeFilesError('CHANGED', 'the file was cut while it was read');
    const got = bytesRead === 0 ? piece.fill(0) : piece.subarray(0, bytesRead);
    done += got.length;
    return got;
  };
  return new Readable({
    highWaterMark: CHUNK_BYTES,
    read() {
      next().then(
        (piece) => this.push(piece),
        (error: unknown) => this.destroy(error instanceof Error ? error : new Error(String(error))),
      );
    },
    destroy(error, done) {
      handle.close().then(
        () => done(error),
        (failed: unknown) => done(failed instanceof Error ? failed : error),
      );
    },
  });
}

export function unpack({ root }: Home, source: Readable, limits: UnpackLimits) {
  return unpackTar(source, limits, {
    makeFolder: (parts, mode) => makeFolders(root, parts, mode),
    makeLink: (parts, target) => atFreePlace(root, parts, (folder, name) => symlink(target, folder.at(name))),
    writeFile: (parts, content, { mode, modifiedAtMs }) =>
      atFreePlace(root, parts, async (folder, name) => {
        const handle = await open(folder.at(name), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode);
        try {
          for await (const chunk of content) {
            for (let done = 0; done < chunk.length; ) done += (await handle.write(chunk, done)).bytesWritten;
          }
          await handle.utimes(modifiedAtMs / 1000, modifiedAtMs / 1000);
        } finally {
          await handle.close();
        }
      }),
  });
}

async function makeFolders(root: string, parts: readonly string[], mode: number): Promise<void> {
  for (let depth = 1; depth <= parts.length; depth += 1) {
    const name = parts[depth - 1] ?? '';
    await inFolder(root, parts.slice(0, depth - 1), async (folder) => {
      try {
        await mkdir(folder.at(name), depth === parts.length ? mode : 0o755);
      } catch (error) {
        if (codeOf(error) !== 'EEXIST') throw error;
      }
    });
  }
}

/** What has the name goes, a link as a link; a folder in the way is refused by the system. */
async function atFreePlace(
  root: string,
  parts: readonly string[],
  work: (folder: Folder, name: string) => Promise<void>,
): Promise<void> {
  const name = parts.at(-1) ?? '';
  if (isTemporary(name)) return;
  const way = parts.slice(0, -1);
  await makeFolders(root, way, 0o755);
  await inFolder(root, way, async (folder) => {
    try {
      await unlinkIfThere(folder.at(name));
      await work(folder, name);
    } catch (error) {
      throw problemOf(error);
    }
  });
}
