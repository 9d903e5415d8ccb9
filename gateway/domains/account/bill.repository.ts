import { type RawBuilder, sql } from 'kysely';
import type { billGroups, billSteps } from '../../contract/bill';
import type { Db } from '../../db/client';

/** Days of the billing time zone, both counted in. */
export interface BillSpan {
  memberId: string;
  from: string;
  to: string;
  workshopId: string | null;
}

export interface BillRow {
  day: string;
  sessionId: string;
  workshopId: string;
  workshopName: string;
  specId: string;
  ms: bigint;
  micro: bigint;
  segments: number;
}

function inSpan({ memberId, from, to, workshopId }: BillSpan): RawBuilder<unknown> {
  const ofWorkshop = workshopId === null ? sql`` : sql`and d.workshop_id = ${workshopId}::uuid`;
  return sql`d.member_id = ${memberId}::uuid and d.day between ${from}::date and ${to}::date ${ofWorkshop}`;
}

/** Names stand in the last join alone: a page looks up as many as it has lines. */
const named = sql`
  select to_char(p.day, 'YYYY-MM-DD') as day, p.session_id, p.workshop_id, w.name as workshop_name, s.spec_id, p.ms, p.micro, p.segments
  from page p join workshop w on w.id = p.workshop_id join lab_session s on s.id = p.session_id
  order by p.day desc, p.session_id desc`;

/** One page of lines, newest first. */
export async function selectLines(db: Db, span: BillSpan, { offset, size }: { offset: number; size: number }): Promise<BillRow[]> {
  const { rows } = await sql<BillRow>`
    with page as materialized (
      select d.* from usage_day d where ${inSpan(span)} order by d.day desc, d.session_id desc limit ${size} offset ${offset})
    ${named}`.execute(db);
  return rows;
}

/** So many lines after a place in the same order, for whoever reads all of them. */
export async function selectLinesAfter(
  db: Db,
  span: BillSpan,
  after: Pick<BillRow, 'day' | 'sessionId'> | null,
  size: number,
): Promise<BillRow[]> {
  const beyond = after ? sql`and (d.day, d.session_id) < (${after.day}::date, ${after.sessionId}::uuid)` : sql``;
  const { rows } = await sql<BillRow>`
    with page as materialized (
      select d.* from usage_day d where ${inSpan(span)} ${beyond} order by d.day desc, d.session_id desc limit ${size})
    ${named}`.execute(db);
  return rows;
}

export interface BillTotals {
  lines: number;
  micro: bigint;
  ms: bigint;
}

export async function selectTotals(db: Db, span: BillSpan): Promise<BillTotals> {
  const { rows } = await sql<BillTotals>`
    select count(*)::int as lines, coalesce(sum(d.micro), 0)::bigint as micro, coalesce(sum(d.ms), 0)::bigint as ms
    from usage_day d where ${inSpan(span)}`.execute(db);
  return rows[0] ?? { lines: 0, micro: 0n, ms: 0n };
}

/** Usage by day or month, those without any left out. */
export async function selectSeries(
  db: Db,
  span: BillSpan,
  step: (typeof billSteps)[number],
): Promise<{ period: string; micro: bigint; ms: bigint }[]> {
  const form = step === 'day' ? 'YYYY-MM-DD' : 'YYYY-MM';
  const { rows } = await sql<{ period: string; micro: bigint; ms: bigint }>`
    select to_char(d.day, ${form}) as period, sum(d.micro)::bigint as micro, sum(d.ms)::bigint as ms
    from usage_day d where ${inSpan(span)} group by 1 order by 1`.execute(db);
  return rows;
}

/** Usage by workshop or spec, the costliest first; `name` is null for a spec, which the catalogue names. */
export async function selectGroups(
  db: Db,
  span: BillSpan,
  group: (typeof billGroups)[number],
): Promise<{ groupId: string; name: string | null; micro: bigint; ms: bigint; sessions: number }[]> {
  const key = group === 'workshop' ? sql`w.id::text` : sql`s.spec_id`;
  const name = group === 'workshop' ? sql`min(w.name)` : sql`null::text`;
  const { rows } = await sql<{ groupId: string; name: string | null; micro: bigint; ms: bigint; sessions: number }>`
    select ${key} as group_id, ${name} as name, sum(d.micro)::bigint as micro, sum(d.ms)::bigint as ms, count(distinct d.session_id)::int as sessions
    from usage_day d join workshop w on w.id = d.workshop_id join lab_session s on s.id = d.session_id
    where ${inSpan(span)} group by 1 order by micro desc, 1 limit 200`.execute(db);
  return rows;
}

export interface BilledSession {
  workshopName: string;
  specId: string;
  startedAt: Date | null;
  endedAt: Date | null;
  chargedMicro: bigint;
  segments: number;
  /** Floor of rate × observed time, for each stretch at one price. */
  recomputedMicro: bigint;
}

/** A session of the member's with what its segments come to; undefined for anybody else's. */
export async function selectSession(db: Db, memberId: string, sessionId: string): Promise<BilledSession | undefined> {
  const { rows } = await sql<BilledSession>`
    select w.name as workshop_name, s.spec_id, s.started_at, s.ended_at, s.charged_micro, s.segment_seq as segments,
      coalesce((select sum(floor(rate * ms / 3600000)) from (
        select u.rate_micro_per_hour::numeric as rate, sum(extract(epoch from u.to_at - u.from_at) * 1000) as ms
        from usage_segment u where u.session_id = s.id group by u.rate_micro_per_hour, u.price_version) stretch), 0)::bigint as recomputed_micro
    from lab_session s join workshop w on w.id = s.workshop_id
    where s.id = ${sessionId}::uuid and s.member_id = ${memberId}::uuid`.execute(db);
  return rows[0];
}

export interface SegmentRow {
  seq: number;
  fromAt: Date;
  toAt: Date;
  rateMicroPerHour: bigint;
  micro: bigint;
}

export function selectSegments(
  db: Db,
  sessionId: string,
  { offset, size }: { offset: number; size: number },
): Promise<SegmentRow[]> {
  return db
    .selectFrom('usageSegment')
    .select(['seq', 'fromAt', 'toAt', 'rateMicroPerHour', 'micro'])
    .where('sessionId', '=', sessionId)
    .where('seq', '>', offset)
    .orderBy('seq')
    .limit(size)
    .execute();
}
