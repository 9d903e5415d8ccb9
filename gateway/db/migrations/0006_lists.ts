import { type Kysely, sql } from 'kysely';

/** A workshop's charges in the order of the books, so that its changes are paged and counted in an index alone. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index usage_segment_workshop on usage_segment (workshop_id, tx_id) where tx_id is not null`.execute(db);
}
