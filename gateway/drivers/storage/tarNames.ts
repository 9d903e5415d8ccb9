import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';

export interface TarEntry {
  path: string;
  isFile: boolean;
}

/** The bytes are no archive of files, or end before it does. */
export class ArchiveBroken extends Error {
  override readonly name = 'ArchiveBroken';
}

const BLOCK = 512;
/** No path is as long; more would be an attempt on our memory. */
const LONGEST_PATH = 64 * 1024;

/**
 * What a compressed archive holds, in its order, without keeping any of it. Reads to the end, so the compression's own checksum is
 * checked too. Throws `ArchiveBroken`, and what the source throws.
 */
export async function* readTarNames(compressed: Readable): AsyncGenerator<TarEntry> {
  const plain = createGunzip();
  // The error reaches the reader of `plain`.
  pipeline(compressed, plain, () => undefined);
  const pieces = new Pieces(plain);
  try {
    yield* entriesOf(pieces);
  } catch (cause) {
    if (cause instanceof ArchiveBroken || !isZlibError(cause)) throw cause;
    throw new ArchiveBroken('the archive cannot be uncompressed', { cause });
  } finally {
    plain.destroy();
    compressed.destroy();
  }
}

async function* entriesOf(pieces: Pieces): AsyncGenerator<TarEntry> {
  let path: string | null = null;
  let hasEnded = false;
  for (let header = await pieces.take(BLOCK); header; header = await pieces.take(BLOCK)) {
    if (header.every((byte) => byte === 0)) {
      hasEnded = true;
      continue;
    }
    if (hasEnded) throw new ArchiveBroken('the archive goes on after its end');
    const size = sizeOf(header);
    const kind = String.fromCharCode(header[156] ?? 0);
    if (kind === 'x' || kind === 'g' || kind === 'L') {
      if (size > LONGEST_PATH) throw new ArchiveBroken('a name in the archive is too long');
      const text = (await pieces.need(padded(size))).subarray(0, size).toString('utf8');
      if (kind !== 'g') path = kind === 'L' ? text.replace(/\0.*$/s, '') : (paxPath(text) ?? path);
      continue;
    }
    yield { path: path ?? ownPath(header), isFile: kind === '0' || kind === '\0' };
    path = null;
    await pieces.skip(padded(size));
  }
  if (!hasEnded) throw new ArchiveBroken('the archive ends too early');
}

function padded(size: number): number {
  return Math.ceil(size / BLOCK) * BLOCK;
}

function sizeOf(header: Buffer): number {
  const field = header.subarray(124, 136);
  // Beyond 8 GiB the size is binary.
  const size =
    ((field[0] ?? 0) & 0x80) === 0
      ? Number.parseInt(field.toString('latin1').replace(/[\0 ]+$/, '') || '0', 8)
      : Number(field.readBigUInt64BE(4));
  if (!Number.isSafeInteger(size) || size < 0) throw new ArchiveBroken('an entry of the archive has no size');
  return size;
}

function ownPath(header: Buffer): string {
  const text = (from: number, to: number) => header.subarray(from, to).toString('utf8').replace(/\0.*$/s, '');
  const prefix = header.subarray(257, 262).toString('latin1') === 'ustar' ? text(345, 500) : '';
  return prefix === '' ? text(0, 100) : `${prefix}/${text(0, 100)}`;
}

function paxPath(text: string): string | null {
  return /^\d+ path=(.*)$/m.exec(text)?.[1] ?? null;
}

function isZlibError(error: unknown): boolean {
  const { code } = Object(error) as NodeJS.ErrnoException;
  return code?.startsWith('Z_') === true || code === 'ERR_STREAM_PREMATURE_CLOSE';
}

/** Bytes of a stream in the lengths asked for. */
class Pieces {
  private readonly iterator: AsyncIterator<Buffer>;
  private rest: Buffer = Buffer.alloc(0);

  constructor(source: Readable) {
    this.iterator = source[Symbol.asyncIterator]();
  }

  /** So many bytes; null at the end. Throws `ArchiveBroken` where the end comes in between. */
  async take(bytes: number): Promise<Buffer | null> {
    while (this.rest.length < bytes) {
      const next = await this.iterator.next();
      if (next.done) {
        if (this.rest.length === 0) return null;
        throw new ArchiveBroken('the archive ends within an entry');
      }
      this.rest = Buffer.concat([this.rest, next.value]);
    }
    const taken = this.rest.subarray(0, bytes);
    this.rest = this.rest.subarray(bytes);
    return taken;
  }

  async need(bytes: number): Promise<Buffer> {
    const taken = await this.take(bytes);
    if (!taken) throw new ArchiveBroken('the archive ends within an entry');
    return taken;
  }

  async skip(bytes: number): Promise<void> {
    let left = bytes - this.rest.length;
    this.rest = this.rest.subarray(Math.min(bytes, this.rest.length));
    while (left > 0) {
      const next = await this.iterator.next();
      if (next.done) throw new ArchiveBroken('the archive ends within an entry');
      if (next.value.length > left) this.rest = next.value.subarray(left);
      left -= next.value.length;
    }
  }
}
