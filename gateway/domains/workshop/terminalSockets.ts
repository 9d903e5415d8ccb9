import type { FastifyBaseLogger } from 'fastify';
import type { WebSocket } from 'ws';
import type { TerminalByeReason } from '../../contract/terminal';
import { Refusal } from '../../refusal';
import type { LabActivityService } from './labActivity.service';
import type { TerminalAdmission, WorkshopTerminalService } from './workshopTerminal.service';

const RECHECK_EVERY_MS = 60_000;

interface Entry {
  admission: TerminalAdmission;
  bye: (reason: TerminalByeReason) => void;
}

/** What the sockets ask of the login sessions. */
export interface LoginSessions {
  isActive(loginSessionId: string): Promise<boolean>;
  onRevoked(listener: (loginSessionId: string) => void): () => void;
}

export type TerminalSockets = ReturnType<typeof createTerminalSockets>;

/**
 * Every terminal socket of this gateway. Each is closed when its login session or its workshop's run ends here, and looked at again
 * every minute for what ended on another gateway.
 */
export function createTerminalSockets(deps: {
  loginSessions: LoginSessions;
  workshopTerminals: WorkshopTerminalService;
  activity: LabActivityService;
  log: FastifyBaseLogger;
}) {
  const entries = new Map<WebSocket, Entry>();
  let timer: NodeJS.Timeout | undefined;

  function closeWhere(matches: (admission: TerminalAdmission) => boolean, reason: TerminalByeReason): void {
    for (const { admission, bye } of [...entries.values()]) if (matches(admission)) bye(reason);
  }

  /** Whoever has a terminal open uses the lab, also while nothing is typed. */
  function noteUse(workshopIds: readonly string[]): void {
    deps.activity.noteUse(workshopIds).catch((err: unknown) => deps.log.error({ err }, 'the use of labs could not be noted'));
  }

  async function recheck(): Promise<void> {
    noteUse([...entries.values()].map(({ admission }) => admission.workshopId));
    for (const { admission, bye } of [...entries.values()]) {
      const reason = await whyEnded(deps, admission);
      if (reason) bye(reason);
    }
  }

  deps.loginSessions.onRevoked((loginSessionId) =>
    closeWhere((admission) => admission.loginSessionId === loginSessionId, 'SIGNED_OUT'),
  );

  return {
    countOf: (memberId: string): number => [...entries.values()].filter(({ admission }) => admission.memberId === memberId).length,

    /** Counts a socket from its upgrade on, so that many at once cannot pass the limit; returns what to do at its end. */
    reserve(admission: TerminalAdmission, socket: WebSocket): () => void {
      entries.set(socket, { admission, bye: (reason) => socket.close(1001, reason) });
      timer ??= setInterval(() => {
        recheck().catch((err: unknown) => deps.log.error({ err }, 'terminal sockets could not be checked again'));
      }, RECHECK_EVERY_MS).unref();
      noteUse([admission.workshopId]);
      return () => {
        entries.delete(socket);
        noteUse([admission.workshopId]);
        if (entries.size > 0) return;
        clearInterval(timer);
        timer = undefined;
      };
    },

    /** The terminal is open: from now on its end is told in words. */
    admitted(admission: TerminalAdmission, socket: WebSocket, bye: Entry['bye']): void {
      if (entries.has(socket)) entries.set(socket, { admission, bye });
    },

    recheck,
    closeOfWorkshop: (workshopId: string): void => closeWhere((admission) => admission.workshopId === workshopId, 'STOPPED'),
    closeAll: (reason: TerminalByeReason): void => closeWhere(() => true, reason),
  };
}

async function whyEnded(
  { loginSessions, workshopTerminals }: { loginSessions: LoginSessions; workshopTerminals: WorkshopTerminalService },
  admission: TerminalAdmission,
): Promise<TerminalByeReason | null> {
  if (!(await loginSessions.isActive(admission.loginSessionId))) return 'SIGNED_OUT';
  try {
    const engineRef = await workshopTerminals.requireRunning(admission.memberId, admission.workshopId);
    return engineRef === admission.engineRef ? null : 'STOPPED';
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (error.options.data?.state === 'LOST') return 'UNREACHABLE';
    return error.error === 'NOT_FOUND' ? 'NOT_FOUND' : 'STOPPED';
  }
}
