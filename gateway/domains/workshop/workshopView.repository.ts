import { type RawBuilder, sql } from 'kysely';
import type { StopReason, WorkshopState } from '../../contract/workshopStates';
import { type Db, planKept, type Tx } from '../../db/client';
import type { Progress } from '../../db/schemaLab';

/** A workshop with its open and its last session, as one row. */
export interface WorkshopRow {
  id: string;
  name: string;
  state: WorkshopState;
  stateReason: string;
  stateChangedAt: Date;
  specId: string;
  imageId: string;
  maxHours: number | null;
  idleMinutes: number | null;
  env: Record<string, string>;
  network: 'none' | 'egress';
  hasHome: boolean;
  engineInstanceId: string;
  failureCode: string | null;
  isRetryable: boolean | null;
  createdAt: Date;
  now: Date;
  openId: string | null;
  openRef: string | null;
  openQueuedAt: Date | null;
  openStartedAt: Date | null;
  openObservedMs: bigint | null;
  openRateMicroPerHour: bigint | null;
  openMicro: bigint | null;
  openExtendedMs: bigint | null;
  openActiveAt: Date | null;
  openProgress: Progress | null;
  lastId: string | null;
  lastStartedAt: Date | null;
  lastEndedAt: Date | null;
  lastObservedMs: bigint | null;
  lastMicro: bigint | null;
  lastStopReason: StopReason | null;
  lastExitCode: number | null;
  lastHasOutput: boolean | null;
  lastSpecId: string | null;
  lastCpuP95Percent: number | null;
  lastMemoryPeakBytes: bigint | null;
  totalMicro: bigint;
  cpuTrend: number[] | null;
}

export interface WorkshopFilter {
  keyword?: string | undefined;
  state?: WorkshopState | undefined;
  specId?: string | undefined;
}

export interface PageAsk extends WorkshopFilter {
  memberId: string;
  sortField: 'createdAt' | 'name' | 'stateChangedAt';
  sortOrder: 'ascend' | 'descend';
  limit: number;
  offset: number;
}

const sortColumns = { createdAt: 'created_at', name: 'lower(name)', stateChangedAt: 'state_changed_at' } as const;

/** One page and the number of all that match, in one statement. */
export async function pageWorkshopRows(db: Db | Tx, ask: PageAsk): Promise<{ rows: WorkshopRow[]; total: number }> {
  const order = sql.raw(`${sortColumns[ask.sortField]} ${ask.sortOrder === 'ascend' ? 'asc' : 'desc'}, id desc`);
  // What the page asks again and again while labs run.
  const isPlanKept = [ask.keyword, ask.state, ask.specId].every((filter) => filter === undefined);
  const { rows } = await viewOf(sql`${ownedBy(ask.memberId)} ${matching(ask)}`, order, { ...ask, isPlanKept }).execute(db);
  return { rows: rows.filter(isWorkshop), total: Number(rows[0]?.total ?? 0) };
}

/** One workshop of a member; a deleted or foreign one is undefined like a missing one. */
export async function findWorkshopRow(db: Db | Tx, memberId: string, workshopId: string): Promise<WorkshopRow | undefined> {
  const mine = sql`${ownedBy(memberId)} and id = ${workshopId}`;
  const { rows } = await viewOf(mine, sql`id`, { limit: 1, offset: 0, isPlanKept: true }).execute(db);
  return rows.find(isWorkshop);
}

type CountedRow = (WorkshopRow | { [K in keyof WorkshopRow]: null }) & { total: bigint };

function isWorkshop(row: CountedRow): row is WorkshopRow & { total: bigint } {
  return row.id !== null;
}

function ownedBy(memberId: string): RawBuilder<unknown> {
  return sql`member_id = ${memberId} and state <> 'DELETED'`;
}

function matching({ keyword, state, specId }: WorkshopFilter): RawBuilder<unknown> {
  const pattern = keyword?.trim()
    ? `%${keyword
        .trim()
        .normalize('NFC')
        .replace(/[\\%_]/g, '\\$&')}%`
    : null;
  return sql`${pattern === null ? sql`` : sql`and name ilike ${pattern}`}
    ${state === undefined ? sql`` : sql`and state = ${state}`}
    ${specId === undefined ? sql`` : sql`and spec_id = ${specId}`}`;
}

/**
 * The count stands beside a left join, so that a page beyond the end still says how many there are. `app_now()` stands in a
 * sub-select where it bounds an index, because it is volatile.
 */
