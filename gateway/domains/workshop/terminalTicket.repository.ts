import { sql } from 'kysely';
import type { WorkshopState } from '../../contract/workshopStates';
import type { Db } from '../../db/client';

/** Where a workshop's terminals are. */
export interface TerminalTarget {
  state: WorkshopState;
  engineInstanceId: string;
  engineRef: string | null;
}

export async function findTerminalTarget(db: Db, memberId: string, workshopId: string): Promise<TerminalTarget | undefined> {
  return db
    .selectFrom('workshop')
    .leftJoin('labSession', (join) => join.onRef('labSession.workshopId', '=', 'workshop.id').on('labSession.endedAt', 'is', null))
    .select(['workshop.state', 'workshop.engineInstanceId', 'labSession.engineRef'])
    .where('workshop.id', '=', workshopId)
    .where('workshop.memberId', '=', memberId)
    .where('workshop.state', '<>', 'DELETED')
    .executeTakeFirst();
}

export interface Ticket {
  hash: Buffer;
  memberId: string;
  workshopId: string;
  loginSessionId: string;
  terminalId: string;
}

export async function insertTicket(db: Db, ticket: Ticket, goodForSeconds: number): Promise<void> {
  await db
    .insertInto('terminalTicket')
    .values({ ...ticket, expiresAt: sql<Date>`app_now() + ${goodForSeconds} * interval '1 second'`, usedAt: null })
    .execute();
}

/** Uses a ticket up; undefined for one that is unknown, used, expired, or another member's or login session's. */
export async function redeemTicket(
  db: Db,
  ticket: Pick<Ticket, 'hash' | 'memberId' | 'loginSessionId'>,
): Promise<{ workshopId: string; terminalId: string } | undefined> {
  return db
    .updateTable('terminalTicket')
    .set({ usedAt: sql<Date>`app_now()` })
    .where('hash', '=', ticket.hash)
    .where('memberId', '=', ticket.memberId)
    .where('loginSessionId', '=', ticket.loginSessionId)
    .where('usedAt', 'is', null)
    .where('expiresAt', '>', sql<Date>`app_now()`)
    .returning(['workshopId', 'terminalId'])
    .executeTakeFirst();
}

/** Tickets nobody can use any more. */
export async function deleteExpiredTickets(db: Db): Promise<void> {
  await db.deleteFrom('terminalTicket').where('expiresAt', '<', sql<Date>`app_now() - interval '1 hour'`).execute();
}
