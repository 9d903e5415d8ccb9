import { connect, type Socket } from 'node:net';
import { EngineRefused, EngineUnreachable } from './computeEngine';
import { findSocketPath, supervisorPaths } from './supervisor/paths';
import {
  type CallName,
  type Calls,
  type Hello,
  type Push,
  protocolVersion,
  type Reply,
  type Request,
  type Welcome,
  type WireError,
  WireReader,
} from './supervisor/protocol';

const connectTimeoutMs = 5000;

/** One greeted connection: what came back, and the reader that goes on once its handlers are set and `resume` is called. */
export interface Greeted {
  socket: Socket;
  reader: WireReader;
  welcome: Welcome;
}

/** A supervisor answered, and speaks another version; it drains. */
export class DifferentVersion extends EngineUnreachable {}

/** Connects and greets. Throws `EngineUnreachable`; a supervisor of another version is told to drain first. */
export async function greetSupervisor(dataDir: string, hello: Hello): Promise<Greeted> {
  const path = findSocketPath(supervisorPaths(dataDir));
  if (!path) throw new EngineUnreachable('no supervisor was ever started here');
  const greeted = await openConnection(path, hello);
  const { welcome, socket } = greeted;
  const wanted = hello.channel === 'control' ? hello.engine : undefined;
  const isOther = welcome.protocol === protocolVersion && wanted !== undefined && welcome.engine !== wanted;
  if (hello.channel === 'drain' || (welcome.protocol === protocolVersion && !isOther)) return greeted;
  socket.destroy();
  await openConnection(path, { protocol: protocolVersion, channel: 'drain' }).then((drain) => drain.socket.destroy());
  const theirs = isOther ? `has ${welcome.engine} labs` : `speaks protocol ${welcome.protocol}`;
  const ours = isOther ? `wants ${wanted} labs` : String(protocolVersion);
  throw new DifferentVersion(
    `the running supervisor (pid ${welcome.supervisorPid}) ${theirs}, this gateway ${ours}; ` +
      `it was asked to drain: its ${welcome.livingLabs} labs end with their leases, then a new supervisor takes over`,
  );
}

function openConnection(path: string, hello: Hello): Promise<Greeted> {
  return new Promise((resolve, reject) => {
    const socket = connect(path);
    const fail = (detail: string) => {
      clearTimeout(timer);
      socket.destroy();
      reject(new EngineUnreachable(`the supervisor at ${path} cannot be reached: ${detail}`));
    };
    const timer = setTimeout(() => fail('it does not answer'), connectTimeoutMs);
    const reader = new WireReader((line) => {
      clearTimeout(timer);
      socket.removeListener('close', handleClose);
      // More may have come in the same piece; it waits for whoever asked.
      reader.stop();
      resolve({ socket, reader, welcome: JSON.parse(line) });
    });
    const handleClose = () => fail('it hung up');
    socket.on('data', (chunk: Buffer) => {
      try {
        reader.push(chunk);
      } catch (error) {
        socket.destroy(error instanceof Error ? error : new Error(String(error)));
      }
    });
    socket.on('error', (error) => fail(error.message));
    socket.once('close', handleClose);
    socket.once('connect', () => socket.write(`${JSON.stringify(hello)}\n`));
  });
}

interface Pending {
  resolve(result: unknown): void;
  reject(error: Error): void;
  timer: NodeJS.Timeout;
}

/** The control channel of one live connection. */
export class ControlChannel {
  private readonly pending = new Map<number, Pending>();
  private nextId = 1;
  private isClosed = false;

  constructor(
    private readonly greeted: Greeted,
    private readonly callTimeoutMs: number,
    events: { onChange(): void; onClose(): void },
  ) {
    greeted.reader.onLine = (line) => {
      const message: Reply | Push = JSON.parse(line);
      if ('event' in message) events.onChange();
      else this.settle(message);
    };
    greeted.socket.once('close', () => {
      this.isClosed = true;
      for (const { reject, timer } of this.pending.values()) {
        clearTimeout(timer);
        reject(new EngineUnreachable('the supervisor hung up'));
      }
      this.pending.clear();
      events.onClose();
    });
    greeted.reader.resume();
  }

  /** Throws `EngineUnreachable` or `EngineRefused`. */
  call<K extends CallName>(call: K, params: Calls[K]['params']): Promise<Calls[K]['result']> {
    if (this.isClosed) return Promise.reject(new EngineUnreachable('the supervisor hung up'));
    const id = this.nextId++;
    const request: Request = { id, call, params };
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.pending.delete(id);
        reject(new EngineUnreachable(`the supervisor did not answer ${call} in ${this.callTimeoutMs} ms`));
      }, this.callTimeoutMs);
      this.pending.set(id, { resolve: (result) => resolve(result as Calls[K]['result']), reject, timer });
      this.greeted.socket.write(`${JSON.stringify(request)}\n`);
    });
  }

  close(): void {
    this.greeted.socket.destroy();
  }

  private settle(reply: Reply): void {
    const waiting = this.pending.get(reply.id);
    if (!waiting) return;
    this.pending.delete(reply.id);
    clearTimeout(waiting.timer);
    if ('error' in reply) waiting.reject(engineErrorOf(reply.error));
    else waiting.resolve(reply.result);
  }
}

/** A failure inside the supervisor means it could not vouch for an answer, which is what unreachable stands for. */
export function engineErrorOf(error: WireError): EngineRefused | EngineUnreachable {
  return error.kind === 'refused' ? new EngineRefused(error.reason, error.detail) : new EngineUnreachable(error.detail);
}
