import { sql } from 'kysely';
import type { StopReason } from '../../contract/workshopStates';
import type { Db, Tx } from '../../db/client';
import type { RunSetup } from '../../db/schemaLab';
import { heldMicro, type Meter } from './meter.rules';
import type { Segment } from './settle.rules';

/** An open session as the meter sees it. */
export interface OpenSession extends Meter {
  memberId: string;
  engineInstanceId: string;
  engineRef: string | null;
  specId: string;
  queuedAt: Date;
  priceVersion: number;
  priceFixedUntil: Date;
  priceNotifiedVersion: number | null;
  priceNotifiedAt: Date | null;
  lastSeenAt: Date | null;
}

const meterColumns = [
  'id as sessionId',
  'workshopId',
  'memberId',
  'engineInstanceId',
  'engineRef',
  'specId',
  'queuedAt',
  'rateMicroPerHour',
  'rateBaseMs',
  'rateBaseMicro',
  'observedMs',
  'leaseLimitMs',
  'chargedMicro',
  'segmentSeq',
  'segmentFromMs',
  'segmentFromAt',
  'meteredUntil',
  'priceVersion',
  'priceFixedUntil',
  'priceNotifiedVersion',
  'priceNotifiedAt',
  'lastSeenAt',
] as const;

function openSessionsOf(db: Db | Tx, memberId: string) {
  return db
    .selectFrom('labSession')
    .select(meterColumns)
    .where('memberId', '=', memberId)
    .where('endedAt', 'is', null)
    .orderBy('id');
}

function toOpenSession<T extends { segmentFromAt: Date | null; meteredUntil: Date | null }>(row: T) {
  const { segmentFromAt, meteredUntil, ...meter } = row;
  return { ...meter, segmentFromAtMs: segmentFromAt?.getTime() ?? null, meteredUntilMs: meteredUntil?.getTime() ?? null };
}

export async function selectOpenSessions(db: Db | Tx, memberId: string): Promise<OpenSession[]> {
  return (await openSessionsOf(db, memberId).execute()).map(toOpenSession);
}

/** The member's open sessions under their locks; the caller holds the wallet's. */
export async function selectOpenSessionsForUpdate(tx: Tx, memberId: string): Promise<OpenSession[]> {
  return (await openSessionsOf(tx, memberId).forUpdate().execute()).map(toOpenSession);
}

export interface NewSession {
  sessionId: string;
  workshopId: string;
  memberId: string;
  generation: number;
  engineInstanceId: string;
  engineRef: string | null;
  specId: string;
  imageId: string;
  rateMicroPerHour: bigint;
  priceVersion: number;
  /** What the workshop was set to. */
  setup?: RunSetup;
}

export async function insertSession(
  tx: Tx,
  { sessionId, setup = {}, ...session }: NewSession,
  at: Date,
  lease: { limitMs: bigint; heldMicro: bigint; priceFixedUntil: Date },
): Promise<void> {
  const { until } = await tx
    .selectFrom('usageSegment')
    .select((eb) => eb.fn.max('toAt').as('until'))
    .where('workshopId', '=', session.workshopId)
    .executeTakeFirstOrThrow();
  await tx
    .insertInto('labSession')
    .values({
      id: sessionId,
      ...session,
      setup: JSON.stringify(setup),
      queuedAt: at,
      priceFixedUntil: lease.priceFixedUntil,
      leaseLimitMs: lease.limitMs,
      heldMicro: lease.heldMicro,
      meteredUntil: until,
    })
    .execute();
}

/**
 * Records what an engine vouches for, in one statement and without the wallets: locks in the order of ids, and the rule of
 * `withSighting` in SQL.
 */
export async function updateSightings(db: Db, sightings: readonly { sessionId: string; runningMs: bigint }[]): Promise<void> {
  await sql`
    with seen as (
      select * from unnest(${sightings.map((s) => s.sessionId)}::uuid[], ${sightings.map((s) => s.runningMs)}::bigint[]) t (id, running_ms)),
    locked as (
      select s.id, least(greatest(s.observed_ms, seen.running_ms), s.lease_limit_ms) as observed_ms, seen.running_ms
      from lab_session s join seen on seen.id = s.id where s.ended_at is null order by s.id for update of s),
    instant as materialized (select app_now() as at)
    update lab_session s set
      observed_ms = locked.observed_ms,
      last_seen_at = instant.at,
      -- Time nobody observed is not time without use.
      active_at = case when s.last_seen_at >= instant.at - interval '1 minute' then coalesce(s.active_at, instant.at) else instant.at end,
      started_at = coalesce(s.started_at, instant.at - locked.running_ms * interval '1 millisecond'),
      segment_from_at = coalesce(s.segment_from_at,
        greatest(instant.at - (locked.observed_ms - s.segment_from_ms) * interval '1 millisecond', s.metered_until))
    from locked, instant where s.id = locked.id`.execute(db);
}

