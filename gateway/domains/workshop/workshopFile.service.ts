import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { type BytePart, rangeOf } from '../../bytePart';
import { limits } from '../../contract/limits';
import type { WorkshopFileCalls } from '../../contract/workshopFile';
import type { Db } from '../../db/client';
import type { ComputeEngine } from '../../drivers/compute/computeEngine';
import { type HomeEntry, type HomeFiles, HomeFilesError, type WriteOptions } from '../../drivers/homeFiles/homeFiles';
import { Refusal } from '../../refusal';
import type { HomeRoom } from './homeRoom';
import type { LabActivityService } from './labActivity.service';
import { findWorkshop, type LockedWorkshop } from './workshop.repository';
import { fileRefusal, freeBytes, quotaRefusal, requireRoom, textOf } from './workshopFile.rules';

interface FileDeps {
  db: Db;
  engine: Pick<ComputeEngine, 'instanceId'>;
  homes: HomeFiles;
  room: HomeRoom;
  activity: Pick<LabActivityService, 'noteUse'>;
}

type Query<K extends keyof WorkshopFileCalls> = WorkshopFileCalls[K]['query'];
type Body<K extends keyof WorkshopFileCalls> = WorkshopFileCalls[K]['body'];
type Answer<K extends keyof WorkshopFileCalls> = WorkshopFileCalls[K]['data'];
type Place = { workshopId: string; path: string };

/** A file or a folder's zip on its way out. */
export interface FileDownload {
  stream: Readable;
  fileName: string;
  /** Null for a zip, whose size nobody knows before its end. */
  size: { bytes: number; range: BytePart | null; version: string } | null;
}

export type WorkshopFileService = ReturnType<typeof createWorkshopFileService>;

/**
 * A member's files in the homes of their workshops. Every call throws NOT_FOUND (no workshop of theirs), WORKSHOP_STATE_CONFLICT (it is
 * being deleted), FILES_UNAVAILABLE, FILE_NAME_INVALID and FILE_FORBIDDEN, and counts as use of the lab.
 */
export function createWorkshopFileService(deps: FileDeps) {
  const writes = createWrites(deps);
  return {
    /** Also FILE_NOT_FOUND, FILE_NOT_A_FOLDER. */
    async list(memberId: string, { workshopId, path = '' }: Query<'GET /gateway/workshop/files'>) {
      const workshop = await open(deps, memberId, workshopId);
      return telling(async (): Promise<Answer<'GET /gateway/workshop/files'>> => {
        const [isHomeThere, { entries, isCut }] = await Promise.all([
          deps.homes.hasHome(workshop.id),
          deps.homes.list(workshop.id, path),
        ]);
        const room = await deps.room.roomOf({ workshopId: workshop.id, memberId, specId: workshop.specId });
        return { path, entries: entries.map(entryOf), isCut, isHomeThere, ...room };
      });
    },

    /** Also FILE_NOT_FOUND, FILE_TOO_LARGE_TO_EDIT, FILE_NOT_TEXT. */
    async text(memberId: string, { workshopId, path }: Place): Promise<Answer<'GET /gateway/workshop/file'>> {
      const { id } = await open(deps, memberId, workshopId);
      return telling(async () => {
        const { kind, sizeBytes, version, isWritable } = await deps.homes.stat(id, path);
        if (kind !== 'file') throw new Refusal('FILE_FORBIDDEN');
        if (sizeBytes > limits.editableBytes) throw new Refusal('FILE_TOO_LARGE_TO_EDIT');
        const text = textOf(
          sizeBytes === 0 ? Buffer.alloc(0) : await buffer(await deps.homes.read(id, path, { start: 0, end: sizeBytes - 1 })),
        );
        if (text === null) throw new Refusal('FILE_NOT_TEXT');
        return { text, version, isWritable, sizeBytes };
      });
    },

    /** A file, the part of it a range names, or a folder as a zip. Also FILE_NOT_FOUND, RANGE_NOT_SATISFIABLE. */
    async download(memberId: string, { workshopId, path }: Place, range: string | undefined): Promise<FileDownload> {
      const workshop = await open(deps, memberId, workshopId);
      return telling(async () => {
        const { kind, name, sizeBytes, version } = await deps.homes.stat(workshop.id, path);
        if (kind === 'folder') {
          return { stream: await deps.homes.zip(workshop.id, path), fileName: `${name || workshop.name}.zip`, size: null };
        }
        if (kind !== 'file') throw new Refusal('FILE_FORBIDDEN');
        const part = rangeOf(range, sizeBytes);
        const { from: start, to: end } = part ?? { from: 0, to: sizeBytes - 1 };
        const stream = sizeBytes === 0 ? Readable.from([]) : await deps.homes.read(workshop.id, path, { start, end });
        return { stream, fileName: name, size: { bytes: sizeBytes, range: part, version } };
      });
    },

    ...writes,
  };
}

