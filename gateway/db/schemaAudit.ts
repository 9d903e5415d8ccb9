import type { Generated } from 'kysely';

/** Append-only: the database refuses every other change. */
export interface AuditEntryTable {
  id: string;
  at: Generated<Date>;
  actorKind: 'member' | 'visitor' | 'operator';
  actor: string | null;
  action: string;
  subject: string | null;
  result: string;
  code: number;
  ip: string | null;
  userAgent: string | null;
  traceId: string | null;
  note: string | null;
}