/** Writes closed segments with the transactions that charged them. */
export async function insertSegments(
  tx: Tx,
  memberId: string,
  segments: readonly (Segment & { txId: bigint | null; rateMicroPerHour: bigint; priceVersion: number })[],
): Promise<void> {
  if (segments.length === 0) return;
  await tx
    .insertInto('usageSegment')
    .values(
      segments.map(({ sessionId, workshopId, seq, micro, txId, rateMicroPerHour, priceVersion, fromAtMs, toAtMs }) => ({
        ...{ sessionId, workshopId, memberId, seq, micro, txId, rateMicroPerHour, priceVersion },
        ...{ fromAt: new Date(fromAtMs), toAt: new Date(toAtMs) },
      })),
    )
    .execute();
}

/** Writes a meter back. The hold is what the meter says it is; the database checks it against the lease. */
export async function updateMeter(
  tx: Tx,
  meter: Meter,
  also: Partial<Pick<OpenSession, 'priceVersion' | 'priceFixedUntil' | 'priceNotifiedVersion' | 'priceNotifiedAt'>> & {
    startedAt?: Date;
  } = {},
): Promise<void> {
  await tx
    .updateTable('labSession')
    .set({
      ...also,
      rateMicroPerHour: meter.rateMicroPerHour,
      rateBaseMs: meter.rateBaseMs,
      rateBaseMicro: meter.rateBaseMicro,
      observedMs: meter.observedMs,
      leaseLimitMs: meter.leaseLimitMs,
      heldMicro: heldMicro(meter),
      chargedMicro: meter.chargedMicro,
      segmentSeq: meter.segmentSeq,
      segmentFromMs: meter.segmentFromMs,
      segmentFromAt: dateOrNull(meter.segmentFromAtMs),
      meteredUntil: dateOrNull(meter.meteredUntilMs),
    })
    .where('id', '=', meter.sessionId)
    .where('endedAt', 'is', null)
    .execute();
}

function dateOrNull(atMs: number | null): Date | null {
  return atMs === null ? null : new Date(atMs);
}

export async function updateEnded(
  tx: Tx,
  sessionId: string,
  end: { endedAt: Date; stopReason: StopReason; exitCode: number | null },
): Promise<void> {
  await tx
    .updateTable('labSession')
    .set({ ...end, heldMicro: 0n, segmentFromAt: null })
    .where('id', '=', sessionId)
    .execute();
}

export function selectSessionEnd(db: Db | Tx, sessionId: string) {
  return db
    .selectFrom('labSession')
    .select(['memberId', 'startedAt', 'endedAt', 'stopReason', 'observedMs', 'chargedMicro'])
    .where('id', '=', sessionId)
    .executeTakeFirst();
}

/** Who the sessions belong to, those still open only. */
export async function selectOwners(db: Db, sessionIds: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('labSession')
    .select('memberId')
    .distinct()
    .where('id', 'in', sessionIds)
    .where('endedAt', 'is', null)
    .orderBy('memberId')
    .execute();
  return rows.map((row) => row.memberId);
}

/** Those of the members who have an open session. */
export async function selectMembersWithSessions(tx: Tx, memberIds: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ memberId: string }>`
    select distinct member_id from lab_session where member_id = any(${memberIds}::uuid[]) and ended_at is null`.execute(tx);
  return new Set(rows.map((row) => row.memberId));
}

/** A top-up: warnings may be given afresh. */
export async function clearWarnings(tx: Tx, memberId: string): Promise<void> {
  await tx
    .updateTable('labSession')
    .set({ warnedRunwayMs: null })
    .where('memberId', '=', memberId)
    .where('endedAt', 'is', null)
    .where('warnedRunwayMs', 'is not', null)
    .execute();
}
