import { constants, lstatSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { HomeFilesError } from '../homeFiles';

const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK } = constants;
/** Elsewhere names are joined, which is as safe as having no sandbox is. */
const hasHandlePaths = process.platform === 'linux';

/**
 * A folder held open. What is asked of `at(name)` the kernel resolves from the handle, so nothing that is moved or swapped for a
 * link meanwhile leads anywhere else.
 */
export class Folder {
  private constructor(
    readonly handle: FileHandle,
    private readonly path: string,
  ) {}

  static async open(path: string): Promise<Folder> {
    const handle = await open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK);
    return new Folder(handle, hasHandlePaths ? `/proc/self/fd/${handle.fd}` : path);
  }

  /** The folder at the end of the parts. The caller closes it. Throws NOT_FOUND, NOT_A_FOLDER, FORBIDDEN. */
  static async walk(root: string, parts: readonly string[]): Promise<Folder> {
    let folder = await Folder.open(root);
    for (const name of parts) {
      try {
        const next = await folder.enter(name);
        await folder.close();
        folder = next;
      } catch (error) {
        await folder.close();
        throw error;
      }
    }
    return folder;
  }

  at(name: string): string {
    return join(this.path, name);
  }

  get here(): string {
    return this.path;
  }

  async enter(name: string): Promise<Folder> {
    try {
      return await Folder.open(this.at(name));
    } catch (error) {
      // ENOTDIR is what O_NOFOLLOW gives for a link to a folder as well.
      if (codeOf(error) === 'ENOTDIR' && lstatSync(this.at(name), { throwIfNoEntry: false })?.isSymbolicLink()) {
        throw new HomeFilesError('FORBIDDEN', 'a link on the way');
      }
      throw problemOf(error);
    }
  }

  close(): Promise<void> {
    return this.handle.close();
  }
}

/** Runs `work` in the folder at the end of the parts. */
export async function inFolder<T>(root: string, parts: readonly string[], work: (folder: Folder) => Promise<T>): Promise<T> {
  const folder = await Folder.walk(root, parts);
  try {
    return await work(folder);
  } catch (error) {
    throw problemOf(error);
  } finally {
    await folder.close();
  }
}

/** A plain file, opened to be read. Throws NOT_FOUND, NOT_A_FILE, FORBIDDEN. */
export async function openPlainFile(path: string, isHardLinkFine: boolean): Promise<FileHandle> {
  let handle: FileHandle;
  try {
    // O_NONBLOCK: a pipe without a writer must not hold anybody up.
    handle = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch (error) {
    throw problemOf(error);
  }
  const stat = await handle.stat();
  if (stat.isFile() && (isHardLinkFine || stat.nlink === 1)) return handle;
  await handle.close();
  throw stat.isFile()
    ? new HomeFilesError('FORBIDDEN', 'a file of several names')
    : new HomeFilesError('NOT_A_FILE', 'no plain file');
}

const problems = {
  ENOENT: 'NOT_FOUND',
  EEXIST: 'EXISTS',
  ENOTEMPTY: 'EXISTS',
  EISDIR: 'EXISTS',
  ENOTDIR: 'NOT_A_FOLDER',
  ENAMETOOLONG: 'NAME_INVALID',
  EINVAL: 'NAME_INVALID',
  ENOSPC: 'QUOTA',
  EDQUOT: 'QUOTA',
  EFBIG: 'QUOTA',
  ELOOP: 'FORBIDDEN',
  EACCES: 'FORBIDDEN',
  EPERM: 'FORBIDDEN',
  EROFS: 'FORBIDDEN',
  EXDEV: 'FORBIDDEN',
  ENXIO: 'NOT_A_FILE',
  ENODEV: 'NOT_A_FILE',
} as const;

/** What the system refused, in the port's words. */
export function problemOf(error: unknown): unknown {
  const problem = Object.hasOwn(problems, codeOf(error)) ? problems[codeOf(error) as keyof typeof problems] : null;
  return problem === null ? error : new HomeFilesError(problem, codeOf(error));
}

export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
