import type { Insertable } from 'kysely';
import type { Db, Tx } from '../../db/client';
import type { AuditEntryTable } from '../../db/schemaAudit';

export async function insertEntry(db: Db | Tx, entry: Insertable<AuditEntryTable>): Promise<void> {
  await db.insertInto('auditEntry').values(entry).execute();
}
