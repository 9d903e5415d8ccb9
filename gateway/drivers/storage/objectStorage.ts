import type { Readable } from 'node:stream';

/** A key the gateway made: a kind, two characters that spread objects over folders, and a UUID. Nothing of a member's stands in it. */
export type ObjectKey = `${string}/${string}/${string}`;

export interface PutOptions {
  /** Beyond this nothing is kept and `ObjectTooLarge` is thrown. */
  limitBytes: number;
  /** Aborted, nothing is kept and the signal's reason is thrown. */
  signal: AbortSignal;
  /** Told after every piece. */
  onBytes?(bytes: number): void;
}

export interface StoredObject {
  key: ObjectKey;
  bytes: number;
  sha256: Buffer;
}

/** Both ends included, as in HTTP. */
export interface ByteRange {
  from: number;
  to: number;
}

export class ObjectTooLarge extends Error {
  override readonly name = 'ObjectTooLarge';
}

/** There is no object of this key (any more). */
export class ObjectMissing extends Error {
  override readonly name = 'ObjectMissing';
}

/** The place itself is full. */
export class StorageFull extends Error {
  override readonly name = 'StorageFull';
}

/**
 * Where large things are kept. An object appears whole or not at all and never changes; what a crash leaves is temporary and swept.
 * Everything else throws what the system says.
 */
export interface ObjectStorage {
  /** Keeps what `source` gives under the key. Throws `ObjectTooLarge`, `StorageFull`, and what `source` or the signal throws. */
  put(key: ObjectKey, source: Readable, options: PutOptions): Promise<StoredObject>;
  /** The object, or a part of it. Throws `ObjectMissing`. */
  open(key: ObjectKey, range?: ByteRange): Promise<Readable>;
  /** Missing is done. */
  delete(key: ObjectKey): Promise<void>;
  /** Removes what puts left unfinished that wrote nothing for so long; how many. */
  sweep(unusedMs: number): Promise<number>;
}
