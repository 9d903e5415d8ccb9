import { type Insertable, sql } from 'kysely';
import { type Db, planKept, type Tx } from '../../db/client';
import type { AuditEntryTable } from '../../db/schemaAudit';

export async function insertEntry(db: Db | Tx, entry: Omit<Insertable<AuditEntryTable>, 'at'>): Promise<void> {
  await sql`${planKept}
    insert into audit_entry (id, actor_kind, actor, action, subject, result, code, ip, user_agent, trace_id, note)
    values (${entry.id}, ${entry.actorKind}, ${entry.actor}, ${entry.action}, ${entry.subject}, ${entry.result}, ${entry.code},
      ${entry.ip}, ${entry.userAgent}, ${entry.traceId}, ${entry.note})`.execute(db);
}
