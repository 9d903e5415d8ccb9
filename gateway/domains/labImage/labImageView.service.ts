import type { Readable } from 'node:stream';
import { type BytePart, rangeOf } from '../../bytePart';
import type { Catalogue } from '../../catalog/catalogue';
import type { ImageEntry } from '../../catalog/entries';
import type { MadeImageCalls } from '../../contract/image';
import type { LabImageCalls } from '../../contract/labImage';
import type { Db, Tx } from '../../db/client';
import { type ComputeEngine, EngineUnreachable } from '../../drivers/compute/computeEngine';
import { objectKeyOf } from '../../drivers/storage/objectKey';
import { ObjectMissing, type ObjectStorage } from '../../drivers/storage/objectStorage';
import type { Language } from '../../locales/messages';
import { Refusal } from '../../refusal';
import { type LabImageWire, presentAncestor, presentLabImage } from './labImage.presenter';
import { countKept } from './labImage.repository';
import {
  findImageView,
  findSource,
  type LabImageView,
  listAncestors,
  listReady,
  pageOwn,
  pagePublished,
} from './labImageView.repository';
import type { Memberships, Viewer } from './neighbours';

type Query<K extends keyof MadeImageCalls> = MadeImageCalls[K]['query'];
type Answer<K extends keyof LabImageCalls> = LabImageCalls[K]['data'];

/** A part of an archive, or all of it, with what HTTP says beside it. */
export interface Download {
  stream: Readable;
  fileName: string;
  etag: string;
  sizeBytes: number;
  range: BytePart | null;
}

export interface LabImageViewDeps {
  db: Db;
  catalogue: Catalogue;
  engine: ComputeEngine;
  storage: ObjectStorage;
  memberships: Memberships;
  /** Why images of the basic tree cannot be started here, by id; empty where they can. */
  reasonsOf: (images: readonly ImageEntry[], language: Language) => Promise<ReadonlyMap<string, string>>;
}

export type LabImageViewService = ReturnType<typeof createLabImageViewService>;

/** What a member sees of images members made. Somebody else's that is not published answers NOT_FOUND like a missing one. */
export function createLabImageViewService(deps: LabImageViewDeps) {
  return {
    /** Throws NOT_FOUND. */
    async get(viewer: Viewer, imageId: string, reader: Db | Tx = deps.db): Promise<LabImageWire> {
      return presentOne(deps, viewer, await find(reader, viewer, imageId));
    },
    list: (viewer: Viewer) => list(deps, viewer),
    privateList: (viewer: Viewer, query: Query<'GET /gateway/image/privateList'>) => privateList(deps, viewer, query),
    communityList: (viewer: Viewer, query: Query<'GET /gateway/image/communityList'>) => communityList(deps, viewer, query),
    detail: (viewer: Viewer, imageId: string) => detail(deps, viewer, imageId),
    download: (viewer: Viewer, imageId: string, part: AskedPart) => download(deps, viewer, imageId, part),
  };
}

/** One question to the engine for any number of images. */
async function present(
  { catalogue, reasonsOf }: LabImageViewDeps,
  viewer: Viewer,
  rows: readonly LabImageView[],
): Promise<LabImageWire[]> {
  const { language, memberId: viewerId } = viewer;
  if (rows.length === 0) return [];
  const reasons = await reasonsOf([...new Set(rows.map((row) => catalogue.imageOf(row.baseImageId)))], language);
  return rows.map((row) => {
    const base = catalogue.imageOf(row.baseImageId);
    return presentLabImage(row, { viewerId, language, base, reason: reasons.get(base.imageId) ?? '' });
  });
}

async function presentOne(deps: LabImageViewDeps, viewer: Viewer, row: LabImageView): Promise<LabImageWire> {
  const [image] = await present(deps, viewer, [row]);
  if (!image) throw new Refusal('NOT_FOUND');
  return image;
}

/** Throws NOT_FOUND. */
async function find(reader: Db | Tx, { memberId }: Viewer, imageId: string): Promise<LabImageView> {
  const row = await findImageView(reader, memberId, imageId);
  if (!row) throw new Refusal('NOT_FOUND');
  return row;
}

