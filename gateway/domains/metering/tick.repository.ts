import { sql } from 'kysely';
import type { Db, Tx } from '../../db/client';
import { LEASE_MS, MS_PER_HOUR } from './meter.rules';

/** A segment is due for closing after an hour, of observed time or on the clock. */
export const SEGMENT_DUE_MS = MS_PER_HOUR;
/** While more than this is left of a lease, it is left alone. */
const LEASE_LOW_MS = LEASE_MS / 2n;
/** Members of whom a lot expires within this time are planned one by one. */
const EXPIRY_NEAR_MS = 15 * 60_000;

/** How long before it applies a new price is told. */
export const PRICE_NOTICE_MS = 30 * 60_000;

export interface Price {
  specId: string;
  priceVersion: number;
}

/** A price in use and the version that follows it. */
export interface StalePrice extends Price {
  newVersion: number;
}

/** What price versions are in use whose guarantee has run out or soon will. */
export async function selectOverduePrices(db: Db, at: Date): Promise<Price[]> {
  return db
    .selectFrom('labSession')
    .select(['specId', 'priceVersion'])
    .distinct()
    .where('endedAt', 'is', null)
    .where('segmentFromAt', 'is not', null)
    .where('priceFixedUntil', '<=', new Date(at.getTime() + PRICE_NOTICE_MS))
    .execute();
}

/** Where a session's next price is to be announced, or was announced long enough ago to apply; the rule of `priceStep` in SQL. */
const isPriceDue = (at: Date, stale: readonly StalePrice[]) => sql`(
  price_fixed_until <= ${at}::timestamptz + ${PRICE_NOTICE_MS}::int * interval '1 millisecond' and exists (
    select from unnest(${stale.map((s) => s.specId)}::text[], ${stale.map((s) => s.priceVersion)}::int[], ${stale.map((s) => s.newVersion)}::int[])
      stale (spec_id, price_version, new_version)
    where stale.spec_id = lab_session.spec_id and stale.price_version = lab_session.price_version and (
      coalesce(price_notified_version < new_version, true)
      or (price_notified_version = new_version and price_fixed_until <= ${at}::timestamptz
        and price_notified_at <= ${at}::timestamptz - ${PRICE_NOTICE_MS}::int * interval '1 millisecond'))))`;

/** Where a session's segment is due. */
const isSegmentDue = (at: Date) => sql`(observed_ms - segment_from_ms >= ${SEGMENT_DUE_MS}::bigint
  or (observed_ms > segment_from_ms and segment_from_at <= ${at}::timestamptz - ${SEGMENT_DUE_MS}::bigint * interval '1 millisecond'))`;

/** Where a session needs the tick: its lease runs low, its segment is due and may be closed, or its price has changed. */
const isDueForTick = (at: Date, stale: readonly StalePrice[], isClosing: boolean) => sql`(
  lease_limit_ms - observed_ms < ${LEASE_LOW_MS}::bigint
  ${isClosing ? sql`or ${isSegmentDue(at)}` : sql``}
  or ${isPriceDue(at, stale)})`;

/** The next members, by id, of whom a running session needs the tick; those whose segments are due only while these are closed. */
export async function selectDueMembers(
  tx: Tx,
  {
    after,
    at,
    stale,
    size,
    isClosing,
  }: { after: string; at: Date; stale: readonly StalePrice[]; size: number; isClosing: boolean },
): Promise<string[]> {
  const { rows } = await sql<{ memberId: string }>`
    select distinct member_id from lab_session
    where ended_at is null and segment_from_at is not null and member_id > ${after}::uuid and ${isDueForTick(at, stale, isClosing)}
    order by member_id limit ${size}`.execute(tx);
  return rows.map((row) => row.memberId);
}

/** Locks the open sessions of locked wallets by ascending id, so that sightings and ticks never wait for each other in a ring. */
export async function lockSessions(tx: Tx, memberIds: readonly string[]): Promise<void> {
  await sql`
    with locked as (select 1 from lab_session where member_id = any(${memberIds}::uuid[]) and ended_at is null order by id for update)
    select count(*) from locked`.execute(tx);
}

/**
 * Those of the members who need the planner: a lot of theirs ends near now or inside an open segment, one began inside an open
 * segment, or the price of a session changed.
 */
