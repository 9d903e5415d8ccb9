import fastifyWebsocket from '@fastify/websocket';
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify';
import type { WebSocket } from 'ws';
import type { Clock } from '../../clock';
import { limits } from '../../contract/limits';
import { type TerminalByeReason, terminalProtocol, terminalSocketPath } from '../../contract/terminal';
import { type ComputeEngine, EngineRefused, EngineUnreachable } from '../../drivers/compute/computeEngine';
import { isOwnUpgrade } from '../../plugins/crossSite';
import { Refusal } from '../../refusal';
import { TerminalSocket } from './terminalSocket';
import type { TerminalSockets } from './terminalSockets';
import type { TerminalAdmission, WorkshopTerminalService } from './workshopTerminal.service';

const MAX_FRAME_BYTES = 65_536;
/** Until the browser's first resize, which comes with the first frame. */
const FIRST_SIZE = { cols: 80, rows: 24 };

export interface TerminalRouteDeps {
  config: { publicUrl: string; isProduction: boolean };
  engine: ComputeEngine;
  clock: Clock;
  workshopTerminals: WorkshopTerminalService;
  terminalSockets: TerminalSockets;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the terminal socket's own check, before the upgrade. */
    terminal: TerminalAdmission | null;
  }
}

/**
 * The terminal's WebSocket. Everything is checked before the upgrade and refused with an HTTP status: Origin present and ours, a valid
 * login session, a ticket of that very session, the workshop running here.
 */
export function registerTerminalSocket(app: FastifyInstance, deps: TerminalRouteDeps): void {
  app.decorateRequest('terminal', null);
  app.register(async (scope) => {
    await scope.register(fastifyWebsocket, {
      options: {
        maxPayload: MAX_FRAME_BYTES,
        perMessageDeflate: false,
        handleProtocols: (offered) => (offered.has(terminalProtocol) ? terminalProtocol : false),
      },
      preClose: (done) => {
        deps.terminalSockets.closeAll('SHUTDOWN');
        done();
      },
    });
    scope.route({
      method: 'GET',
      url: terminalSocketPath,
      preValidation: async (request) => {
        request.terminal = await admit(request, deps);
      },
      handler: async () => {
        throw new Refusal('NOT_FOUND');
      },
      wsHandler: (socket, request) => {
        if (request.terminal) void connect(socket, request.terminal, request.log, deps);
        else socket.close(1008);
      },
    });
  });
}

/** Throws CROSS_SITE_REFUSED, UNAUTHORIZED, NOT_FOUND for no upgrade, TOO_MANY_REQUESTS, and what `admit` of the tickets throws. */
async function admit(request: FastifyRequest, deps: TerminalRouteDeps): Promise<TerminalAdmission> {
  if (request.headers.upgrade?.toLowerCase() !== 'websocket') throw new Refusal('NOT_FOUND');
  if (!isOwnUpgrade(request.headers, deps.config)) throw new Refusal('CROSS_SITE_REFUSED');
  if (!request.signedIn) throw new Refusal('UNAUTHORIZED');
  const offered = (request.headers['sec-websocket-protocol'] ?? '').split(',').map((one) => one.trim());
  const ticket = offered.find((one) => one.startsWith('ticket.'))?.slice('ticket.'.length);
  if (ticket === undefined || !offered.includes(terminalProtocol)) throw new Refusal('FORBIDDEN');
  if (deps.terminalSockets.countOf(request.signedIn.memberId) >= limits.terminalSocketsPerMember) {
    throw new Refusal('TOO_MANY_REQUESTS', { retryAfterSeconds: 10, params: { seconds: 10 } });
  }
  return deps.workshopTerminals.admit(request.signedIn, ticket);
}

async function connect(
  socket: WebSocket,
  admission: TerminalAdmission,
  log: FastifyBaseLogger,
  deps: TerminalRouteDeps,
): Promise<void> {
  socket.on('error', (err) => log.debug({ err }, 'a terminal socket broke'));
  // Nothing is read before there is something to write it to.
  socket.pause();
  const leave = deps.terminalSockets.reserve(admission, socket);
  socket.on('close', leave);
  try {
    await deps.workshopTerminals.requireRoom(admission.engineRef, admission.terminalId, 'en-US');
    const { terminalId, engineRef } = admission;
    const stream = await deps.engine.openTerminal(engineRef, { terminalId, ...FIRST_SIZE });
    if (socket.readyState !== socket.OPEN) {
      stream.detach();
      return;
    }
    const terminal = new TerminalSocket(socket, stream, () => deps.clock.monotonicMs());
    deps.terminalSockets.admitted(admission, socket, (reason) => terminal.bye(reason));
  } catch (error) {
    refuse(socket, reasonOf(error), error, log);
  } finally {
    socket.resume();
  }
}

function reasonOf(error: unknown): TerminalByeReason {
  if (error instanceof Refusal) return error.error === 'TERMINAL_LIMIT' ? 'LIMIT' : 'STOPPED';
  return error instanceof EngineRefused ? 'STOPPED' : 'UNREACHABLE';
}

function refuse(socket: WebSocket, reason: TerminalByeReason, error: unknown, log: FastifyBaseLogger): void {
  const isExpected = error instanceof Refusal || error instanceof EngineRefused || error instanceof EngineUnreachable;
  if (!isExpected) log.error({ err: error }, 'a terminal could not be opened');
  if (socket.readyState !== socket.OPEN) return;
  socket.send(JSON.stringify({ type: 'bye', reason }));
  socket.close(1001, reason);
}
