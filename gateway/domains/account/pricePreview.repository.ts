import { sql } from 'kysely';
import type { Db } from '../../db/client';

/** What one lab session used in a span of days, and what it was charged for it. */
export interface SessionUsage {
  memberId: string;
  username: string;
  specId: string;
  ms: bigint;
  micro: bigint;
}

/** Usage of every session on a range of days of the billing time zone, both counted in, by member and spec. */
export async function selectUsageOf(db: Db, { from, to }: { from: string; to: string }): Promise<SessionUsage[]> {
  const { rows } = await sql<SessionUsage>`
    select d.member_id, m.username, s.spec_id, sum(d.ms)::bigint as ms, sum(d.micro)::bigint as micro
    from usage_day d join lab_session s on s.id = d.session_id join member m on m.id = d.member_id
    where d.day between ${from}::date and ${to}::date
    group by d.member_id, m.username, s.spec_id order by d.member_id, s.spec_id`.execute(db);
  return rows;
}