export async function selectMembersToPlan(
  tx: Tx,
  memberIds: readonly string[],
  at: Date,
  stale: readonly StalePrice[],
): Promise<Set<string>> {
  const { rows } = await sql<{ memberId: string }>`
    with open as (
      select member_id, min(segment_from_at) as from_at,
        max(segment_from_at + (observed_ms - segment_from_ms) * interval '1 millisecond') as until_at,
        bool_or(${isPriceDue(at, stale)}) as is_price_stale
      from lab_session
      where member_id = any(${memberIds}::uuid[]) and ended_at is null and segment_from_at is not null group by member_id)
    select o.member_id from open o
    where o.is_price_stale or exists (
      select from dcu_lot l where l.member_id = o.member_id and l.remaining > 0 and (
        l.expires_at <= greatest(o.until_at, ${at}::timestamptz) + ${EXPIRY_NEAR_MS}::int * interval '1 millisecond'
        or l.granted_at > o.from_at))`.execute(tx);
  return new Set(rows.map((row) => row.memberId));
}

export interface DueSegment {
  sessionId: string;
  workshopId: string;
  memberId: string;
  seq: number;
  fromAt: Date;
  toAt: Date;
  observedMs: bigint;
  costMicro: bigint;
  micro: bigint;
  rateMicroPerHour: bigint;
  priceVersion: number;
}

/** The open segments of the members that are due, not more than `most`. */
export async function selectDueSegments(tx: Tx, memberIds: readonly string[], at: Date, most: number): Promise<DueSegment[]> {
  const { rows } = await sql<DueSegment>`
    select id as session_id, workshop_id, member_id, segment_seq + 1 as seq, segment_from_at as from_at,
      segment_from_at + (observed_ms - segment_from_ms) * interval '1 millisecond' as to_at, observed_ms,
      cost.micro as cost_micro, cost.micro - charged_micro as micro, rate_micro_per_hour, price_version
    from lab_session, lateral (select lab_cost_micro(rate_micro_per_hour, rate_base_ms, rate_base_micro, observed_ms) as micro) cost
    where member_id = any(${memberIds}::uuid[]) and ended_at is null and segment_from_at is not null and ${isSegmentDue(at)}
    order by id limit ${most}`.execute(tx);
  return rows;
}

/** Writes due segments with their transactions and moves their sessions past them, in one statement. */
export async function writeDueSegments(tx: Tx, due: readonly (DueSegment & { txId: bigint | null })[]): Promise<void> {
  await sql`
    with due as (
      select * from unnest(
        ${due.map((d) => d.sessionId)}::uuid[], ${due.map((d) => d.workshopId)}::uuid[], ${due.map((d) => d.memberId)}::uuid[],
        ${due.map((d) => d.seq)}::int[], ${due.map((d) => d.fromAt)}::timestamptz[], ${due.map((d) => d.toAt)}::timestamptz[],
        ${due.map((d) => d.observedMs)}::bigint[], ${due.map((d) => d.costMicro)}::bigint[], ${due.map((d) => d.micro)}::bigint[],
        ${due.map((d) => d.rateMicroPerHour)}::bigint[], ${due.map((d) => d.priceVersion)}::int[], ${due.map((d) => d.txId)}::bigint[])
        d (session_id, workshop_id, member_id, seq, from_at, to_at, observed_ms, cost_micro, micro, rate, price_version, tx_id)),
    segments as (
      insert into usage_segment (session_id, seq, workshop_id, member_id, from_at, to_at, rate_micro_per_hour, price_version, micro, tx_id)
      select session_id, seq, workshop_id, member_id, from_at, to_at, rate, price_version, micro, tx_id from due)
    update lab_session s set charged_micro = due.cost_micro, held_micro = s.held_micro - due.micro, segment_seq = due.seq,
      segment_from_ms = due.observed_ms, segment_from_at = due.to_at, metered_until = due.to_at
    from due where s.id = due.session_id`.execute(tx);
}

export interface RaisedLease {
  sessionId: string;
  memberId: string;
  engineInstanceId: string;
  engineRef: string | null;
  leaseLimitMs: bigint;
  heldMicro: bigint;
}

/**
 * Raises leases that run low to ten minutes beyond what was observed. Where `free` does not pay for all that a member's running
 * sessions want, all of them share it in proportion to what each wants. Returns what was raised and by how much the hold grew.
 */
