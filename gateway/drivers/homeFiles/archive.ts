import { once } from 'node:events';
import { PassThrough, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { extract, type Header, pack } from 'tar-stream';
import { ZipFile } from 'yazl';
import { HomeFilesError, type PackCounts, type UnpackLimits } from './homeFiles';
import { partsOf } from './paths';

/** One thing of a home, met on a walk through it: folders before what is in them. */
export type Walked =
  | { kind: 'folder'; path: string; mode: number; modifiedAtMs: number }
  | { kind: 'link'; path: string; target: string; modifiedAtMs: number }
  /** `open` gives exactly `sizeBytes` or fails; whoever opens it reads or destroys it. */
  | { kind: 'file'; path: string; mode: number; modifiedAtMs: number; sizeBytes: number; open(): Readable }
  | { kind: 'leftOut'; path: string; modifiedAtMs?: undefined };

export type Walk = AsyncIterable<Walked>;

/** Where what an archive holds is put. Nothing it is given leads out of the home. */
export interface UnpackPlace {
  makeFolder(parts: string[], mode: number): Promise<void>;
  makeLink(parts: string[], target: string): Promise<void>;
  writeFile(
    parts: string[],
    source: AsyncIterable<Buffer>,
    options: { mode: number; modifiedAtMs: number; sizeBytes: number },
  ): Promise<void>;
}

const HOME = '/home/lab/';
/** Programs of the host that every lab has: what a virtual environment's links name. */
const PROGRAMS = /^\/(usr|bin|sbin|lib|lib64|opt)(\/|$)/;
/** A header, and what fills its last block up. */
const TAR_BLOCK_BYTES = 512;

/** Whether a link stays in the home, or names a program: any other is neither packed nor unpacked. */
export function isLinkFine(path: string, target: string): boolean {
  if (target === '' || target.includes('\0')) return false;
  const isAbsolute = target.startsWith('/');
  const steps = isAbsolute ? target.split('/') : [...path.split('/').slice(0, -1), ...target.split('/')];
  if (isAbsolute && !`${target}/`.startsWith(HOME)) return PROGRAMS.test(target) && !steps.includes('..');
  let depth = 0;
  for (const step of isAbsolute ? steps.slice(HOME.split('/').length - 1) : steps) {
    if (step === '..') depth -= 1;
    else if (step !== '' && step !== '.') depth += 1;
    if (depth < 0) return false;
  }
  return true;
}

/** The walk as a tar.gz, made as it is read. */
export function packTar(walk: Walk, counts: PackCounts): Readable {
  const tar = pack();
  const gzip = createGzip();
  const ended = pipeline(tar, gzip);
  // The failure reaches the reader through gzip, which the pipeline destroys.
  ended.catch(() => undefined);
  fillTar(walk, tar, counts).then(
    () => tar.finalize(),
    (error: unknown) => gzip.destroy(error instanceof Error ? error : new Error(String(error))),
  );
  return gzip;
}

async function fillTar(walk: Walk, tar: ReturnType<typeof pack>, counts: PackCounts): Promise<void> {
  for await (const one of walk) {
    if (tar.destroyed) {
      if (one.kind === 'file') one.open().destroy();
      return;
    }
    if (one.kind === 'leftOut' || (one.kind === 'link' && !isLinkFine(one.path, one.target))) {
      counts.leftOut += 1;
      continue;
    }
    const header = { name: one.path, mtime: new Date(one.modifiedAtMs) };
    if (one.kind === 'folder') tar.entry({ ...header, type: 'directory', mode: one.mode });
    else if (one.kind === 'link') tar.entry({ ...header, type: 'symlink', linkname: one.target, size: 0 });
    else {
      const source = one.open();
      const entry = tar.entry({ ...header, type: 'file', mode: one.mode, size: one.sizeBytes });
      await pipeline(source, entry);
      counts.files += 1;
    }
  }
}

/** The walk as a zip, made as it is read. What cannot be read is left out. */
export function packZip(walk: Walk): Readable {
  const zip = new ZipFile();
  const output = new PassThrough();
  zip.outputStream.pipe(output);
  fillZip(walk, zip, output).then(
    () => zip.end(),
    (error: unknown) => output.destroy(error instanceof Error ? error : new Error(String(error))),
  );
  return output;
}

async function fillZip(walk: Walk, zip: ZipFile, output: PassThrough): Promise<void> {
  for await (const one of walk) {
    if (output.destroyed) {
      if (one.kind === 'file') one.open().destroy();
      return;
    }
    // A backslash is a letter here and a folder elsewhere.
    const name = one.path.replaceAll('\\', '_');
    const options = { mtime: new Date(one.modifiedAtMs ?? 0) };
    if (one.kind === 'folder') zip.addEmptyDirectory(name, { ...options, mode: 0o40755 });
    if (one.kind !== 'file') continue;
    const source = one.open();
    const stop = () => source.destroy();
    output.once('close', stop);
    source.once('error', (error) => output.destroy(error));
    zip.addReadStream(source, name, { ...options, mode: 0o100000 | (one.mode & 0o755), compress: true });
    if (!source.closed) await once(source, 'close');
    output.off('close', stop);
  }
}

/** Puts what a tar.gz holds where it belongs. Throws ARCHIVE_REFUSED; what came before stays. */
export async function unpackTar(
  source: Readable,
  limits: UnpackLimits,
  place: UnpackPlace,
): Promise<PackCounts & { bytes: number }> {
  const total = { files: 0, leftOut: 0, bytes: 0, entries: 0 };
  const gunzip = createGunzip();
  const tar = extract();
  // What a bomb unfolds to is counted as it unfolds, whatever its headers say.
  const most = limits.bytes + (limits.entries + 1) * 8 * TAR_BLOCK_BYTES;
  let unfolded = 0;
  const feeding = pipeline(
    source,
    gunzip,
    async function* counted(pieces: AsyncIterable<Buffer>) {
      for await (const piece of pieces) {
        unfolded += piece.length;
        if (unfolded > most) throw refused('it unfolds to more than may be kept');
        yield piece;
      }
    },
    tar,
  );
  const taking = (async () => {
    for await (const entry of tar) {
      total.entries += 1;
      if (total.entries > limits.entries) throw refused(`more than ${limits.entries} entries`);
      total.bytes += entry.header.size ?? 0;
      if (total.bytes > limits.bytes) throw refused(`more than ${limits.bytes} bytes`);
      if (await put(entry.header, bytesOf(entry), place)) total.files += 1;
      entry.resume();
    }
  })();
  try {
    await Promise.all([feeding, taking]);
  } catch (error) {
    source.destroy();
    tar.destroy();
    await Promise.allSettled([feeding, taking]);
    throw isBroken(error) ? refused('not a whole tar.gz') : error;
  }
  return { files: total.files, leftOut: 0, bytes: total.bytes };
}

/** The library's streams say of what they give only that it is something. */
async function* bytesOf(entry: AsyncIterable<unknown>): AsyncGenerator<Buffer> {
  for await (const piece of entry) if (Buffer.isBuffer(piece)) yield piece;
}

/** True for a file. */
async function put(header: Header, source: AsyncIterable<Buffer>, place: UnpackPlace): Promise<boolean> {
  const parts = archivePartsOf(header.name);
  const { type = 'file', mode = 0o644, mtime, size = 0 } = header;
  if (type === 'directory') {
    if (parts.length > 0) await place.makeFolder(parts, (mode & 0o777) | 0o700);
    return false;
  }
  if (parts.length === 0) throw refused('the home itself');
  if (type === 'symlink') {
    const target = header.linkname ?? '';
    if (!isLinkFine(parts.join('/'), target)) throw refused(`the link ${header.name} leads out`);
    await place.makeLink(parts, target);
    return false;
  }
  if (type !== 'file' && type !== 'contiguous-file') throw refused(`${header.name} is a ${type}`);
  await place.writeFile(parts, source, { mode: (mode & 0o777) | 0o600, modifiedAtMs: mtime?.getTime() ?? 0, sizeBytes: size });
  return true;
}

function archivePartsOf(name: string): string[] {
  try {
    return partsOf(
      name
        .replace(/^(\.\/)+/, '')
        .replace(/\/+$/, '')
        .replace(/^\.$/, ''),
    );
  } catch (error) {
    throw error instanceof HomeFilesError ? refused(`the name ${name.slice(0, 200)}`) : error;
  }
}

function isBroken(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof HomeFilesError) return false;
  const code = 'code' in error ? String(error.code) : '';
  return code.startsWith('Z_') || /^(Unexpected end of data|Invalid tar header|unexpected end of file)/i.test(error.message);
}

const refused = (detail: string) => new HomeFilesError('ARCHIVE_REFUSED', detail);
