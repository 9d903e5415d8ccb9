import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { constants, linkSync, lstatSync, renameSync, unlinkSync } from 'node:fs';
import { type FileHandle, mkdir, open, unlink } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { HomeFilesError, type WriteOptions, type WrittenFile } from '../homeFiles';
import { besideName, newPartsOf, partsOf } from '../paths';
import { codeOf, Folder, inFolder, problemOf } from './folder';
import { type Home, homeItself, unlinkIfThere, versionOf } from './home';

const run = promisify(execFile);
const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
const MOST_BESIDE = 1_000;

export async function write(home: Home, path: string, source: Readable, options: WriteOptions): Promise<WrittenFile> {
  const { folder: parts, name } = newPartsOf(path);
  const folder = await makeWay(home.root, parts);
  const temporary = `.atelier-${randomBytes(8).toString('hex')}.part`;
  let handle: FileHandle | null = null;
  try {
    requireFree(folder, name, options);
    handle = await open(folder.at(temporary), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o644);
    await fill(handle, source, options.limitBytes);
    const kept = lstatSync(folder.at(name), { throwIfNoEntry: false });
    if (kept?.isFile()) await handle.chmod(kept.mode & 0o777);
    const taken = place(folder, temporary, name, options);
    const stats = await handle.stat({ bigint: true });
    return { name: taken, sizeBytes: Number(stats.size), modifiedAtMs: Number(stats.mtimeMs), version: versionOf(stats) };
  } catch (error) {
    await unlinkIfThere(folder.at(temporary));
    throw problemOf(error);
  } finally {
    await handle?.close();
    await folder.close();
  }
}

/** Says what cannot succeed before a byte of it is taken. */
function requireFree(folder: Folder, name: string, { onConflict, version }: WriteOptions): void {
  const there = lstatSync(folder.at(name), { throwIfNoEntry: false, bigint: true });
  if (!there) {
    if (typeof version === 'string') throw new HomeFilesError('CHANGED', 'it is gone');
    return;
  }
  if (typeof version === 'string' && versionOf(there) !== version) throw new HomeFilesError('CHANGED', 'somebody wrote to it');
  if (version === null || onConflict === 'refuse') throw new HomeFilesError('EXISTS', 'the name is taken');
  if (onConflict === 'replace' && !there.isFile()) throw new HomeFilesError('EXISTS', 'not a file that could be replaced');
}

async function fill(handle: FileHandle, source: Readable, limitBytes: number): Promise<void> {
  let written = 0;
  for await (const chunk of source) {
    written += chunk.length;
    if (written > limitBytes) throw new HomeFilesError('QUOTA', `more than ${limitBytes} bytes`);
    for (let done = 0; done < chunk.length; ) done += (await handle.write(chunk, done)).bytesWritten;
  }
  // What is acknowledged is on disk.
  await handle.sync();
}

/** Gives what was written its name, in one step without a pause, so that of two who saw the same version one is told. */
function place(folder: Folder, temporary: string, name: string, options: WriteOptions): string {
  requireFree(folder, name, options);
  if (options.onConflict === 'replace') {
    renameSync(folder.at(temporary), folder.at(name));
    return name;
  }
  for (let number = 1; number <= MOST_BESIDE; number += 1) {
    const free = number === 1 ? name : besideName(name, number);
    try {
      // Unlike a rename, a link never takes what is there.
      linkSync(folder.at(temporary), folder.at(free));
      unlinkSync(folder.at(temporary));
      return free;
    } catch (error) {
      if (codeOf(error) !== 'EEXIST' || options.onConflict === 'refuse') throw error;
    }
  }
  throw new HomeFilesError('EXISTS', 'too many of this name');
}

/** The folder at the end of the parts, made where it is missing. */
async function makeWay(root: string, parts: readonly string[]): Promise<Folder> {
  let folder = await Folder.open(root);
  for (const name of parts) {
    try {
      let next: Folder;
      try {
        next = await folder.enter(name);
      } catch (error) {
        if (!(error instanceof HomeFilesError && error.problem === 'NOT_FOUND')) throw error;
        newPartsOf(name);
        await mkdir(folder.at(name), 0o755).catch((failed: unknown) => {
          if (codeOf(failed) !== 'EEXIST') throw failed;
        });
        next = await folder.enter(name);
      }
      await folder.close();
      folder = next;
    } catch (error) {
      await folder.close();
      throw problemOf(error);
    }
  }
  return folder;
}

export async function makeFolder({ root }: Home, path: string): Promise<void> {
  const { folder: parts, name } = newPartsOf(path);
  await inFolder(root, parts, (folder) => mkdir(folder.at(name), 0o755));
}

export async function rename({ root }: Home, from: string, to: string): Promise<void> {
  const fromParts = partsOf(from);
  const fromName = fromParts.pop();
  if (fromName === undefined) throw homeItself();
  const { folder: toParts, name: toName } = newPartsOf(to);
  await inFolder(root, fromParts, (source) =>
    inFolder(root, toParts, async (target) => {
      const there = lstatSync(source.at(fromName), { throwIfNoEntry: false });
      if (!there) throw new HomeFilesError('NOT_FOUND', 'nothing to rename');
      if (lstatSync(target.at(toName), { throwIfNoEntry: false })) throw new HomeFilesError('EXISTS', 'the name is taken');
      // No pause between the look and the step; what slips in between from outside can be an empty folder or a file of that instant.
      renameSync(source.at(fromName), target.at(toName));
    }),
  );
}

/** The system's own tools walk by handle, so neither depth nor links nor folders without permissions stop them. */
export async function remove({ root }: Home, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    const parts = partsOf(path);
    const name = parts.pop();
    if (name === undefined) throw homeItself();
    try {
      await inFolder(root, parts, (folder) => removeIn(folder, name));
    } catch (error) {
      if (!(error instanceof HomeFilesError && error.problem === 'NOT_FOUND')) throw error;
    }
  }
}

async function removeIn(folder: Folder, name: string): Promise<void> {
  const there = lstatSync(folder.at(name), { throwIfNoEntry: false });
  if (!there) return;
  if (!there.isDirectory()) return unlink(folder.at(name));
  const options = { cwd: folder.here, env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' } };
  try {
    await run('chmod', ['-R', 'u+rwX', '--', `./${name}`], options);
    await run('rm', ['-rf', '--one-file-system', '--', `./${name}`], options);
  } catch (error) {
    throw new HomeFilesError('FORBIDDEN', error instanceof Error ? error.message.slice(0, 200) : 'it could not be deleted');
  }
}
