import { sql } from 'kysely';
import type { Db } from '../../db/client';

/** A run whose output is asked for. */
export interface RunOutput {
  sessionId: string;
  engineRef: string | null;
  engineInstanceId: string;
  startedAt: Date | null;
  endedAt: Date | null;
  tail: Buffer | null;
  isCut: boolean | null;
}

/** The run named, or the member's present or last run of the workshop; undefined like a missing one where it is another's or taken away. */
export async function findRunOutput(
  db: Db,
  ask: { memberId: string; workshopId: string; sessionId?: string | undefined },
): Promise<RunOutput | undefined> {
  const asked = ask.sessionId === undefined ? sql`s.workshop_id = ${ask.workshopId}` : sql`s.id = ${ask.sessionId}`;
  const { rows } = await sql<RunOutput>`
    select s.id as session_id, s.engine_ref, s.engine_instance_id, s.started_at, s.ended_at, o.tail, o.is_cut
    from lab_session s left join lab_output o on o.session_id = s.id
    where ${asked} and s.member_id = ${ask.memberId} and s.hidden_at is null order by s.queued_at desc limit 1`.execute(db);
  return rows[0];
}

export async function insertOutput(db: Db, output: { sessionId: string; tail: Buffer; isCut: boolean }): Promise<void> {
  await db
    .insertInto('labOutput')
    .values(output)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Keeps what a run used, from its samples, where there are enough to say anything. */
export async function updateUsed(
  db: Db,
  sessionId: string,
  { cpuCores, leastSamples }: { cpuCores: number; leastSamples: number },
): Promise<void> {
  await sql`
    update lab_session s set cpu_p95_percent = round((used.p95 * ${cpuCores}::float8)::numeric, 1), memory_peak_bytes = used.peak
    from (select count(*) as samples, percentile_cont(0.95) within group (order by cpu_percent) as p95, max(memory_bytes) as peak
      from lab_metric m join lab_session o on o.id = m.session_id where o.id = ${sessionId} and m.at >= o.queued_at) used
    where s.id = ${sessionId} and used.samples >= ${leastSamples}`.execute(db);
}
