import { sql } from 'kysely';
import type { WorkshopState } from '../../contract/workshopStates';
import type { Db, Tx } from '../../db/client';
import type { Progress } from '../../db/schemaLab';
import { FILLING } from './reconcile.rules';

/** A workshop that is not settled, with its open session. */
export interface WishRow {
  workshopId: string;
  memberId: string;
  state: WorkshopState;
  stateReason: string;
  stateAgeMs: number;
  desired: 'stopped' | 'running' | 'deleted';
  generation: number;
  maxHours: number | null;
  sessionId: string | null;
  engineRef: string | null;
  specId: string;
  imageId: string;
  observedMs: bigint | null;
  leaseLimitMs: bigint | null;
  extendedMs: bigint | null;
  idleMinutes: number | null;
  activeAt: Date | null;
  /** Since it was last seen in use; null before it is seen running. */
  idleMs: number | null;
  progress: Progress | null;
  env: Record<string, string>;
  network: 'none' | 'egress';
  /** When the home got what its image brings, or was found to need nothing. */
  homeFilledAt: Date | null;
}

/** Everything of one engine instance that the loop may have to do something about. */
export async function listWishes(db: Db, engineInstanceId: string): Promise<WishRow[]> {
  const { rows } = await sql<WishRow>`${selectWishes} where w.engine_instance_id = ${engineInstanceId} and ${unsettled}`.execute(
    db,
  );
  return rows;
}

/** The same of other instances whose gateways have said nothing for `silentMs`: theirs to drive, but not to be left as if running. */
export async function listForsakenWishes(db: Db, ownInstanceId: string, silentMs: number): Promise<WishRow[]> {
  const { rows } = await sql<WishRow>`${selectWishes} join engine_instance i on i.id = w.engine_instance_id
    where w.engine_instance_id <> ${ownInstanceId} and i.last_seen_at < app_now() - ${silentMs} * interval '1 millisecond'
      and (s.id is not null or w.state = 'DELETING') and ${unsettled}`.execute(db);
  return rows;
}

const selectWishes = sql`
  select w.id as workshop_id, w.member_id, w.state, w.state_reason, w.desired, w.generation, w.max_hours,
    (extract(epoch from app_now() - w.state_changed_at) * 1000)::float8 as state_age_ms,
    s.id as session_id, s.engine_ref, coalesce(s.spec_id, w.spec_id) as spec_id, coalesce(s.image_id, w.image_id) as image_id,
    s.observed_ms, s.lease_limit_ms, s.extended_ms, w.idle_minutes, s.active_at, s.progress, w.env, w.network, w.home_filled_at,
    (extract(epoch from app_now() - s.active_at) * 1000)::float8 as idle_ms
  from workshop w
  left join lab_session s on s.workshop_id = w.id and s.generation = w.generation and s.ended_at is null`;

/** The words of the partial index `workshop_unsettled`. */
const unsettled = sql`w.state not in ('STOPPED','FAILED','DELETED')`;

/** Says how far the home is filled; false when nobody waits for it any more. */
export async function tellFilling(db: Db, wish: WishRow, percent: number | null): Promise<boolean> {
  const { rows } = await sql`update lab_session s set progress = ${JSON.stringify({ percent, detail: FILLING })}::jsonb
    from workshop w where s.id = ${wish.sessionId} and s.ended_at is null and w.id = s.workshop_id
      and w.generation = ${wish.generation} and w.desired = 'running' and w.state in ('PULLING','STARTING') returning s.id`.execute(
    db,
  );
  return rows.length > 0;
}

/** From now on its image brings nothing into this home any more. */
export async function markFilled(db: Db, workshopId: string): Promise<void> {
  await db
    .updateTable('workshop')
    .set({ homeFilledAt: sql<Date>`app_now()` })
    .where('id', '=', workshopId)
    .where('homeFilledAt', 'is', null)
    .execute();
}

/** Locks a workshop that still is as the loop saw it; false when it has moved on. */
export async function lockUnchanged(tx: Tx, seen: Pick<WishRow, 'workshopId' | 'state' | 'generation'>): Promise<boolean> {
  const row = await tx
    .selectFrom('workshop')
    .select('id')
    .where('id', '=', seen.workshopId)
    .where('state', '=', seen.state)
    .where('generation', '=', seen.generation)
    .forUpdate()
    .executeTakeFirst();
  return row !== undefined;
}

/** Says why a workshop waits, without an event: it is not a change of state. */
export async function writeStateReason(
  db: Db,
  seen: Pick<WishRow, 'workshopId' | 'state' | 'generation'>,
  reason: string,
): Promise<void> {
  await db
    .updateTable('workshop')
    .set({ stateReason: reason })
    .where('id', '=', seen.workshopId)
    .where('state', '=', seen.state)
    .where('generation', '=', seen.generation)
    .execute();
}

/** What the books know of sessions an engine lists. */
export async function findSessions(
  db: Db,
  sessionIds: readonly string[],
): Promise<{ id: string; engineInstanceId: string; specId: string; endedAt: Date | null }[]> {
  if (sessionIds.length === 0) return [];
  return db
    .selectFrom('labSession')
    .select(['id', 'engineInstanceId', 'specId', 'endedAt'])
    .where('id', 'in', [...sessionIds])
    .execute();
}

/** Locks a workshop as `lockUnchanged` does; false also when what its run may last was changed since the loop looked, or it is in use again. */
export async function lockDue(tx: Tx, seen: WishRow): Promise<boolean> {
  if (!(await lockUnchanged(tx, seen))) return false;
  const now = await tx
    .selectFrom('labSession')
    .innerJoin('workshop', 'workshop.id', 'labSession.workshopId')
    .select(['extendedMs', 'activeAt', 'maxHours', 'idleMinutes'])
    .where('labSession.id', '=', seen.sessionId)
    .executeTakeFirst();
  return (
    now !== undefined &&
    now.extendedMs === seen.extendedMs &&
    now.activeAt?.getTime() === seen.activeAt?.getTime() &&
    now.maxHours === seen.maxHours &&
    now.idleMinutes === seen.idleMinutes
  );
}

/** How far the engine is with labs that do not run yet; null takes away what was said. */
export async function updateProgress(db: Db, told: readonly { sessionId: string; progress: Progress | null }[]): Promise<void> {
  if (told.length === 0) return;
  const texts = told.map(({ progress }) => (progress === null ? null : JSON.stringify(progress)));
  await sql`
    update lab_session s set progress = v.progress
    from unnest(${told.map(({ sessionId }) => sessionId)}::uuid[], ${texts}::jsonb[]) v (id, progress)
    where s.id = v.id and s.ended_at is null`.execute(db);
}
