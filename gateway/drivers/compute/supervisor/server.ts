import { chmodSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import type { Logger } from 'pino';
import { EngineRefused } from '../computeEngine';
import {
  type Calls,
  encodeExit,
  encodeFrame,
  frameType,
  type Hello,
  type Push,
  protocolVersion,
  type Reply,
  type Request,
  type Welcome,
  type WireError,
  WireReader,
} from './protocol';
import type { Supervisor } from './supervisor';
import type { Terminal, TerminalReader } from './terminal';

const greetingTimeoutMs = 5000;
/** A control client that does not read its answers is cut off. */
const unreadLimitBytes = 16 * 1024 ** 2;

type Handlers = { [K in keyof Calls]: (params: Calls[K]['params']) => Promise<Calls[K]['result']> | Calls[K]['result'] };

/** The supervisor's socket: greets, then speaks calls or a terminal. `onIdle` tells whenever the number of clients changes. */
export class SupervisorServer {
  private readonly server: Server;
  private readonly controls = new Set<Socket>();
  private readonly sockets = new Set<Socket>();
  private readonly handlers: Handlers;

  constructor(
    private readonly supervisor: Supervisor,
    private readonly log: Logger,
    private readonly onClients: () => void,
  ) {
    this.handlers = handlersOf(supervisor);
    this.server = createServer((socket) => this.greet(socket));
  }

  get clientCount(): number {
    return this.sockets.size;
  }

  async listen(path: string): Promise<void> {
    // Ours to remove: whoever gets here holds the lock.
    rmSync(path, { force: true });
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(path, resolve);
    });
    chmodSync(path, 0o600);
  }

  pushChange(): void {
    const push: Push = { event: 'change' };
    for (const socket of this.controls) sendLine(socket, push);
  }

  close(): void {
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
  }

  private greet(socket: Socket): void {
    this.sockets.add(socket);
    this.onClients();
    const timer = setTimeout(() => socket.destroy(), greetingTimeoutMs);
    const reader = new WireReader((line) => {
      clearTimeout(timer);
      this.welcome(socket, reader, JSON.parse(line));
    });
    socket.on('data', (chunk: Buffer) => {
      try {
        reader.push(chunk);
      } catch (error) {
        this.log.warn({ err: error }, 'a client broke the protocol');
        socket.destroy();
      }
    });
    socket.on('error', (error) => this.log.debug({ err: error }, 'client connection'));
    socket.on('close', () => {
      clearTimeout(timer);
      this.sockets.delete(socket);
      this.controls.delete(socket);
      this.onClients();
    });
  }

  private welcome(socket: Socket, reader: WireReader, hello: Hello): void {
    const { supervisor } = this;
    if (hello.channel === 'drain') {
      this.log.warn(
        { theirProtocol: hello.protocol, protocol: protocolVersion },
        'asked to drain: no new labs, the living ones run to their leases',
      );
      supervisor.isDraining = true;
    }
    const welcome: Welcome = {
      protocol: protocolVersion,
      instanceId: supervisor.instanceId,
      engine: supervisor.engine,
      supervisorPid: process.pid,
      livingLabs: supervisor.living().length,
      isDraining: supervisor.isDraining,
    };
    sendLine(socket, welcome);
    if (hello.channel === 'drain' || hello.protocol !== protocolVersion) socket.end();
    else if (hello.channel === 'control') this.serveCalls(socket, reader);
    else this.serveTerminal(socket, reader, hello);
  }

  private serveCalls(socket: Socket, reader: WireReader): void {
    this.controls.add(socket);
    reader.onLine = (line) => {
      const request: Request = JSON.parse(line);
      void this.answer(request).then((reply) => sendLine(socket, reply));
    };
  }

  private async answer({ id, call, params }: Request): Promise<Reply> {
    try {
      const handler = this.handlers[call] as ((params: unknown) => unknown) | undefined;
      if (!handler) throw new Error(`no call ${call}`);
      return { id, result: (await handler(params)) ?? null };
    } catch (error) {
      if (!(error instanceof EngineRefused)) this.log.error({ err: error, call }, 'call failed');
      return { id, error: wireErrorOf(error) };
    }
  }

  private serveTerminal(socket: Socket, reader: WireReader, hello: Extract<Hello, { channel: 'terminal' }>): void {
    const { ref, terminalId, cols, rows } = hello;
    const connection = new TerminalConnection(socket);
    let terminal: Terminal;
    try {
      terminal = this.supervisor.openTerminal(ref, terminalId, { cols, rows }, connection);
    } catch (error) {
      if (!(error instanceof EngineRefused)) this.log.error({ err: error, ref }, 'terminal did not open');
      socket.end(`${JSON.stringify({ error: wireErrorOf(error) })}\n`);
      return;
    }
    reader.onFrame = (type, payload) => {
      if (type === frameType.input) terminal.write(payload);
      else if (type === frameType.resize) terminal.resize({ cols: payload.readUInt16BE(0), rows: payload.readUInt16BE(2) });
    };
    socket.on('drain', () => terminal.drained());
    socket.on('close', () => terminal.detach(connection));
  }
}