function viewOf(
  where: RawBuilder<unknown>,
  order: RawBuilder<unknown>,
  { isPlanKept, ...paging }: { limit: number; offset: number; isPlanKept: boolean },
) {
  return sql<CountedRow>`${isPlanKept ? planKept : sql``}
    with mine as materialized (select * from workshop where ${where}),
    shown as (select * from mine order by ${order} limit ${paging.limit} offset ${paging.offset})
    select counted.total, app_now() as now,
      shown.id, shown.name, shown.state, shown.state_reason, shown.state_changed_at, shown.spec_id, shown.image_id, shown.max_hours,
      shown.idle_minutes, shown.env, shown.network, shown.engine_instance_id, shown.failure_code, shown.is_retryable, shown.created_at,
      open.*, last.*, coalesce(cost.total_micro, 0)::bigint as total_micro, trend.cpu_trend,
      coalesce(cost.has_run, false) or shown.home_filled_at is not null or shown.disk_bytes > 0 as has_home
    from (select count(*) as total from mine) counted
    left join shown on true
    left join lateral (
      select s.id as open_id, s.engine_ref as open_ref, s.queued_at as open_queued_at, s.started_at as open_started_at,
        s.observed_ms as open_observed_ms, s.rate_micro_per_hour as open_rate_micro_per_hour, ${costOf('s')} as open_micro,
        s.extended_ms as open_extended_ms, s.active_at as open_active_at, s.progress as open_progress
      from lab_session s where s.workshop_id = shown.id and s.ended_at is null
    ) open on true
    left join lateral (
      select s.id as last_id, s.started_at as last_started_at, s.ended_at as last_ended_at, s.observed_ms as last_observed_ms,
        s.charged_micro as last_micro, s.stop_reason as last_stop_reason, s.exit_code as last_exit_code,
        s.spec_id as last_spec_id, s.cpu_p95_percent as last_cpu_p95_percent, s.memory_peak_bytes as last_memory_peak_bytes,
        exists (select from lab_output o where o.session_id = s.id) as last_has_output
      from lab_session s where s.workshop_id = shown.id and s.ended_at is not null order by s.queued_at desc limit 1
    ) last on true
    left join lateral (
      select sum(case when s.ended_at is null then ${costOf('s')} else s.charged_micro end) as total_micro,
        bool_or(s.started_at is not null) as has_run
      from lab_session s where s.workshop_id = shown.id
    ) cost on true
    left join lateral (
      select array_agg(m.cpu_percent order by m.at) as cpu_trend from (
        select at, cpu_percent from lab_metric
        where workshop_id = shown.id and at > (select app_now() - interval '5 minutes') order by at desc limit 60
      ) m
    ) trend on true
    order by ${order}`;
}

function costOf(alias: string): RawBuilder<bigint> {
  return sql.raw(
    `lab_cost_micro(${alias}.rate_micro_per_hour, ${alias}.rate_base_ms, ${alias}.rate_base_micro, ${alias}.observed_ms)`,
  );
}

/** How many of the member's workshops are in each state and on each spec. */
export async function countByFilter(db: Db, memberId: string): Promise<{ state: WorkshopState; specId: string; count: number }[]> {
  const { rows } = await sql<{ state: WorkshopState; specId: string; count: number }>`
    select state, spec_id, count(*)::int as count from workshop where ${ownedBy(memberId)} group by state, spec_id
  `.execute(db);
  return rows;
}

export interface EventRow {
  id: string;
  at: Date;
  fromState: WorkshopState | null;
  toState: WorkshopState;
  reason: string;
  actor: 'member' | 'system' | 'operator';
  evidence: Record<string, string | number>;
  sessionId: string | null;
}

/** The timeline, newest first; undefined for a workshop that is not the member's. */
export async function pageEvents(
  db: Db,
  ask: { memberId: string; workshopId: string; limit: number; offset: number },
): Promise<{ rows: EventRow[]; total: number } | undefined> {
  const { rows } = await sql<(EventRow | { [K in keyof EventRow]: null }) & { total: bigint }>`
    with mine as (select id from workshop where ${ownedBy(ask.memberId)} and id = ${ask.workshopId})
    select counted.total, e.* from mine
    cross join lateral (select count(*) as total from workshop_event where workshop_id = mine.id) counted
    left join lateral (
      select id, at, from_state, to_state, reason, actor, evidence, session_id from workshop_event
      where workshop_id = mine.id order by at desc, id desc limit ${ask.limit} offset ${ask.offset}
    ) e on true
    order by e.at desc, e.id desc`.execute(db);
  if (rows.length === 0) return undefined;
  return { rows: rows.filter((row): row is EventRow & { total: bigint } => row.id !== null), total: Number(rows[0]?.total ?? 0) };
}
