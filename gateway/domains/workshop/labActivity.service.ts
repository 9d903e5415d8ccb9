import { sql } from 'kysely';
import type { Db } from '../../db/client';

export type LabActivityService = ReturnType<typeof createLabActivityService>;

/** When labs were last in use: what the idle limit counts from. Each who sees use says so; it is written once a minute. */
export function createLabActivityService({ db }: { db: Db }) {
  return {
    /** The present runs of these workshops are in use; those without one are passed over. */
    async noteUse(workshopIds: readonly string[]): Promise<void> {
      if (workshopIds.length === 0) return;
      await sql`
        with used as (
          select s.id from lab_session s where s.workshop_id = any(${[...new Set(workshopIds)]}::uuid[]) and s.ended_at is null
            and (s.active_at is null or s.active_at < (select app_now()) - interval '1 minute') order by s.id for update)
        update lab_session s set active_at = app_now() from used where s.id = used.id`.execute(db);
    },
  };
}
