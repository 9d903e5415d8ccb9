import { Readable } from 'node:stream';
import { EngineUnreachable } from '../compute/computeEngine';
import type { SimulatedEngine } from '../compute/simulatedEngine';
import { type SimulatedFile, SimulatedFiles } from '../compute/simulatedFiles';
import { packTar, packZip, unpackTar, type Walk } from './archive';
import {
  type HomeFileStat,
  type HomeFiles,
  HomeFilesError,
  type HomeFolder,
  listedMost,
  type PackCounts,
  type WriteOptions,
  type WrittenFile,
} from './homeFiles';
import { besideName, newPartsOf, partsOf } from './paths';

const place = (parts: readonly string[]) => [SimulatedFiles.home, ...parts].join('/');

/** The files in the homes a simulated engine keeps in memory; links and devices there are none. */
export function createSimulatedHomeFiles(engine: SimulatedEngine): HomeFiles {
  const open = async (workshopId: string): Promise<SimulatedFiles> => {
    const files = engine.simulate.homeFiles(workshopId);
    await reach(engine);
    if (!files) throw new HomeFilesError('NOT_FOUND', 'there is no home yet');
    return files;
  };
  const make = async (workshopId: string): Promise<SimulatedFiles> => {
    await reach(engine);
    await engine.makeHome(workshopId);
    return open(workshopId);
  };
  return {
    hasHome: async (workshopId) => {
      await reach(engine);
      return engine.simulate.homeFiles(workshopId) !== undefined;
    },
    list: async (workshopId, path) => {
      partsOf(path);
      await reach(engine);
      const files = engine.simulate.homeFiles(workshopId);
      return files || path !== '' ? list(files ?? (await open(workshopId)), path) : { entries: [], isCut: false };
    },
    stat: async (workshopId, path) => statOf(await open(workshopId), partsOf(path)),
    read: async (workshopId, path, { start, end }) => {
      const file = requireFile(await open(workshopId), partsOf(path));
      return Readable.from(slices(file.bytes.subarray(start, end + 1)), { objectMode: false });
    },
    write: async (workshopId, path, source, options) => write(await make(workshopId), path, source, options),
    makeFolder: async (workshopId, path) => {
      const { folder, name } = newPartsOf(path);
      const files = await make(workshopId);
      requireFolder(files, folder);
      if (!files.makeFolder(place([...folder, name]))) throw new HomeFilesError('EXISTS', 'the name is taken');
    },
    rename: async (workshopId, from, to) => rename(await open(workshopId), from, to),
    delete: async (workshopId, paths) => {
      const files = await open(workshopId);
      for (const path of paths) {
        if (path === '') throw new HomeFilesError('FORBIDDEN', 'the home itself');
        files.delete(place(partsOf(path)), true);
      }
    },
    ...archivesOf(open, make),
    usedBytes: async (workshopId) => {
      await reach(engine);
      return engine.simulate.homeFiles(workshopId)?.sizeBytes() ?? 0;
    },
    close: async () => undefined,
  };
}

type Opener = (workshopId: string) => Promise<SimulatedFiles>;

function archivesOf(open: Opener, make: Opener): Pick<HomeFiles, 'zip' | 'pack' | 'unpack'> {
  return {
    zip: async (workshopId, path) => {
      const files = await open(workshopId);
      requireFolder(files, partsOf(path));
      return packZip(walk(files, partsOf(path)));
    },
    pack: async (workshopId) => {
      const counts: PackCounts = { files: 0, leftOut: 0 };
      const stream = packTar(walk(await open(workshopId), []), counts);
      return { stream, counts: () => counts };
    },
    unpack: async (workshopId, source, limits) => {
      const files = await make(workshopId);
      return unpackTar(source, limits, {
        makeFolder: async (parts) => makeWay(files, parts),
        makeLink: async () => undefined,
        writeFile: async (parts, content) => {
          makeWay(files, parts.slice(0, -1));
          files.writeBytes(place(parts), await gather(content));
        },
      });
    },
  };
}

async function reach(engine: SimulatedEngine): Promise<void> {
  try {
    await engine.capabilities();
  } catch (error) {
    if (error instanceof EngineUnreachable) throw new HomeFilesError('UNAVAILABLE', error.message);
    throw error;
  }
}

function list(files: SimulatedFiles, path: string): HomeFolder {
  const parts = partsOf(path);
  requireFolder(files, parts);
  const all = files.list(place(parts)).map((name) => {
    const { version: _, ...entry } = statOf(files, [...parts, name]);
    return entry;
  });
  const isFolder = (entry: { kind: string }) => Number(entry.kind === 'folder');
  all.sort((one, other) => isFolder(other) - isFolder(one) || one.name.localeCompare(other.name, 'en', { numeric: true }));
  return { entries: all.slice(0, listedMost), isCut: all.length > listedMost };
}

