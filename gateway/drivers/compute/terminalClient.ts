import type { Socket } from 'node:net';
import { EngineUnreachable, type TerminalStream } from './computeEngine';
import { encodeFrame, encodeResize, frameType, maxFrameBytes, protocolVersion, type WireError } from './supervisor/protocol';
import { engineErrorOf, type Greeted, greetSupervisor } from './supervisorClient';

type Answer = { attached: true } | { error: WireError };

/** Opens a connection of its own for one attachment. Throws `EngineUnreachable` or `EngineRefused`. */
export async function attachTerminal(
  dataDir: string,
  ref: string,
  options: { terminalId: string; cols: number; rows: number },
): Promise<TerminalStream> {
  const greeted = await greetSupervisor(dataDir, { protocol: protocolVersion, channel: 'terminal', ref, ...options });
  return new Promise((resolve, reject) => {
    const handleClose = () => reject(new EngineUnreachable('the supervisor hung up'));
    greeted.socket.once('close', handleClose);
    greeted.reader.onLine = (line) => {
      const answer: Answer = JSON.parse(line);
      if ('error' in answer) {
        greeted.socket.destroy();
        reject(engineErrorOf(answer.error));
        return;
      }
      // Set while the line is handled, so that the bytes after it are already read as frames.
      greeted.reader.onFrame = (type, payload) => {
        if (type !== frameType.replay) return;
        greeted.socket.removeListener('close', handleClose);
        resolve(new SupervisedTerminal(greeted, options.terminalId, Buffer.from(payload)));
      };
    };
    greeted.reader.resume();
  });
}

class SupervisedTerminal implements TerminalStream {
  private readonly socket: Socket;
  private readonly dataListeners: ((chunk: Uint8Array) => void)[] = [];
  private readonly closeListeners: ((exitCode: number | null) => void)[] = [];
  /** What came before anybody listened; the connection is held meanwhile. */
  private early: Uint8Array[] = [];
  private exitCode: number | null = null;
  private isClosed = false;

  constructor(
    greeted: Greeted,
    readonly terminalId: string,
    readonly replay: Uint8Array,
  ) {
    this.socket = greeted.socket;
    greeted.reader.onFrame = (type, payload) => this.handleFrame(type, payload);
    this.socket.once('close', () => this.handleClose());
    if (this.socket.destroyed) setImmediate(() => this.handleClose());
  }

  onData(listener: (chunk: Uint8Array) => void): void {
    this.dataListeners.push(listener);
    for (const chunk of this.early.splice(0)) listener(chunk);
  }

  onClose(listener: (exitCode: number | null) => void): void {
    if (this.isClosed) setImmediate(() => listener(this.exitCode));
    else this.closeListeners.push(listener);
  }

  write(chunk: Uint8Array): void {
    for (let start = 0; start < chunk.length && this.socket.writable; start += maxFrameBytes) {
      this.socket.write(encodeFrame(frameType.input, chunk.subarray(start, start + maxFrameBytes)));
    }
  }

  resize(cols: number, rows: number): void {
    if (this.socket.writable) this.socket.write(encodeResize(cols, rows));
  }

  pause(): void {
    this.socket.pause();
  }

  resume(): void {
    this.socket.resume();
  }

  detach(): void {
    this.socket.destroy();
  }

  private handleFrame(type: number, payload: Buffer): void {
    if (type === frameType.exit) this.exitCode = payload.readInt32BE(0);
    if (type !== frameType.output) return;
    if (this.dataListeners.length === 0) this.early.push(payload);
    for (const listener of this.dataListeners) listener(payload);
  }

  private handleClose(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    for (const listener of this.closeListeners.splice(0)) listener(this.exitCode);
  }
}
