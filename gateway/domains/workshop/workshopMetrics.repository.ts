import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../db/client';

export interface Sample {
  sessionId: string;
  cpuPercent: number;
  memoryBytes: number;
  diskBytes: number | null;
  rxBytesPerSecond: number | null;
  txBytesPerSecond: number | null;
}

/** The running labs of one engine instance, to be sampled. */
export async function listRunningLabs(
  db: Db,
  engineInstanceId: string,
): Promise<{ sessionId: string; workshopId: string; engineRef: string; specId: string }[]> {
  const { rows } = await sql<{ sessionId: string; workshopId: string; engineRef: string; specId: string }>`
    select s.id as session_id, w.id as workshop_id, s.engine_ref, s.spec_id from workshop w
    join lab_session s on s.workshop_id = w.id and s.ended_at is null
    where w.engine_instance_id = ${engineInstanceId} and w.state = 'RUNNING'
      and s.engine_ref is not null`.execute(db);
  return rows;
}

/** Writes one look at every lab in one statement, each with what its session has cost so far. */
export async function insertSamples(db: Db, samples: readonly Sample[]): Promise<void> {
  if (samples.length === 0) return;
  const column = <T>(pick: (sample: Sample) => T) => samples.map(pick);
  await sql`
    insert into lab_metric (session_id, workshop_id, at, cpu_percent, memory_bytes, disk_bytes, rx_bytes_per_second, tx_bytes_per_second, cost_micro)
    select s.id, s.workshop_id, app_now(), v.cpu_percent, v.memory_bytes, v.disk_bytes, v.rx, v.tx,
      lab_cost_micro(s.rate_micro_per_hour, s.rate_base_ms, s.rate_base_micro, s.observed_ms)
    from unnest(
      ${column((sample) => sample.sessionId)}::uuid[], ${column((sample) => sample.cpuPercent)}::real[],
      ${column((sample) => sample.memoryBytes)}::bigint[], ${column((sample) => sample.diskBytes)}::bigint[],
      ${column((sample) => sample.rxBytesPerSecond)}::bigint[], ${column((sample) => sample.txBytesPerSecond)}::bigint[]
    ) v(session_id, cpu_percent, memory_bytes, disk_bytes, rx, tx)
    join lab_session s on s.id = v.session_id where s.ended_at is null
    on conflict do nothing`.execute(db);
}

/** Keeps what homes hold as last seen; a home that holds what it held is not written. */
export async function updateDiskBytes(db: Db, homes: readonly { workshopId: string; diskBytes: number }[]): Promise<void> {
  if (homes.length === 0) return;
  await sql`
    update workshop w set disk_bytes = v.bytes
    from unnest(${homes.map((home) => home.workshopId)}::uuid[], ${homes.map((home) => home.diskBytes)}::bigint[]) v (workshop_id, bytes)
    where w.id = v.workshop_id and w.disk_bytes <> v.bytes`.execute(db);
}

export interface Bucket {
  at: Date;
  cpuPercent: number | null;
  memoryBytes: number | null;
  diskBytes: number | null;
  rxBytesPerSecond: number | null;
  txBytesPerSecond: number | null;
  costMicro: bigint | null;
}

/** A series of `count` buckets of `stepSeconds` up to now, oldest first; a bucket without samples holds nulls. */
export async function readSeries(
  db: Db,
  workshopId: string,
  { count, stepSeconds }: { count: number; stepSeconds: number },
): Promise<Bucket[]> {
  // Whole steps since the epoch, so that a bucket keeps its place from one poll to the next.
  const fromAt = sql`to_timestamp((floor(extract(epoch from app_now()) / ${stepSeconds}) + 1 - ${count}) * ${stepSeconds})`;
  return readBuckets(db, { where: sql`m.workshop_id = ${workshopId}`, fromAt, toAt: sql`app_now()`, count, stepSeconds });
}

/** A run of the member, as its series need it; undefined like a missing one where it is another's. */
export async function findRun(db: Db, memberId: string, sessionId: string): Promise<RunSpan | undefined> {
  const { rows } = await sql<RunSpan>`
    select id as session_id, spec_id, coalesce(started_at, queued_at) as from_at, coalesce(ended_at, app_now()) as to_at
    from lab_session where id = ${sessionId} and member_id = ${memberId} and hidden_at is null`.execute(db);
  return rows[0];
}

