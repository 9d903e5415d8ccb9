import { v7 as uuidv7 } from 'uuid';
import { type ErrorName, errors } from '../../contract/errors';
import type { Db, Tx } from '../../db/client';
import { insertEntry } from './audit.repository';
import { keptText } from './audit.rules';

export interface AuditEntry {
  actor: { kind: 'member'; memberId: string } | { kind: 'visitor' } | { kind: 'operator'; name: string };
  /** The key of a call, or an operator's command: `POST /gateway/workshop/stop`, `member lock`. */
  action: string;
  /** Whom or what it was done to, by id; null where there is nothing. */
  subject: string | null;
  result: 'OK' | ErrorName;
  ip?: string;
  userAgent?: string;
  traceId?: string;
  /** Why, in an operator's words; phone numbers and mail addresses in it are masked. */
  note?: string;
}

export type AuditService = ReturnType<typeof createAuditService>;

/** Keeps who did what: rows are added and never changed, and go only with their whole month. */
export function createAuditService({ db }: { db: Db }) {
  return {
    /**
     * Adds one row. With the transaction of what was done, both are there or neither: so an operator's command does it, which must not
     * happen unrecorded. Throws what the database throws.
     */
    async write(entry: AuditEntry, tx: Db | Tx = db): Promise<void> {
      const { actor, action, result } = entry;
      const name = actor.kind === 'member' ? actor.memberId : actor.kind === 'operator' ? actor.name : null;
      await insertEntry(tx, {
        id: uuidv7(),
        actorKind: actor.kind,
        actor: keptText(name, 'actor'),
        action,
        subject: keptText(entry.subject, 'subject'),
        result,
        code: result === 'OK' ? 0 : errors[result].code,
        ip: keptText(entry.ip, 'ip'),
        userAgent: keptText(entry.userAgent, 'userAgent'),
        traceId: entry.traceId ?? null,
        note: keptText(entry.note, 'note'),
      });
    },
  };
}
