import type { Readable } from 'node:stream';

/** `other` is what nobody opens: devices, pipes, sockets, and names that are no text. */
export type HomeEntryKind = 'file' | 'folder' | 'link' | 'other';

export interface HomeEntry {
  name: string;
  kind: HomeEntryKind;
  sizeBytes: number;
  modifiedAtMs: number;
  isWritable: boolean;
  /** What a link says, which nobody followed; null for anything else. */
  target: string | null;
}

export interface HomeFolder {
  /** Folders first, then by name. */
  entries: HomeEntry[];
  /** There are more than were asked for. */
  isCut: boolean;
}

/** A file as it was at one moment; the same `version` means nobody wrote to it since. */
export interface HomeFileStat extends HomeEntry {
  version: string;
}

export interface WriteOptions {
  /** What happens when something of the name is there; `keepBoth` finds a free name beside it. */
  onConflict: 'refuse' | 'replace' | 'keepBoth';
  /** Beyond it the write fails with QUOTA and nothing of it stays. */
  limitBytes: number;
  /** Written only over exactly this version (else CHANGED); `null`: only where there is nothing (else EXISTS). */
  version?: string | null;
}

export interface WrittenFile {
  name: string;
  sizeBytes: number;
  modifiedAtMs: number;
  version: string;
}

export interface UnpackLimits {
  /** Of everything in it, unpacked. */
  bytes: number;
  entries: number;
}

export interface PackedHome {
  /** A tar.gz; an error ends it early. */
  stream: Readable;
  /** Complete once the stream has ended. What was left out could not be read, or would be refused by `unpack`. */
  counts(): PackCounts;
}

export interface PackCounts {
  files: number;
  leftOut: number;
}

export type HomeFilesProblem =
  | 'NOT_FOUND'
  | 'EXISTS'
  | 'NAME_INVALID'
  | 'CHANGED'
  | 'QUOTA'
  | 'UNAVAILABLE'
  | 'NOT_A_FOLDER'
  | 'NOT_A_FILE'
  | 'FORBIDDEN'
  | 'ARCHIVE_REFUSED';

/** The only error the port throws on purpose; the detail is for the log, or names what of an archive is refused. */
export class HomeFilesError extends Error {
  override readonly name = 'HomeFilesError';
  constructor(
    readonly problem: HomeFilesProblem,
    detail: string,
  ) {
    super(detail);
  }
}

/** The most a folder's listing holds, and the most of an agent's own file names a path may be made of. */
export const listedMost = 5_000;

/**
 * The files in workshops' homes, whether a lab runs or not. Paths are relative to the home, parts joined by `/`, empty for the home
 * itself. Links are shown and never followed; only plain files are opened. Every method throws `HomeFilesError`: UNAVAILABLE where
 * the home cannot be reached (and there is none yet, but for `list` and whatever writes, which makes it), else as named.
 */
export interface HomeFiles {
  /** False while the workshop has no home yet. */
  hasHome(workshopId: string): Promise<boolean>;
  /** NOT_FOUND, NOT_A_FOLDER, FORBIDDEN. Of a home that is not there yet: nothing. */
  list(workshopId: string, path: string): Promise<HomeFolder>;
  /** NOT_FOUND, FORBIDDEN. */
  stat(workshopId: string, path: string): Promise<HomeFileStat>;
  /** Bytes `start` to `end`, both included, of a plain file. NOT_FOUND, NOT_A_FILE, FORBIDDEN. The stream fails if it shrinks meanwhile. */
  read(workshopId: string, path: string, range: { start: number; end: number }): Promise<Readable>;
  /** The folders on the way are made. Nothing half-written ever has the name. EXISTS, CHANGED, QUOTA, NAME_INVALID, FORBIDDEN, NOT_A_FOLDER. */
  write(workshopId: string, path: string, source: Readable, options: WriteOptions): Promise<WrittenFile>;
  /** EXISTS, NAME_INVALID, NOT_FOUND, NOT_A_FOLDER, FORBIDDEN, QUOTA. */
  makeFolder(workshopId: string, path: string): Promise<void>;
  /** Never over something that is there: EXISTS. NOT_FOUND, NAME_INVALID, NOT_A_FOLDER, FORBIDDEN. */
  rename(workshopId: string, from: string, to: string): Promise<void>;
  /** Files, links and whole folders; what is missing is done. FORBIDDEN. */
  delete(workshopId: string, paths: readonly string[]): Promise<void>;
  /** A folder and all below it as a zip, made as it is read. NOT_FOUND, NOT_A_FOLDER, FORBIDDEN. */
  zip(workshopId: string, path: string): Promise<Readable>;
  /** The whole home as a tar.gz, made as it is read; destroy the stream to end it early. */
  pack(workshopId: string): Promise<PackedHome>;
  /**
   * Fills the home, made if it is missing, from what `pack` gave; what is there under the same name is replaced. ARCHIVE_REFUSED for
   * absolute names, `..`, hard links, devices, links out of the home, or more than the limits; what was unpacked before stays.
   */
  unpack(workshopId: string, source: Readable, limits: UnpackLimits): Promise<PackCounts & { bytes: number }>;
  /** Bytes on disk; null when they could not be counted in time. */
  usedBytes(workshopId: string): Promise<number | null>;
  close(): Promise<void>;
}
