import type { BigIntStats, Dirent } from 'node:fs';
import { lstat, opendir, readlink } from 'node:fs/promises';
import { type HomeEntry, type HomeEntryKind, type HomeFileStat, type HomeFolder, listedMost } from '../homeFiles';
import { isTemporary, partsOf } from '../paths';
import { codeOf, type Folder, inFolder } from './folder';
import { type Home, sweepTemporary, versionOf } from './home';

/** Beyond this many names a folder is not sorted but cut where it is. */
const MOST_NAMES = 100_000;
const AT_ONCE = 64;

export async function list({ root, isContained }: Home, path: string): Promise<HomeFolder> {
  return inFolder(root, partsOf(path), async (folder) => {
    const names = await readNames(folder);
    const isCut = names.length > listedMost;
    const shown = names.sort(byKindAndName).slice(0, listedMost);
    const entries: HomeEntry[] = [];
    for (let start = 0; start < shown.length; start += AT_ONCE) {
      const some = await Promise.all(shown.slice(start, start + AT_ONCE).map((one) => look(folder, one, isContained)));
      entries.push(...some.filter((entry) => entry !== null));
    }
    return { entries, isCut };
  });
}

export async function stat({ root, isContained }: Home, path: string): Promise<HomeFileStat> {
  const parts = partsOf(path);
  const name = parts.pop();
  if (name === undefined)
    return inFolder(root, [], async (folder) => entryOf('', await folder.handle.stat({ bigint: true }), null, isContained));
  return inFolder(root, parts, async (folder) => {
    const stats = await lstat(folder.at(name), { bigint: true });
    return entryOf(name, stats, await targetOf(folder, name, stats), isContained);
  });
}

interface Name {
  name: string;
  isFolder: boolean;
  /** Its bytes are UTF-8, so it can be asked for again. */
  isText: boolean;
}

/** The names in a folder but for what is being written. */
export async function readNames(folder: Folder): Promise<Name[]> {
  const names: Name[] = [];
  // The types of Node 20 do not know that a directory can be read in bytes.
  const directory = await opendir(folder.here, { encoding: 'buffer' as BufferEncoding, bufferSize: 256 });
  for await (const entry of directory) {
    const { bytes, isFolder } = { bytes: Buffer.from((entry as Dirent).name), isFolder: entry.isDirectory() };
    const name = bytes.toString('utf8');
    if (isTemporary(name)) await sweepTemporary(folder, name);
    else names.push({ name, isFolder, isText: Buffer.from(name).equals(bytes) });
    if (names.length >= MOST_NAMES) break;
  }
  return names;
}

const collator = new Intl.Collator('en', { numeric: true });

function byKindAndName(one: Name, other: Name): number {
  return (
    Number(other.isFolder) - Number(one.isFolder) || collator.compare(one.name, other.name) || (one.name < other.name ? -1 : 1)
  );
}

/** Null for what went away meanwhile. */
async function look(folder: Folder, { name, isText }: Name, isContained: boolean): Promise<HomeEntry | null> {
  if (!isText) return { name, kind: 'other', sizeBytes: 0, modifiedAtMs: 0, isWritable: false, target: null };
  try {
    const stats = await lstat(folder.at(name), { bigint: true });
    const { version: _, ...entry } = entryOf(name, stats, await targetOf(folder, name, stats), isContained);
    return entry;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
}

async function targetOf(folder: Folder, name: string, stats: BigIntStats): Promise<string | null> {
  return stats.isSymbolicLink() ? readlink(folder.at(name)) : null;
}

function entryOf(name: string, stats: BigIntStats, target: string | null, isContained: boolean): HomeFileStat {
  const isOwn = process.getuid === undefined || process.getuid() === 0 || Number(stats.uid) === process.getuid();
  return {
    name,
    kind: kindOf(stats, isContained),
    sizeBytes: stats.isFile() ? Number(stats.size) : 0,
    modifiedAtMs: Number(stats.mtimeMs),
    isWritable: isOwn && !stats.isSymbolicLink() && (stats.mode & 0o200n) !== 0n,
    target,
    version: versionOf(stats),
  };
}

function kindOf(stats: BigIntStats, isContained: boolean): HomeEntryKind {
  if (stats.isDirectory()) return 'folder';
  if (stats.isSymbolicLink()) return 'link';
  return stats.isFile() && (isContained || stats.nlink === 1n) ? 'file' : 'other';
}