export interface RunSpan {
  sessionId: string;
  specId: string;
  fromAt: Date;
  toAt: Date;
}

const MOST_BUCKETS = 240;
const LEAST_STEP_SECONDS = 5;

/** The whole life of one run, in at most 240 buckets that are never finer than the sampling. */
export async function readRunSeries(db: Db, { sessionId, fromAt, toAt }: RunSpan): Promise<Bucket[]> {
  const lastedSeconds = Math.max(1, (toAt.getTime() - fromAt.getTime()) / 1000);
  const stepSeconds = Math.max(LEAST_STEP_SECONDS, Math.ceil(lastedSeconds / MOST_BUCKETS));
  const count = Math.ceil(lastedSeconds / stepSeconds);
  const span = { fromAt: sql`${fromAt}::timestamptz`, toAt: sql`${toAt}::timestamptz` };
  return readBuckets(db, { where: sql`m.session_id = ${sessionId}`, ...span, count, stepSeconds });
}

async function readBuckets(
  db: Db,
  {
    where,
    fromAt,
    toAt,
    count,
    stepSeconds,
  }: Record<'where' | 'fromAt' | 'toAt', RawBuilder<unknown>> & { count: number; stepSeconds: number },
): Promise<Bucket[]> {
  const { rows } = await sql<Bucket>`
    with span as (select ${fromAt} as from_at),
    sampled as (
      select least(floor(extract(epoch from m.at - span.from_at) / ${stepSeconds}), ${count} - 1)::int as bucket,
        avg(m.cpu_percent)::float8 as cpu_percent, avg(m.memory_bytes)::float8 as memory_bytes, max(m.disk_bytes)::float8 as disk_bytes,
        avg(m.rx_bytes_per_second)::float8 as rx_bytes_per_second, avg(m.tx_bytes_per_second)::float8 as tx_bytes_per_second,
        max(m.cost_micro) as cost_micro
      from lab_metric m, span where ${where} and m.at >= span.from_at and m.at <= ${toAt} group by 1
    )
    select span.from_at + bucket * ${stepSeconds} * interval '1 second' as at, cpu_percent, memory_bytes, disk_bytes,
      rx_bytes_per_second, tx_bytes_per_second, cost_micro
    from span cross join generate_series(0, ${count}::int - 1) bucket left join sampled using (bucket) order by bucket
  `.execute(db);
  return rows;
}

export interface Totals {
  running: number;
  stopped: number;
  monthMs: bigint;
  monthMicro: bigint;
}

/** A member's workshops by what they do, and this month's run time and cost: closed segments and what is open. */
export async function readTotals(db: Db, memberId: string): Promise<Totals> {
  const { rows } = await sql<Totals>`
    with month as (select date_trunc('month', app_now(), 'UTC') as from_at),
    closed as (
      select coalesce(sum(extract(epoch from to_at - greatest(from_at, month_from)) * 1000), 0)::bigint as ms,
        coalesce(sum(micro), 0)::bigint as micro
      from (select s.*, month.from_at as month_from from usage_segment s, month 
        -- A segment is closed hourly, so a day before the month is far enough to look for one that reaches into it.
        where s.member_id = ${memberId} and s.to_at > month.from_at and s.from_at > month.from_at - interval '1 day') s
    ),
    open as (
      select coalesce(sum(observed_ms - segment_from_ms), 0)::bigint as ms,
        coalesce(sum(lab_cost_micro(rate_micro_per_hour, rate_base_ms, rate_base_micro, observed_ms) - charged_micro), 0)::bigint as micro
      from lab_session where member_id = ${memberId} and ended_at is null
    ),
    counted as (
      select count(*) filter (where state = 'RUNNING')::int as running, count(*) filter (where state in ('STOPPED','FAILED'))::int as stopped
      from workshop where member_id = ${memberId} and state <> 'DELETED'
    )
    select counted.running, counted.stopped, closed.ms + open.ms as month_ms, closed.micro + open.micro as month_micro
    from counted, closed, open`.execute(db);
  const row = rows[0];
  if (!row) throw new Error('the totals of a member are always one row');
  return row;
}
