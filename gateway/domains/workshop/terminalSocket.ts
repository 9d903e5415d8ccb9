import type { RawData, WebSocket } from 'ws';
import { limits } from '../../contract/limits';
import type { TerminalByeReason, TerminalMessage, TerminalResize } from '../../contract/terminal';
import type { TerminalStream } from '../../drivers/compute/computeEngine';
import { createInputBudget } from './inputBudget';

export interface SocketTimes {
  pingEveryMs: number;
  idleAfterMs: number;
}

export const socketTimes: SocketTimes = { pingEveryMs: 30_000, idleAfterMs: 30 * 60_000 };

const OUTPUT_HIGH_BYTES = 1_048_576;
const OUTPUT_LOW_BYTES = 262_144;
const INPUT_BYTES_PER_SECOND = 65_536;
/** What a frame costs beside its bytes, so that empty frames are no way around the budget. */
const FRAME_BYTES = 16;
const JUNK_FRAMES = 100;
/** Close codes of RFC 6455: normal, going away, policy. */
const closeCodes: Readonly<Record<TerminalByeReason, number>> = {
  STOPPED: 1000,
  SIGNED_OUT: 1008,
  NOT_FOUND: 1008,
  LIMIT: 1008,
  IDLE: 1000,
  PROTOCOL: 1008,
  UNREACHABLE: 1001,
  SHUTDOWN: 1001,
};

/**
 * One browser tab on one terminal: bytes both ways with back-pressure both ways, liveness, and an end that never ends the shell.
 */
export class TerminalSocket {
  private isClosed = false;
  private isHeldBack = false;
  private isAlive = true;
  private junkFrames = 0;
  private lastUseMs: number;
  private readonly budget;
  private readonly timer: NodeJS.Timeout;
  private resumeTimer: NodeJS.Timeout | undefined;

  constructor(
    private readonly socket: WebSocket,
    private readonly stream: TerminalStream,
    private readonly monotonicMs: () => number,
    private readonly times: SocketTimes = socketTimes,
  ) {
    this.lastUseMs = monotonicMs();
    this.budget = createInputBudget({
      bytesPerSecond: INPUT_BYTES_PER_SECOND,
      burstBytes: INPUT_BYTES_PER_SECOND,
      monotonicMs,
    });
    this.timer = setInterval(() => this.checkLife(), times.pingEveryMs);
    socket.on('message', (frame, isBinary) => this.handleFrame(frame, isBinary));
    socket.on('pong', () => {
      this.isAlive = true;
    });
    socket.on('close', () => this.release());
    this.say({ type: 'ready', terminalId: stream.terminalId });
    if (stream.replay.byteLength > 0) this.sendBytes(stream.replay);
    stream.onData((chunk) => this.sendBytes(chunk));
    stream.onClose((exitCode) => this.handleStreamEnd(exitCode));
  }

  /** Says why and closes; the shell lives on. */
  bye(reason: TerminalByeReason): void {
    if (this.isClosed) return;
    this.say({ type: 'bye', reason });
    this.socket.close(closeCodes[reason], reason);
    this.release();
  }

  private say(message: TerminalMessage): void {
    this.socket.send(JSON.stringify(message));
  }

  /** Above the mark the lab is held back rather than our memory filled. */
  private sendBytes(chunk: Uint8Array): void {
    if (this.isClosed) return;
    this.lastUseMs = this.monotonicMs();
    this.socket.send(chunk, { binary: true }, () => this.letGoOn());
    if (this.isHeldBack || this.socket.bufferedAmount <= OUTPUT_HIGH_BYTES) return;
    this.isHeldBack = true;
    this.stream.pause();
  }

  private letGoOn(): void {
    if (this.isClosed || !this.isHeldBack || this.socket.bufferedAmount > OUTPUT_LOW_BYTES) return;
    this.isHeldBack = false;
    this.stream.resume();
  }

  private handleFrame(frame: RawData, isBinary: boolean): void {
    if (this.isClosed) return;
    const bytes = bytesOf(frame);
    this.lastUseMs = this.monotonicMs();
    if (isBinary) this.stream.write(bytes);
    else this.handleText(bytes.toString('utf8'));
    this.slowDown(this.budget.take(bytes.byteLength + FRAME_BYTES));
  }

  private slowDown(waitMs: number): void {
    if (waitMs === 0 || this.isClosed) return;
    this.socket.pause();
    clearTimeout(this.resumeTimer);
    this.resumeTimer = setTimeout(() => this.socket.resume(), waitMs);
  }

  private handleText(text: string): void {
    const size = readResize(text);
    if (size) {
      this.stream.resize(size.cols, size.rows);
      return;
    }
    this.junkFrames += 1;
    if (this.junkFrames >= JUNK_FRAMES) this.bye('PROTOCOL');
  }

  private handleStreamEnd(exitCode: number | null): void {
    if (this.isClosed) return;
    if (exitCode === null) {
      this.bye('UNREACHABLE');
      return;
    }
    this.say({ type: 'exit', exitCode });
    this.socket.close(1000, 'EXIT');
    this.release();
  }

  private checkLife(): void {
    if (!this.isAlive) {
      this.socket.terminate();
      return;
    }
    if (this.monotonicMs() - this.lastUseMs >= this.times.idleAfterMs) {
      this.bye('IDLE');
      return;
    }
    this.isAlive = false;
    this.socket.ping();
  }

  private release(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    clearInterval(this.timer);
    clearTimeout(this.resumeTimer);
    // A paused socket would never read the other side's close.
    this.socket.resume();
    this.stream.detach();
  }
}

function bytesOf(frame: RawData): Buffer {
  if (Buffer.isBuffer(frame)) return frame;
  return Array.isArray(frame) ? Buffer.concat(frame) : Buffer.from(frame);
}

/** The size a text frame asks for, within what a terminal may have; null for anything else. */
export function readResize(text: string): Omit<TerminalResize, 'type'> | null {
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
  if (typeof message !== 'object' || message === null || !('type' in message) || message.type !== 'resize') return null;
  if (!('cols' in message) || !('rows' in message)) return null;
  const { cols, rows } = message;
  if (!Number.isInteger(cols) || !Number.isInteger(rows)) return null;
  const within = (value: number, { min, max }: { min: number; max: number }) => Math.min(max, Math.max(min, value));
  return { cols: within(Number(cols), limits.terminalColumns), rows: within(Number(rows), limits.terminalRows) };
}