function statOf(files: SimulatedFiles, parts: readonly string[]): HomeFileStat {
  const path = place(parts);
  const file = files.file(path);
  if (!file && !files.isFolder(path)) throw new HomeFilesError('NOT_FOUND', path);
  return {
    name: parts.at(-1) ?? '',
    kind: file ? 'file' : 'folder',
    sizeBytes: file?.bytes.length ?? 0,
    modifiedAtMs: file?.changedAtMs ?? 0,
    isWritable: true,
    target: null,
    version: versionOf(file),
  };
}

const versionOf = (file: SimulatedFile | undefined) => `change-${file?.changeNumber ?? 0}`;

function requireFolder(files: SimulatedFiles, parts: readonly string[]): void {
  if (files.isFolder(place(parts))) return;
  throw new HomeFilesError(files.has(place(parts)) ? 'NOT_A_FOLDER' : 'NOT_FOUND', place(parts));
}

function requireFile(files: SimulatedFiles, parts: readonly string[]): SimulatedFile {
  const file = files.file(place(parts));
  if (!file) throw new HomeFilesError(files.has(place(parts)) ? 'NOT_A_FILE' : 'NOT_FOUND', place(parts));
  return file;
}

function makeWay(files: SimulatedFiles, parts: readonly string[]): void {
  for (let depth = 1; depth <= parts.length; depth += 1) {
    const path = place(parts.slice(0, depth));
    if (!files.isFolder(path) && !files.makeFolder(path)) throw new HomeFilesError('NOT_A_FOLDER', path);
  }
}

async function write(files: SimulatedFiles, path: string, source: Readable, options: WriteOptions): Promise<WrittenFile> {
  const { folder, name } = newPartsOf(path);
  makeWay(files, folder);
  requireFree(files, place([...folder, name]), options);
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of source) {
    sizeBytes += chunk.length;
    if (sizeBytes > options.limitBytes) throw new HomeFilesError('QUOTA', `more than ${options.limitBytes} bytes`);
    chunks.push(chunk);
  }
  requireFree(files, place([...folder, name]), options);
  let taken = name;
  for (let number = 2; options.onConflict === 'keepBoth' && files.has(place([...folder, taken])); number += 1) {
    taken = besideName(name, number);
  }
  files.writeBytes(place([...folder, taken]), Buffer.concat(chunks));
  const { modifiedAtMs, version } = statOf(files, [...folder, taken]);
  return { name: taken, sizeBytes, modifiedAtMs, version };
}

function requireFree(files: SimulatedFiles, path: string, { onConflict, version }: WriteOptions): void {
  const there = files.file(path);
  if (typeof version === 'string' && (!there || versionOf(there) !== version)) {
    throw new HomeFilesError('CHANGED', 'somebody wrote to it');
  }
  if (!files.has(path)) return;
  if (version === null || onConflict === 'refuse' || (onConflict === 'replace' && !there)) {
    throw new HomeFilesError('EXISTS', 'the name is taken');
  }
}

function rename(files: SimulatedFiles, from: string, to: string): void {
  if (from === '') throw new HomeFilesError('FORBIDDEN', 'the home itself');
  const [source, { folder, name }] = [place(partsOf(from)), newPartsOf(to)];
  if (!files.has(source)) throw new HomeFilesError('NOT_FOUND', from);
  requireFolder(files, folder);
  const target = place([...folder, name]);
  if (files.has(target)) throw new HomeFilesError('EXISTS', to);
  if (target.startsWith(`${source}/`)) throw new HomeFilesError('NAME_INVALID', 'a folder cannot be put into itself');
  files.move(source, target);
}

async function* walk(files: SimulatedFiles, base: readonly string[], below: readonly string[] = []): Walk {
  for (const name of files.list(place([...base, ...below]))) {
    const parts = [...below, name];
    const path = parts.join('/');
    const file = files.file(place([...base, ...parts]));
    if (file) {
      const { bytes, changedAtMs: modifiedAtMs } = file;
      const open = () => Readable.from(slices(bytes), { objectMode: false });
      yield { kind: 'file', path, mode: 0o644, modifiedAtMs, sizeBytes: bytes.length, open };
    } else {
      yield { kind: 'folder', path, mode: 0o755, modifiedAtMs: 0 };
      yield* walk(files, base, parts);
    }
  }
}

const SLICE_BYTES = 64 * 1024;

function* slices(bytes: Buffer): Generator<Buffer> {
  for (let start = 0; start < bytes.length; start += SLICE_BYTES) yield bytes.subarray(start, start + SLICE_BYTES);
}

async function gather(content: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of content) chunks.push(chunk);
  return Buffer.concat(chunks);
}
