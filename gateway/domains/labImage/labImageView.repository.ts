import { type RawBuilder, sql } from 'kysely';
import type { CommunitySort, LabImageState } from '../../contract/imageStates';
import { type Db, planKept, type Tx } from '../../db/client';
import type { LabImageRow } from './labImage.repository';

/** An image as a member sees it: whose it is, whether they gave it a star, and which of their own workshops use it. */
export interface LabImageView extends LabImageRow {
  username: string;
  isStarred: boolean;
  usedBy: { workshopId: string; name: string }[];
}

interface Page {
  viewerId: string;
  keyword?: string | undefined;
  limit: number;
  offset: number;
}

/** Only to its owner, or to everybody once it is published. */
export async function findImageView(reader: Db | Tx, viewerId: string, imageId: string): Promise<LabImageView | undefined> {
  const where = sql`i.id = ${imageId} and i.state <> 'DELETED' and (i.member_id = ${viewerId} or i.published_at is not null)`;
  const { rows } = await sql<LabImageView>`${viewOf(viewerId, where)}`.execute(reader);
  return rows[0];
}

/** What the member can make workshops from, newest first; the level's limit bounds them. */
export async function listReady(db: Db, viewerId: string): Promise<LabImageView[]> {
  const { rows } = await sql<LabImageView>`${viewOf(viewerId, sql`i.member_id = ${viewerId} and i.state = 'READY'`)}
    order by i.created_at desc, i.id desc limit 500`.execute(db);
  return rows;
}

export function pageOwn(db: Db, ask: Page & { state?: LabImageState | undefined }) {
  const where = sql`i.member_id = ${ask.viewerId} and i.state <> 'DELETED'
    ${ask.state === undefined ? sql`` : sql`and i.state = ${ask.state}`} ${matching(ask.keyword)}`;
  return pageOf(db, ask, where, sql`i.created_at desc, i.id desc`);
}

const orders: Readonly<Record<CommunitySort, RawBuilder<unknown>>> = {
  stars: sql`i.stars desc, i.published_at desc, i.id desc`,
  uses: sql`i.uses desc, i.published_at desc, i.id desc`,
  newest: sql`i.published_at desc, i.id desc`,
};

export function pagePublished(
  db: Db,
  ask: Page & { sort: CommunitySort; isStarred?: boolean | undefined; baseImageIds?: readonly string[] | undefined },
) {
  const { viewerId, isStarred, baseImageIds } = ask;
  const where = sql`i.published_at is not null
    ${baseImageIds === undefined ? sql`` : sql`and i.base_image_id = any(${[...baseImageIds]}::text[])`}
    ${isStarred === undefined ? sql`` : sql`and ${starredBy(viewerId)} = ${isStarred}`} ${matching(ask.keyword)}`;
  return pageOf(db, ask, where, orders[ask.sort]);
}

async function pageOf(
  db: Db,
  { viewerId, limit, offset }: Page,
  where: RawBuilder<unknown>,
  order: RawBuilder<unknown>,
): Promise<{ rows: LabImageView[]; total: number }> {
  const [{ rows }, counted] = await Promise.all([
    sql<LabImageView>`${viewOf(viewerId, where)} order by ${order} limit ${limit} offset ${offset}`.execute(db),
    sql<{ total: bigint }>`select count(*) as total from lab_image i where ${where}`.execute(db),
  ]);
  return { rows, total: Number(counted.rows[0]?.total ?? 0) };
}

function matching(keyword: string | undefined): RawBuilder<unknown> {
  const text = keyword?.trim().normalize('NFC');
  if (!text) return sql``;
  const pattern = `%${text.replace(/[\\%_]/g, '\\$&')}%`;
  return sql`and (i.name ilike ${pattern} or i.tag ilike ${pattern} or i.description ilike ${pattern})`;
}

function starredBy(viewerId: string): RawBuilder<boolean> {
  return sql`exists (select from lab_image_star s where s.image_id = i.id and s.member_id = ${viewerId})`;
}

function viewOf(viewerId: string, where: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`select i.*, m.username, ${starredBy(viewerId)} as is_starred, used.used_by
    from lab_image i join member m on m.id = i.member_id
    cross join lateral (
      select coalesce(jsonb_agg(jsonb_build_object('workshopId', w.id, 'name', w.name) order by w.name), '[]') as used_by
      from workshop w where w.image_id = i.id::text and w.member_id = ${viewerId} and w.state <> 'DELETED'
    ) used
    where ${where}`;
}

export interface AncestorRow {
  id: string;
  memberId: string;
  name: string;
  tag: string;
  readyAt: Date | null;
  state: string;
  publishedAt: Date | null;
}

/** What an image was made from, nearest first, as far back as is worth showing. */
export async function listAncestors(db: Db, imageId: string): Promise<AncestorRow[]> {
  const { rows } = await sql<AncestorRow>`
    with recursive line as (
      select id, parent_id, 0 as depth from lab_image where id = ${imageId}
      union all
      select p.id, p.parent_id, line.depth + 1 from lab_image p join line on p.id = line.parent_id where line.depth < 50
    )
    select a.id, a.member_id, a.name, a.tag, a.ready_at, a.state, a.published_at
    from line join lab_image a on a.id = line.id where line.depth > 0 order by line.depth`.execute(db);
  return rows;
}

/** Names of images for pages of workshops; also of deleted ones. */
export async function listNames(
  reader: Db | Tx,
  imageIds: readonly string[],
): Promise<{ id: string; name: string; tag: string; baseImageId: string }[]> {
  if (imageIds.length === 0) return [];
  const { rows } = await sql<{ id: string; name: string; tag: string; baseImageId: string }>`${planKept}
    select id, name, tag, base_image_id from lab_image where id = any(${[...imageIds]}::uuid[])`.execute(reader);
  return rows;
}

export function findSource(db: Db, workshopId: string) {
  return db.selectFrom('workshop').select(['id', 'name', 'state']).where('id', '=', workshopId).executeTakeFirst();
}
