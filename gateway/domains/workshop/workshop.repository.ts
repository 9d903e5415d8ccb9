import { type Selectable, sql } from 'kysely';
import type { Db, Tx } from '../../db/client';
import type { WorkshopTable } from '../../db/schemaLab';

const columns = [
  'id',
  'memberId',
  'name',
  'specId',
  'imageId',
  'maxHours',
  'idleMinutes',
  'env',
  'network',
  'engineInstanceId',
  'state',
  'generation',
] as const;

/** A workshop as a change needs it. */
export type LockedWorkshop = Pick<Selectable<WorkshopTable>, (typeof columns)[number]>;

export async function findWorkshop(db: Db | Tx, memberId: string, workshopId: string): Promise<LockedWorkshop | undefined> {
  return db
    .selectFrom('workshop')
    .select(columns)
    .where('id', '=', workshopId)
    .where('memberId', '=', memberId)
    .where('state', '<>', 'DELETED')
    .executeTakeFirst();
}

/** Locks the row; the caller holds the wallet lock already if it is going to need it. */
export async function lockWorkshop(tx: Tx, memberId: string, workshopId: string): Promise<LockedWorkshop | undefined> {
  return tx
    .selectFrom('workshop')
    .select(columns)
    .where('id', '=', workshopId)
    .where('memberId', '=', memberId)
    .where('state', '<>', 'DELETED')
    .forUpdate()
    .executeTakeFirst();
}

export async function countWorkshops(tx: Tx, memberId: string): Promise<number> {
  const { count } = await tx
    .selectFrom('workshop')
    .select((columnsOf) => columnsOf.fn.countAll<bigint>().as('count'))
    .where('memberId', '=', memberId)
    .where('state', '<>', 'DELETED')
    .executeTakeFirstOrThrow();
  return Number(count);
}

export async function insertWorkshop(tx: Tx, workshop: Omit<LockedWorkshop, 'state' | 'generation'>): Promise<void> {
  await tx
    .insertInto('workshop')
    .values({ ...workshop, env: JSON.stringify(workshop.env), failureCode: null, failureHint: null, isRetryable: null })
    .execute();
}

export async function changeWorkshop(
  tx: Tx,
  workshopId: string,
  { env, ...change }: Partial<Pick<LockedWorkshop, 'name' | 'specId' | 'imageId' | 'maxHours' | 'idleMinutes' | 'env' | 'network'>>,
): Promise<void> {
  await tx
    .updateTable('workshop')
    .set({ ...change, ...(env === undefined ? {} : { env: JSON.stringify(env) }) })
    .where('id', '=', workshopId)
    .execute();
}

/** What a change needs of the open lab session of a workshop. */
export interface OpenRun {
  id: string;
  observedMs: bigint;
  startedAt: Date | null;
  extendedMs: bigint;
}

/** The open lab session of a workshop. */
export async function findOpenSession(tx: Tx, workshopId: string): Promise<OpenRun | undefined> {
  return tx
    .selectFrom('labSession')
    .select(['id', 'observedMs', 'startedAt', 'extendedMs'])
    .where('workshopId', '=', workshopId)
    .where('endedAt', 'is', null)
    .executeTakeFirst();
}

/** Spec and rate of every open lab session of a member: what the ceilings are summed over. */
export async function listOpenLabs(tx: Db | Tx, memberId: string): Promise<{ specId: string; rateMicroPerHour: bigint }[]> {
  return tx
    .selectFrom('labSession')
    .select(['specId', 'rateMicroPerHour'])
    .where('memberId', '=', memberId)
    .where('endedAt', 'is', null)
    .execute();
}

/** What a member's homes and images hold in all, as last seen; those that are being deleted do not count. */
export async function sumStoredBytes(reader: Db | Tx, memberId: string): Promise<bigint> {
  const { rows } = await sql<{ bytes: bigint }>`select (
    (select coalesce(sum(disk_bytes), 0) from workshop where member_id = ${memberId} and state not in ('DELETED','DELETING'))
    + (select coalesce(sum(archive_bytes + coalesce(layer_bytes, 0)), 0) from lab_image where member_id = ${memberId} and state = 'READY')
  )::bigint as bytes`.execute(reader);
  return rows[0]?.bytes ?? 0n;
}

/** The member's workshops with something to stop, locked in the order of their ids. */
export async function lockOpenWorkshops(tx: Tx, memberId: string): Promise<LockedWorkshop[]> {
  return tx
    .selectFrom('workshop')
    .select(columns)
    .where('memberId', '=', memberId)
    .where('state', 'in', ['QUEUED', 'PULLING', 'STARTING', 'RUNNING', 'LOST'])
    .orderBy('id')
    .forUpdate()
    .execute();
}

/** Notes a new reason for the state a workshop is in. */
export async function writeReason(tx: Tx, workshopId: string, stateReason: string): Promise<void> {
  await tx.updateTable('workshop').set({ stateReason }).where('id', '=', workshopId).execute();
}

/** Names a copy must not take. */
export async function listNames(tx: Tx, memberId: string): Promise<string[]> {
  const rows = await tx
    .selectFrom('workshop')
    .select('name')
    .where('memberId', '=', memberId)
    .where('state', 'not in', ['DELETING', 'DELETED'])
    .execute();
  return rows.map(({ name }) => name);
}

/** Adds to what a run may last, and counts its time without use from now on. */
export async function extendSession(tx: Tx, sessionId: string, byMs: number): Promise<void> {
  await tx
    .updateTable('labSession')
    .set({ extendedMs: sql<bigint>`extended_ms + ${byMs}`, activeAt: sql<Date>`app_now()` })
    .where('id', '=', sessionId)
    .execute();
}
