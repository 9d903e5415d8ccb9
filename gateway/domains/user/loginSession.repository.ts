import { sql } from 'kysely';
import { type Db, planKept, type Tx } from '../../db/client';

const now = sql<Date>`app_now()`;
const aMinuteAgo = sql<Date>`app_now() - interval '1 minute'`;

export interface SessionRow {
  id: string;
  memberId: string;
  secretHash: Buffer;
  isKept: boolean;
  ip: string;
  userAgent: string;
  days: number;
}

export async function insertSession(tx: Tx, { days, ...session }: SessionRow): Promise<void> {
  await tx
    .insertInto('loginSession')
    .values({
      ...session,
      createdAt: now,
      lastSeenAt: now,
      expiresAt: sql<Date>`app_now() + make_interval(days => ${days})`,
      revokedAt: null,
    })
    .execute();
}

/** A session with its standing as of now; undefined when there is none. */
export function findSession(db: Db, id: string) {
  return db
    .selectFrom('loginSession')
    .modifyFront(planKept)
    .select(['memberId', 'secretHash'])
    .select(sql<boolean>`revoked_at is not null or expires_at <= app_now()`.as('hasEnded'))
    .select(sql<boolean>`last_seen_at < app_now() - interval '1 minute'`.as('isUnseen'))
    .where('id', '=', id)
    .executeTakeFirst();
}

/** The condition stands in the statement as well: of many parallel requests one writes. */
export async function noteSeen(db: Db, id: string): Promise<void> {
  await db.updateTable('loginSession').set({ lastSeenAt: now }).where('id', '=', id).where('lastSeenAt', '<', aMinuteAgo).execute();
}

export async function revoke(db: Db | Tx, id: string): Promise<void> {
  await db.updateTable('loginSession').set({ revokedAt: now }).where('id', '=', id).where('revokedAt', 'is', null).execute();
}

/** Ends the member's sessions that are in force: all, only one, or all but one. Returns the ids of those it ended. */
export async function revokeOf(
  db: Db | Tx,
  memberId: string,
  { only, except }: { only?: string; except?: string } = {},
): Promise<string[]> {
  let sessions = db.updateTable('loginSession').set({ revokedAt: now }).where('memberId', '=', memberId);
  if (only !== undefined) sessions = sessions.where('id', '=', only);
  if (except !== undefined) sessions = sessions.where('id', '<>', except);
  const ended = await sessions.where('revokedAt', 'is', null).where('expiresAt', '>', now).returning('id').execute();
  return ended.map(({ id }) => id);
}

/** The member's sessions in force, those last seen first. */
export function findSessionsOf(db: Db, memberId: string, limit: number) {
  return db
    .selectFrom('loginSession')
    .select(['id', 'userAgent', 'ip', 'createdAt', 'lastSeenAt', 'expiresAt', 'isKept'])
    .where('memberId', '=', memberId)
    .where('revokedAt', 'is', null)
    .where('expiresAt', '>', now)
    .orderBy('lastSeenAt', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

/** A session in force, held until the transaction ends. */
export function lockSession(tx: Tx, id: string) {
  return tx
    .selectFrom('loginSession')
    .select('isKept')
    .where('id', '=', id)
    .where('revokedAt', 'is', null)
    .where('expiresAt', '>', now)
    .forUpdate()
    .executeTakeFirst();
}

/** True when the member has a session, of any standing, from this address. */
export async function hasSessionFrom(db: Db, memberId: string, ip: string): Promise<boolean> {
  const session = await db
    .selectFrom('loginSession')
    .select('id')
    .where('memberId', '=', memberId)
    .where('ip', '=', ip)
    .limit(1)
    .executeTakeFirst();
  return session !== undefined;
}

/**
 * Removes sessions that expired more than 90 days ago, but for the last one from each of a member's addresses: by it the address stays
 * known.
 */
export async function deleteForgotten(db: Db): Promise<void> {
  await sql`
    delete from login_session old
    where old.expires_at < app_now() - interval '90 days'
      and exists (
        select from login_session newer
        where newer.member_id = old.member_id and newer.ip = old.ip and (newer.created_at, newer.id) > (old.created_at, old.id)
      )`.execute(db);
}