export async function raiseLeases(tx: Tx, free: ReadonlyMap<string, bigint>): Promise<RaisedLease[]> {
  const { rows } = await sql<RaisedLease>`
    with purse as (select * from unnest(${[...free.keys()]}::uuid[], ${[...free.values()]}::bigint[]) p (member_id, free)),
    want as (
      select s.id, s.member_id, p.free, s.rate_micro_per_hour as rate, s.rate_base_ms, s.rate_base_micro, s.lease_limit_ms, t.target_ms, l.micro as lease_micro,
        s.lease_limit_ms - s.observed_ms < ${LEASE_LOW_MS}::bigint as is_low,
        lab_cost_micro(s.rate_micro_per_hour, s.rate_base_ms, s.rate_base_micro, t.target_ms) - l.micro as micro
      from lab_session s join purse p using (member_id),
        lateral (select greatest(s.observed_ms + ${LEASE_MS}::bigint, s.lease_limit_ms) as target_ms) t,
        lateral (select lab_cost_micro(s.rate_micro_per_hour, s.rate_base_ms, s.rate_base_micro, s.lease_limit_ms) as micro) l
      where s.ended_at is null and s.segment_from_at is not null and s.member_id = any(${[...free.keys()]}::uuid[])),
    share as (
      select *, sum(micro) over (partition by member_id) as all_micro from want),
    raised as (
      select *, case when all_micro <= free then target_ms else least(target_ms, lab_covered_ms(rate, rate_base_ms, rate_base_micro,
        lease_micro + div(free * micro::numeric, all_micro)::bigint)) end as limit_ms
      from share where is_low or all_micro > free),
    grown as (
      select *, lab_cost_micro(rate, rate_base_ms, rate_base_micro, limit_ms) - lease_micro as held from raised where limit_ms > lease_limit_ms)
    update lab_session s set lease_limit_ms = g.limit_ms, held_micro = s.held_micro + g.held
    from grown g where s.id = g.id
    returning s.id as session_id, s.member_id, s.engine_instance_id, s.engine_ref, s.lease_limit_ms, g.held as held_micro`.execute(
    tx,
  );
  return rows;
}

/** Members whose running labs may have less than `withinMs` of runway and were not told so yet; a superset, to be looked at one by one. */
export async function selectMembersToWarn(db: Db, at: Date, withinMs: number): Promise<string[]> {
  const { rows } = await sql<{ memberId: string }>`
    with running as (
      select member_id, sum(rate_micro_per_hour) as rate,
        sum(lab_cost_micro(rate_micro_per_hour, rate_base_ms, rate_base_micro, observed_ms) - charged_micro) as accrued,
        bool_or(warned_runway_ms is null or warned_runway_ms > ${withinMs}::bigint) as is_untold
      from lab_session where ended_at is null and segment_from_at is not null group by member_id),
    waiting as (
      select member_id, sum(held_micro) as held from lab_session where ended_at is null and segment_from_at is null group by member_id),
    ending as (
      select member_id, sum(remaining) as micro from dcu_lot
      where remaining > 0 and expires_at <= ${at}::timestamptz + ${withinMs}::bigint * interval '1 millisecond' group by member_id)
    select r.member_id from running r
    join wallet w on w.member_id = r.member_id and w.asset = 'DCU'
    left join waiting h on h.member_id = r.member_id
    left join ending e on e.member_id = r.member_id
    where r.is_untold and (w.posted - r.accrued - coalesce(h.held, 0) - coalesce(e.micro, 0)) * ${MS_PER_HOUR}::bigint <= r.rate * ${withinMs}::bigint
    order by r.member_id`.execute(db);
  return rows.map((row) => row.memberId);
}

/**
 * Notes, locking in the order of ids, that the member's running sessions are warned of a runway; returns the sessions that
 * were not before.
 */
export async function updateWarned(tx: Tx, memberId: string, thresholdMs: number): Promise<string[]> {
  const rows = await tx
    .selectFrom('labSession')
    .select('id')
    .where('memberId', '=', memberId)
    .where('endedAt', 'is', null)
    .where('segmentFromAt', 'is not', null)
    .where((eb) => eb.or([eb('warnedRunwayMs', 'is', null), eb('warnedRunwayMs', '>', BigInt(thresholdMs))]))
    .orderBy('id')
    .forUpdate()
    .execute();
  const sessionIds = rows.map((row) => row.id);
  if (sessionIds.length === 0) return [];
  await tx
    .updateTable('labSession')
    .set({ warnedRunwayMs: BigInt(thresholdMs) })
    .where('id', 'in', sessionIds)
    .execute();
  return sessionIds;
}
