import type { Db } from '../../db/client';
import {
  selectClicks,
  selectDays,
  selectErrors,
  selectOrigins,
  selectRoutes,
  selectTimings,
  selectTotals,
} from './trackReport.repository';

export type TrackReport = Awaited<ReturnType<typeof getTrackReport>>;

/** What visits told in the last so many days, today counted as one; days are UTC. It changes nothing. */
export async function getTrackReport(db: Db, days: number) {
  const { from, to, ...totals } = await selectTotals(db, days);
  return {
    from,
    to,
    totals,
    days: await selectDays(db, days),
    routes: await selectRoutes(db, days),
    clicks: await selectClicks(db, days),
    errors: await selectErrors(db, days),
    origins: await selectOrigins(db, days),
    timings: await selectTimings(db, days),
  };
}
