import { type RawBuilder, sql } from 'kysely';
import type { StopReason } from '../../contract/workshopStates';
import type { Db, Tx } from '../../db/client';
import type { RunSetup } from '../../db/schemaLab';

/** A run as the list shows it. */
export interface RunRow {
  sessionId: string;
  workshopId: string;
  workshopName: string;
  isWorkshopThere: boolean;
  specId: string;
  imageId: string;
  setup: RunSetup;
  queuedAt: Date;
  startedAt: Date | null;
  endedAt: Date | null;
  stopReason: StopReason | null;
  exitCode: number | null;
  observedMs: bigint;
  rateMicroPerHour: bigint;
  costMicro: bigint;
  hasOutput: boolean;
  cpuP95Percent: number | null;
  memoryPeakBytes: bigint | null;
}

export interface RunFilter {
  memberId: string;
  keyword?: string | undefined;
  state?: 'OPEN' | 'ENDED' | undefined;
  stopReason?: StopReason | undefined;
  specId?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

export interface RunPageAsk extends RunFilter {
  sortField: 'startedAt' | 'costDcu' | 'runningMs';
  sortOrder: 'ascend' | 'descend';
  limit: number;
  offset: number;
}

const costMicro = sql`case when s.ended_at is null
  then lab_cost_micro(s.rate_micro_per_hour, s.rate_base_ms, s.rate_base_micro, s.observed_ms) else s.charged_micro end`;
/** By when it was asked for: runs start in that order, and those that never did have their place too. */
const sorts: Readonly<Record<RunPageAsk['sortField'], RawBuilder<unknown>>> = {
  startedAt: sql`s.queued_at`,
  costDcu: costMicro,
  runningMs: sql`s.observed_ms`,
};

/** The words of the index `lab_session_member`, and the filters. */
function matching(ask: RunFilter): RawBuilder<unknown> {
  const keyword = ask.keyword
    ?.trim()
    .normalize('NFC')
    .replace(/[\\%_]/g, '\\$&');
  const conditions = [
    sql`s.member_id = ${ask.memberId} and s.hidden_at is null`,
    ...(keyword
      ? [sql`s.workshop_id in (select w.id from workshop w where w.member_id = ${ask.memberId} and w.name ilike ${`%${keyword}%`})`]
      : []),
    ...(ask.state === undefined ? [] : [ask.state === 'OPEN' ? sql`s.ended_at is null` : sql`s.ended_at is not null`]),
    ...(ask.stopReason === undefined ? [] : [sql`s.stop_reason = ${ask.stopReason}`]),
    ...(ask.specId === undefined ? [] : [sql`s.spec_id = ${ask.specId}`]),
    ...(ask.from === undefined ? [] : [sql`s.queued_at >= ${ask.from}`]),
    ...(ask.to === undefined ? [] : [sql`s.queued_at < ${ask.to}`]),
  ];
  return sql.join(conditions, sql` and `);
}

/**
 * One page of the member's runs and the number of all that match, in one statement. The page is cut from ids alone, which the index
 * has by itself; what is shown is looked up for the few that are on it.
 */
export async function pageRuns(db: Db, ask: RunPageAsk): Promise<{ rows: RunRow[]; total: number }> {
  const direction = sql.raw(ask.sortOrder === 'ascend' ? 'asc' : 'desc');
  const order = sql`${sorts[ask.sortField]} ${direction}, s.id ${direction}`;
  const where = matching(ask);
  const { rows } = await sql<(RunRow | { [K in keyof RunRow]: null }) & { total: bigint }>`
    with shown as materialized (select s.id from lab_session s where ${where} order by ${order} limit ${ask.limit} offset ${ask.offset})
    select counted.total, s.id as session_id, s.workshop_id, w.name as workshop_name, w.state <> 'DELETED' as is_workshop_there,
      s.spec_id, s.image_id, s.setup, s.queued_at, s.started_at, s.ended_at, s.stop_reason, s.exit_code, s.observed_ms,
      s.rate_micro_per_hour, ${costMicro} as cost_micro, s.cpu_p95_percent, s.memory_peak_bytes,
      exists (select from lab_output o where o.session_id = s.id) as has_output
    from (select count(*) as total from lab_session s where ${where}) counted
    left join shown on true left join lab_session s on s.id = shown.id left join workshop w on w.id = s.workshop_id
    order by ${order}`.execute(db);
  return {
    rows: rows.filter((row): row is RunRow & { total: bigint } => row.sessionId !== null),
    total: Number(rows[0]?.total ?? 0),
  };
}

export interface RunCount {
  isOpen: boolean;
  stopReason: StopReason | null;
  specId: string;
  count: number;
}

/** How many runs there are of each kind the filters tell apart. */
export async function countRuns(db: Db, memberId: string): Promise<RunCount[]> {
  const { rows } = await sql<RunCount>`
    select ended_at is null as is_open, stop_reason, spec_id, count(*)::int as count from lab_session s
    where ${matching({ memberId })} group by 1, 2, 3`.execute(db);
  return rows;
}

/** What of a run is copied. */
export async function findRunToCopy(
  reader: Db | Tx,
  memberId: string,
  sessionId: string,
): Promise<{ workshopName: string; specId: string; imageId: string; setup: RunSetup } | undefined> {
  return reader
    .selectFrom('labSession')
    .innerJoin('workshop', 'workshop.id', 'labSession.workshopId')
    .select(['workshop.name as workshopName', 'labSession.specId', 'labSession.imageId', 'labSession.setup'])
    .where('labSession.id', '=', sessionId)
    .where('labSession.memberId', '=', memberId)
    .where('labSession.hiddenAt', 'is', null)
    .executeTakeFirst();
}

/** The run's end under its lock, null while it goes on; undefined for another's and one taken away already. */
export async function lockRun(tx: Tx, memberId: string, sessionId: string): Promise<{ endedAt: Date | null } | undefined> {
  return tx
    .selectFrom('labSession')
    .select('endedAt')
    .where('id', '=', sessionId)
    .where('memberId', '=', memberId)
    .where('hiddenAt', 'is', null)
    .forUpdate()
    .executeTakeFirst();
}

export async function hideRun(tx: Tx, sessionId: string): Promise<void> {
  await tx.updateTable('labSession').set({ hiddenAt: sql<Date>`app_now()` }).where('id', '=', sessionId).execute();
}
