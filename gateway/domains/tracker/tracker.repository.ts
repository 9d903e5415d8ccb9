import { sql } from 'kysely';
import type { Db } from '../../db/client';
import type { TrackedBatch } from './tracker.rules';

/** Keeps a batch, in one statement. */
export async function insertBatch(db: Db, batch: TrackedBatch, isSignedIn: boolean): Promise<void> {
  const { visitId, source, eventCode, events } = batch;
  const visit = { visitId, isSignedIn, source: source ?? null, eventCode: eventCode ?? null };
  await db
    .insertInto('trackerEvent')
    .values(
      events.map(({ agoMs, ...event }) => ({
        ...visit,
        at: sql<Date>`app_now() - make_interval(secs => ${agoMs / 1000})`,
        kind: event.kind,
        route: event.route,
        element: event.element ?? null,
        errorType: event.errorType ?? null,
        file: event.file ?? null,
        line: event.line ?? null,
        column: event.column ?? null,
        timing: event.timing ?? null,
        durationMs: event.durationMs ?? null,
      })),
    )
    .execute();
}

/** Removes what is older than so many days; returns how many events. */
export async function deleteOldEvents(db: Db, days: number): Promise<number> {
  const deleted = await db
    .deleteFrom('trackerEvent')
    .where('at', '<', sql<Date>`app_now() - make_interval(days => ${days})`)
    .executeTakeFirst();
  return Number(deleted.numDeletedRows);
}
