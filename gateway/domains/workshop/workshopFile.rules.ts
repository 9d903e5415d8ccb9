import type { ErrorName } from '../../contract/errors';
import type { HomeFilesError, HomeFilesProblem } from '../../drivers/homeFiles/homeFiles';
import { Refusal } from '../../refusal';

const refusals: Readonly<Record<HomeFilesProblem, ErrorName>> = {
  NOT_FOUND: 'FILE_NOT_FOUND',
  EXISTS: 'FILE_EXISTS',
  NAME_INVALID: 'FILE_NAME_INVALID',
  CHANGED: 'FILE_CHANGED',
  QUOTA: 'FILE_QUOTA',
  UNAVAILABLE: 'FILES_UNAVAILABLE',
  NOT_A_FOLDER: 'FILE_NOT_A_FOLDER',
  NOT_A_FILE: 'FILE_FORBIDDEN',
  FORBIDDEN: 'FILE_FORBIDDEN',
  ARCHIVE_REFUSED: 'FILE_FORBIDDEN',
};

export function fileRefusal({ problem }: HomeFilesError): Refusal {
  return new Refusal(refusals[problem]);
}

/** What a home and all of its member's may hold, and hold. */
export interface Room {
  usedBytes: number;
  limitBytes: number;
  memberUsedBytes: number;
  memberLimitBytes: number;
}

/** How much more may be written. */
export function freeBytes(room: Room): number {
  return Math.max(0, Math.min(room.limitBytes - room.usedBytes, room.memberLimitBytes - room.memberUsedBytes));
}

/** Throws FILE_QUOTA, which says how much is free and which of the two limits it is. */
export function requireRoom(room: Room, neededBytes: number): void {
  if (neededBytes > freeBytes(room)) throw quotaRefusal(room);
}

export function quotaRefusal(room: Room): Refusal {
  const isDisk = room.limitBytes - room.usedBytes <= room.memberLimitBytes - room.memberUsedBytes;
  const free = freeBytes(room);
  return new Refusal('FILE_QUOTA', {
    params: { megabytes: Math.floor(free / 1024 ** 2) },
    data: { freeBytes: free, cause: isDisk ? 'DISK' : 'LEVEL' },
  });
}

/** The text of bytes that are UTF-8 without NUL; null for anything else. */
export function textOf(bytes: Buffer): string | null {
  if (bytes.includes(0)) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError || (error as { code?: string }).code === 'ERR_ENCODING_INVALID_ENCODED_DATA') return null;
    throw error;
  }
}

/** An attachment of this name (RFC 6266): in plain letters for the oldest, whole for the rest. */
export function attachment(fileName: string): string {
  const plain = fileName.replace(/[^A-Za-z0-9._ -]+/g, '_');
  const whole = encodeURIComponent(fileName).replace(/['()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`);
  return `attachment; filename="${plain}"; filename*=UTF-8''${whole}`;
}