async function list(deps: LabImageViewDeps, viewer: Viewer): Promise<Answer<'GET /gateway/labImage/list'>> {
  const { db, memberships, engine } = deps;
  const [rows, rights, kept, saves] = await Promise.all([
    listReady(db, viewer.memberId),
    memberships.getRights(viewer.memberId),
    countKept(db, viewer.memberId),
    savesOf(engine),
  ]);
  return { list: await present(deps, viewer, rows), saves, kept, limit: rights.ceilings.privateImages };
}

async function privateList(deps: LabImageViewDeps, viewer: Viewer, query: Query<'GET /gateway/image/privateList'>) {
  const { current = 1, pageSize = 10, ...filter } = query;
  const paging = { limit: pageSize, offset: (current - 1) * pageSize };
  const { rows, total } = await pageOwn(deps.db, { viewerId: viewer.memberId, ...filter, ...paging });
  return { list: await present(deps, viewer, rows), total };
}

async function communityList(deps: LabImageViewDeps, viewer: Viewer, query: Query<'GET /gateway/image/communityList'>) {
  const { current = 1, pageSize = 10, framework, sort = 'stars', ...filter } = query;
  const paging = { limit: pageSize, offset: (current - 1) * pageSize };
  const baseImageIds = framework === undefined ? undefined : deps.catalogue.imageIdsOf(framework);
  const { rows, total } = await pagePublished(deps.db, { viewerId: viewer.memberId, ...filter, sort, baseImageIds, ...paging });
  return { list: await present(deps, viewer, rows), total };
}

/** Throws NOT_FOUND. */
async function detail(deps: LabImageViewDeps, viewer: Viewer, imageId: string): Promise<Answer<'GET /gateway/labImage/detail'>> {
  const { db } = deps;
  const row = await find(db, viewer, imageId);
  const isMine = row.memberId === viewer.memberId;
  const [image, ancestors, source] = await Promise.all([
    presentOne(deps, viewer, row),
    listAncestors(db, row.id),
    isMine ? findSource(db, row.workshopId) : undefined,
  ]);
  return {
    ...image,
    sha256: row.archiveSha256?.toString('hex') ?? null,
    workshop: source ? { workshopId: source.id, name: source.name, isThere: source.state !== 'DELETED' } : null,
    history: ancestors.map((ancestor) => presentAncestor(ancestor, viewer.memberId)),
    secretPaths: isMine ? row.secretPaths : [],
  };
}

interface AskedPart {
  range?: string | undefined;
  ifRange?: string | undefined;
}

/** Throws NOT_FOUND, IMAGE_STATE_CONFLICT, RANGE_NOT_SATISFIABLE. */
async function download(deps: LabImageViewDeps, viewer: Viewer, imageId: string, asked: AskedPart): Promise<Download> {
  const { db, storage } = deps;
  const { archiveKey, archiveBytes, archiveSha256, state, name, tag } = await find(db, viewer, imageId);
  if (state !== 'READY' || archiveKey === null || archiveBytes === null || archiveSha256 === null) {
    throw new Refusal('IMAGE_STATE_CONFLICT', { data: { state } });
  }
  const etag = `"${archiveSha256.toString('hex')}"`;
  const sizeBytes = Number(archiveBytes);
  // A part of another version would not fit what the browser has.
  const range = asked.ifRange === undefined || asked.ifRange === etag ? rangeOf(asked.range, sizeBytes) : null;
  try {
    const stream = await storage.open(objectKeyOf(archiveKey), range ?? undefined);
    return { stream, fileName: `${name}-${tag}.tar.gz`, etag, sizeBytes, range };
  } catch (error) {
    if (error instanceof ObjectMissing) throw new Refusal('NOT_FOUND');
    throw error;
  }
}

async function savesOf(engine: ComputeEngine): Promise<'none' | 'home' | 'rootfs' | null> {
  try {
    return (await engine.capabilities()).saveImage;
  } catch (error) {
    if (error instanceof EngineUnreachable) return null;
    throw error;
  }
}
