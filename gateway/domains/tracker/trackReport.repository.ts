import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../db/client';

/** The longest list of a report; what is beyond it is in its totals. */
const MOST_ROWS = 20;

/** The events of the report: from midnight UTC so many days ago, today counted as one. */
const since = (days: number) =>
  sql`(date_trunc('day', app_now() at time zone 'UTC') at time zone 'UTC') - make_interval(days => ${days - 1})`;

async function rowsOf<T>(db: Db, query: RawBuilder<T>): Promise<T[]> {
  return (await query.execute(db)).rows;
}

const counts = sql`
  count(*) filter (where kind = 'pageView')::int as page_views,
  count(distinct visit_id)::int as visits,
  count(distinct visit_id) filter (where is_signed_in)::int as signed_in_visits,
  count(*) filter (where kind = 'click')::int as clicks,
  count(*) filter (where kind = 'error')::int as errors`;

export interface Counts {
  pageViews: number;
  visits: number;
  signedInVisits: number;
  clicks: number;
  errors: number;
}

export async function selectTotals(db: Db, days: number): Promise<Counts & { from: string; to: string }> {
  const [totals] = await rowsOf(
    db,
    sql<Counts & { from: string; to: string }>`
      select ${counts}, to_char(${since(days)}, 'YYYY-MM-DD') as "from", to_char(app_now(), 'YYYY-MM-DD') as "to"
      from tracker_event where at >= ${since(days)}`,
  );
  if (!totals) throw new Error('a sum over no rows is a row');
  return totals;
}

/** Every day, also those on which nothing happened. */
export function selectDays(db: Db, days: number) {
  return rowsOf(
    db,
    sql<Counts & { day: string }>`
      select to_char(d.day, 'YYYY-MM-DD') as day, ${counts}
      from generate_series(${since(days)}, app_now(), interval '1 day') as d(day)
      left join tracker_event on at >= d.day and at < d.day + interval '1 day'
      group by d.day order by d.day`,
  );
}

export function selectRoutes(db: Db, days: number) {
  return rowsOf(
    db,
    sql<{ route: string; pageViews: number; visits: number }>`
      select route, count(*)::int as page_views, count(distinct visit_id)::int as visits
      from tracker_event where at >= ${since(days)} and kind = 'pageView'
      group by route order by page_views desc, route limit ${MOST_ROWS}`,
  );
}

export function selectClicks(db: Db, days: number) {
  return rowsOf(
    db,
    sql<{ element: string; route: string; clicks: number; visits: number }>`
      select element, route, count(*)::int as clicks, count(distinct visit_id)::int as visits
      from tracker_event where at >= ${since(days)} and kind = 'click'
      group by element, route order by clicks desc, element, route limit ${MOST_ROWS}`,
  );
}

export function selectErrors(db: Db, days: number) {
  return rowsOf(
    db,
    sql<{ errorType: string; place: string; route: string; times: number; visits: number }>`
      select error_type, concat_ws(':', file, line, "column") as place, route, count(*)::int as times,
        count(distinct visit_id)::int as visits
      from tracker_event where at >= ${since(days)} and kind = 'error'
      group by error_type, place, route order by times desc, error_type, place, route limit ${MOST_ROWS}`,
  );
}

export function selectOrigins(db: Db, days: number) {
  return rowsOf(
    db,
    sql<{ source: string | null; eventCode: string | null; visits: number; pageViews: number }>`
      select source, event_code, count(distinct visit_id)::int as visits,
        count(*) filter (where kind = 'pageView')::int as page_views
      from tracker_event where at >= ${since(days)} and num_nonnulls(source, event_code) > 0
      group by source, event_code order by visits desc, source, event_code limit ${MOST_ROWS}`,
  );
}

/** Empty unless performance tracking is switched on. */
export function selectTimings(db: Db, days: number) {
  return rowsOf(
    db,
    sql<{ timing: string; loads: number; medianMs: number; slowestTenthMs: number }>`
      select timing, count(*)::int as loads,
        percentile_disc(0.5) within group (order by duration_ms) as median_ms,
        percentile_disc(0.9) within group (order by duration_ms) as slowest_tenth_ms
      from tracker_event where at >= ${since(days)} and kind = 'timing' group by timing order by median_ms`,
  );
}
