import type { FastifyBaseLogger } from 'fastify';
import type { Db } from '../db/client';
import { dropOldPartitions, ensurePartitions } from '../db/partitions';
import { EVENT_DAYS, type TrackerService } from '../domains/tracker/tracker.service';
import type { WorkshopTerminalService } from '../domains/workshop/workshopTerminal.service';
import { createLoop, type Loop } from './loop';

const EVERY_MS = 6 * 3_600_000;
/** How long samples are kept; events are kept for good. */
const METRIC_DAYS = 90;

/** How long it can be asked who did what: a year and a month. */
const AUDIT_DAYS = 400;

/** Makes the partitions of the months to come and drops what nobody looks at any more. */
export function createEnsurePartitionsLoop({
  db,
  workshopTerminals,
  tracker,
  log,
}: {
  db: Db;
  tracker: TrackerService;
  workshopTerminals: WorkshopTerminalService;
  log: FastifyBaseLogger;
}): Loop<void> {
  return createLoop({
    name: 'ensurePartitions',
    everyMs: EVERY_MS,
    log,
    run: async () => {
      await ensurePartitions(db);
      const dropped = [
        ...(await dropOldPartitions(db, 'lab_metric', METRIC_DAYS)),
        ...(await dropOldPartitions(db, 'tracker_event', EVENT_DAYS)),
        ...(await dropOldPartitions(db, 'audit_entry', AUDIT_DAYS)),
      ];
      if (dropped.length > 0) log.info({ dropped }, 'old samples were dropped');
      await tracker.deleteForgotten();
      await workshopTerminals.deleteExpiredTickets();
    },
  });
}
