import { type BigIntStats, lstatSync } from 'node:fs';
import { unlink } from 'node:fs/promises';
import { HomeFilesError } from '../homeFiles';
import { codeOf, type Folder } from './folder';

/** What an agent serves. */
export interface Home {
  root: string;
  /** Nothing outside the home can be reached from here, whatever a name leads to. */
  isContained: boolean;
}

/** Left by a process that was killed in the middle; younger ones may be another's that is still writing. */
const ABANDONED_MS = 10 * 60_000;

export function versionOf(stats: BigIntStats): string {
  return [stats.ino, stats.mtimeNs, stats.ctimeNs, stats.size].map((part) => part.toString(36)).join('-');
}

export const homeItself = () => new HomeFilesError('FORBIDDEN', 'the home itself');

export async function sweepTemporary(folder: Folder, name: string): Promise<void> {
  const there = lstatSync(folder.at(name), { throwIfNoEntry: false });
  if (!there || performance.timeOrigin + performance.now() - there.mtimeMs < ABANDONED_MS) return;
  await unlinkIfThere(folder.at(name));
}

export async function unlinkIfThere(path: string): Promise<void> {
  try {
    await unlink(path);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  }
}