/** Also FILE_EXISTS, FILE_NOT_A_FOLDER and, but for `delete` and `rename`, FILE_QUOTA. */
function createWrites(deps: FileDeps) {
  const { homes, room } = deps;

  /** Never more than is free, whatever the length said; QUOTA then says how much that was. */
  async function write(
    memberId: string,
    { id, specId }: LockedWorkshop,
    path: string,
    source: Readable,
    sizeBytes: number,
    options: Omit<WriteOptions, 'limitBytes'>,
  ) {
    const ask = { workshopId: id, memberId, specId };
    const now = await room.roomOf(ask);
    requireRoom(now, sizeBytes);
    const giveBack = room.keep(ask, sizeBytes);
    try {
      const made = await homes.write(id, path, source, { ...options, limitBytes: Math.min(sizeBytes, freeBytes(now)) });
      await room.changed(id, made.sizeBytes);
      const folder = path.includes('/') ? path.slice(0, path.lastIndexOf('/') + 1) : '';
      return { path: folder + made.name, sizeBytes: made.sizeBytes, version: made.version };
    } catch (error) {
      if (error instanceof HomeFilesError && error.problem === 'QUOTA') throw quotaRefusal(now);
      throw error;
    } finally {
      giveBack();
    }
  }

  return {
    /** Also FILE_CHANGED, FILE_TOO_LARGE_TO_EDIT. */
    async save(memberId: string, { workshopId, path, text, version }: Body<'POST /gateway/workshop/saveFile'>) {
      const bytes = Buffer.from(text);
      if (bytes.length > limits.editableBytes) throw new Refusal('FILE_TOO_LARGE_TO_EDIT');
      const workshop = await open(deps, memberId, workshopId);
      const options = { onConflict: version === null ? 'refuse' : 'replace', version } as const;
      return telling(() => write(memberId, workshop, path, Readable.from([bytes], { objectMode: false }), bytes.length, options));
    },

    async upload(memberId: string, asked: Query<'POST /gateway/workshop/upload'>, source: Readable, sizeBytes: number) {
      const workshop = await open(deps, memberId, asked.workshopId);
      const { path, onConflict = 'refuse' } = asked;
      return telling(() => write(memberId, workshop, path, source, sizeBytes, { onConflict }));
    },

    async makeFolder(memberId: string, { workshopId, path }: Place) {
      const { id, specId } = await open(deps, memberId, workshopId);
      return telling(async () => {
        requireRoom(await room.roomOf({ workshopId: id, memberId, specId }), limits.folderBytes);
        await homes.makeFolder(id, path);
        return { path };
      });
    },

    async rename(memberId: string, { workshopId, path, to }: Body<'POST /gateway/workshop/renameFile'>) {
      const { id } = await open(deps, memberId, workshopId);
      return telling(async () => {
        await homes.rename(id, path, to);
        return { path: to };
      });
    },

    async delete(memberId: string, { workshopId, paths }: Body<'POST /gateway/workshop/deleteFiles'>) {
      const { id } = await open(deps, memberId, workshopId);
      return telling(async () => {
        try {
          await homes.delete(id, paths);
        } catch (error) {
          // Without a home there is nothing to delete.
          if (!(error instanceof HomeFilesError && error.problem === 'NOT_FOUND')) throw error;
        }
        await room.changed(id, -1);
        return { deleted: paths.length };
      });
    },
  };
}

async function open({ db, engine, activity }: FileDeps, memberId: string, workshopId: string): Promise<LockedWorkshop> {
  const workshop = await findWorkshop(db, memberId, workshopId);
  if (!workshop) throw new Refusal('NOT_FOUND');
  if (workshop.state === 'DELETING') throw new Refusal('WORKSHOP_STATE_CONFLICT', { data: { state: workshop.state } });
  if (workshop.engineInstanceId !== engine.instanceId) throw new Refusal('FILES_UNAVAILABLE', { data: { cause: 'ELSEWHERE' } });
  await activity.noteUse([workshop.id]);
  return workshop;
}

/** What the homes refuse, in the contract's words. */
async function telling<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof HomeFilesError ? fileRefusal(error) : error;
  }
}

function entryOf({ modifiedAtMs, target, ...entry }: HomeEntry) {
  return { ...entry, modifiedAt: instantOf(modifiedAtMs), linksTo: target };
}

/** A member may give a file any time; what no calendar has is shown as the beginning. */
function instantOf(ms: number): string {
  const isKnown = ms >= 0 && ms < 253_402_300_800_000;
  return new Date(isKnown ? ms : 0).toISOString();
}
