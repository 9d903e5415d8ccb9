import { createHash, randomBytes } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import { limits } from '../../contract/limits';
import { terminalSocketPath } from '../../contract/terminal';
import type { WorkshopCalls } from '../../contract/workshop';
import type { Db } from '../../db/client';
import { type ComputeEngine, EngineRefused, EngineUnreachable } from '../../drivers/compute/computeEngine';
import { wordOf } from '../../locales/workshopWords';
import type { SignedIn } from '../../plugins/callRouter';
import { Refusal } from '../../refusal';
import type { Viewer } from './neighbours';
import { deleteExpiredTickets, findTerminalTarget, insertTicket, redeemTicket } from './terminalTicket.repository';

const TICKET_SECONDS = 60;

/** A terminal somebody may be connected to. */
export interface TerminalAdmission {
  memberId: string;
  loginSessionId: string;
  workshopId: string;
  terminalId: string;
  engineRef: string;
}

export type WorkshopTerminalService = ReturnType<typeof createWorkshopTerminalService>;

/** Who may connect to which terminal: one-use tickets bound to member, workshop, login session and terminal. */
export function createWorkshopTerminalService({ db, engine }: { db: Db; engine: ComputeEngine }) {
  /** Throws NOT_FOUND, ENGINE_ELSEWHERE, WORKSHOP_NOT_RUNNING. */
  async function requireRunning(memberId: string, workshopId: string): Promise<string> {
    const target = await findTerminalTarget(db, memberId, workshopId);
    if (!target) throw new Refusal('NOT_FOUND');
    if (target.engineInstanceId !== engine.instanceId) throw new Refusal('ENGINE_ELSEWHERE');
    if (target.state !== 'RUNNING' || target.engineRef === null) {
      throw new Refusal('WORKSHOP_NOT_RUNNING', { data: { state: target.state } });
    }
    return target.engineRef;
  }

  /** Throws TERMINAL_LIMIT, WORKSHOP_NOT_RUNNING, ENGINE_UNAVAILABLE. */
  async function requireRoom(engineRef: string, terminalId: string | undefined, language: Viewer['language']): Promise<void> {
    const open = await engine.terminals(engineRef).catch((error: unknown) => {
      if (error instanceof EngineRefused) throw new Refusal('WORKSHOP_NOT_RUNNING');
      if (!(error instanceof EngineUnreachable)) throw error;
      throw new Refusal('ENGINE_UNAVAILABLE', { params: { reason: wordOf('engineUnreachable', language) } });
    });
    const isNew = terminalId === undefined || !open.includes(terminalId);
    if (isNew && open.length >= limits.terminalsPerWorkshop) {
      throw new Refusal('TERMINAL_LIMIT', { params: { limit: limits.terminalsPerWorkshop } });
    }
  }

  return {
    requireRunning,
    requireRoom,
    deleteExpiredTickets: () => deleteExpiredTickets(db),

    /** Throws NOT_FOUND, WORKSHOP_NOT_RUNNING, TERMINAL_LIMIT, ENGINE_UNAVAILABLE, ENGINE_ELSEWHERE. */
    async issueTicket(
      { memberId, language }: Viewer,
      loginSessionId: string,
      { workshopId, terminalId = uuidv7() }: WorkshopCalls['POST /gateway/workshop/terminal']['body'],
    ): Promise<WorkshopCalls['POST /gateway/workshop/terminal']['data']> {
      await requireRoom(await requireRunning(memberId, workshopId), terminalId, language);
      const ticket = randomBytes(32).toString('base64url');
      await insertTicket(db, { hash: hashOf(ticket), memberId, workshopId, loginSessionId, terminalId }, TICKET_SECONDS);
      return { ticket, path: terminalSocketPath, terminalId, expiresInSeconds: TICKET_SECONDS };
    },

    /** Uses a ticket up. Throws FORBIDDEN for one that is not good for this member and login session, else as `requireRunning`. */
    async admit({ memberId, loginSessionId }: SignedIn, ticket: string): Promise<TerminalAdmission> {
      const used = await redeemTicket(db, { hash: hashOf(ticket), memberId, loginSessionId });
      if (!used) throw new Refusal('FORBIDDEN');
      const engineRef = await requireRunning(memberId, used.workshopId);
      return { memberId, loginSessionId, ...used, engineRef };
    },
  };
}

function hashOf(ticket: string): Buffer {
  return createHash('sha256').update(ticket).digest();
}