/** A reader of a terminal over its own connection. */
class TerminalConnection implements TerminalReader {
  constructor(private readonly socket: Socket) {}

  sendReplay(chunk: Uint8Array): void {
    this.socket.write(`${JSON.stringify({ attached: true })}\n`);
    this.send(encodeFrame(frameType.replay, chunk));
  }

  sendOutput(chunk: Uint8Array): void {
    this.send(encodeFrame(frameType.output, chunk));
  }

  sendExit(exitCode: number): void {
    this.socket.end(encodeExit(exitCode));
  }

  waitingBytes(): number {
    return this.socket.writableLength;
  }

  holdInput(isHeld: boolean): void {
    if (isHeld) this.socket.pause();
    else if (this.socket.isPaused()) this.socket.resume();
  }

  cut(): void {
    this.socket.destroy();
  }

  private send(frame: Buffer): void {
    if (this.socket.writable) this.socket.write(frame);
  }
}

function handlersOf(supervisor: Supervisor): Handlers {
  const done = async (work: Promise<void>) => {
    await work;
    return null;
  };
  return {
    capabilities: () => supervisor.capabilities(),
    health: () => supervisor.health(),
    missingCommands: ({ commands }) => supervisor.missingCommands(commands),
    ensureStarted: ({ spec, isUnsandboxedAllowed }) => done(supervisor.ensureStarted(spec, isUnsandboxedAllowed)),
    extendLease: ({ ref, leaseLimitMs }) => done(supervisor.extendLease(ref, leaseLimitMs)),
    stop: ({ ref, graceMs }) => {
      supervisor.stop(ref, graceMs);
      return null;
    },
    list: () => supervisor.list(),
    forget: ({ ref }) => done(supervisor.forget(ref)),
    deleteHome: ({ workshopId }) => done(supervisor.deleteHome(workshopId)),
    makeHome: ({ workshopId }) => done(supervisor.makeHome(workshopId)),
    sample: ({ refs }) => supervisor.sample(refs),
    terminals: ({ ref }) => supervisor.terminals(ref),
    output: ({ ref, tailBytes }) => Buffer.from(supervisor.output(ref, tailBytes)).toString('base64'),
  };
}

function wireErrorOf(error: unknown): WireError {
  if (error instanceof EngineRefused) return { kind: 'refused', reason: error.reason, detail: error.message };
  return { kind: 'internal', detail: error instanceof Error ? error.message : String(error) };
}

function sendLine(socket: Socket, line: Welcome | Reply | Push): void {
  if (socket.writableLength > unreadLimitBytes) socket.destroy();
  else if (socket.writable) socket.write(`${JSON.stringify(line)}\n`);
}
