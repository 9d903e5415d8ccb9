import { writeSync } from 'node:fs';
import { Socket } from 'node:net';
import { type IPty, spawn } from '@lydell/node-pty';
import { ReplayRing, replayLimitBytes } from '../replayRing';
import type { TerminalCommand } from './sandbox';

const inputLimitBytes = 256 * 1024;
const outputLimitBytes = 256 * 1024;
const inputRetryMs = 20;

/** One reader of a terminal; the server's side of a connection. */
export interface TerminalReader {
  sendReplay(chunk: Uint8Array): void;
  sendOutput(chunk: Uint8Array): void;
  sendExit(exitCode: number): void;
  /** Bytes accepted but not yet taken by the other side. */
  waitingBytes(): number;
  holdInput(isHeld: boolean): void;
  cut(): void;
}

/** A shell on a pseudo terminal, its replay ring and everybody attached. */
export class Terminal {
  private readonly pty: IPty;
  private readonly ring = new ReplayRing(replayLimitBytes);
  private readonly readers = new Map<TerminalReader, { stuckTimer: NodeJS.Timeout | null }>();
  private readonly input: Buffer[] = [];
  private inputBytes = 0;
  private inputTimer: NodeJS.Timeout | null = null;
  private isEnded = false;

  constructor(
    command: TerminalCommand,
    size: { cols: number; rows: number },
    private readonly stuckReaderMs: { beside: number; alone: number },
    private readonly onPrint: (chunk: Uint8Array) => void,
    private readonly onExit: () => void,
  ) {
    const { file, args, cwd, env } = command;
    // Encoding null gives bytes; the type of `onData` does not know that.
    this.pty = spawn(file, args, { name: 'xterm-256color', cwd, env, encoding: null, ...size });
    this.pty.onData((chunk) => this.handleOutput(Buffer.from(chunk)));
    this.pty.onExit(({ exitCode }) => this.handleExit(exitCode));
  }

  get pid(): number {
    return this.pty.pid;
  }

  attach(reader: TerminalReader, size: { cols: number; rows: number }): void {
    this.readers.set(reader, { stuckTimer: null });
    reader.sendReplay(this.ring.read());
    this.resize(size);
  }

  detach(reader: TerminalReader): void {
    const entry = this.readers.get(reader);
    if (entry?.stuckTimer) clearTimeout(entry.stuckTimer);
    this.readers.delete(reader);
    this.balance();
  }

  resize({ cols, rows }: { cols: number; rows: number }): void {
    if (!this.isEnded) this.pty.resize(cols, rows);
  }

  /** Takes what a reader typed; while too much waits for the shell, every reader's typing is held back. */
  write(chunk: Buffer): void {
    if (this.isEnded) return;
    this.input.push(chunk);
    this.inputBytes += chunk.length;
    this.drainInput();
  }

  /** Called when a reader's connection has taken what it was sent. */
  drained(): void {
    this.balance();
  }

  /** Cuts everybody off; the processes are the sandbox's to kill. */
  close(): void {
    this.handleExit(null);
  }

  private handleOutput(chunk: Buffer): void {
    this.ring.push(chunk);
    this.onPrint(chunk);
    for (const reader of this.readers.keys()) reader.sendOutput(chunk);
    this.balance();
  }

  private handleExit(exitCode: number | null): void {
    if (this.isEnded) return;
    this.isEnded = true;
    if (this.inputTimer) clearTimeout(this.inputTimer);
    for (const [reader, { stuckTimer }] of this.readers) {
      if (stuckTimer) clearTimeout(stuckTimer);
      if (exitCode === null) reader.cut();
      else reader.sendExit(exitCode);
    }
    this.readers.clear();
    this.onExit();
  }

  /** The slowest reader sets the pace for a while; one that takes nothing for too long is cut off. */
  private balance(): void {
    if (this.isEnded) return;
    let isHeld = false;
    for (const [reader, entry] of this.readers) {
      const isFull = reader.waitingBytes() > outputLimitBytes;
      isHeld ||= isFull;
      if (!isFull && entry.stuckTimer) {
        clearTimeout(entry.stuckTimer);
        entry.stuckTimer = null;
      } else if (isFull && !entry.stuckTimer) {
        const limitMs = this.readers.size > 1 ? this.stuckReaderMs.beside : this.stuckReaderMs.alone;
        entry.stuckTimer = setTimeout(() => reader.cut(), limitMs);
      }
    }
    if (isHeld) this.pty.pause();
    else this.pty.resume();
  }

  /**
   * Writes to the terminal itself: through the library's stream, libuv spins on this side of a pseudo terminal for as long as
   * the shell reads nothing, and everybody's lab stands still.
   */
  private drainInput(): void {
    if (this.inputTimer) return;
    for (let chunk = this.input[0]; chunk && !this.isEnded; chunk = this.input[0]) {
      const written = writeNow(this.pty, chunk);
      this.inputBytes -= written;
      if (written === chunk.length) this.input.shift();
      else this.input[0] = chunk.subarray(written);
      if (written === 0) {
        this.inputTimer = setTimeout(() => {
          this.inputTimer = null;
          this.drainInput();
        }, inputRetryMs);
        break;
      }
    }
    const isHeld = this.inputBytes > inputLimitBytes;
    for (const reader of this.readers.keys()) reader.holdInput(isHeld);
  }
}

/** Bytes the terminal took at once; 0 when it takes none. Its handle is in non-blocking mode. */
function writeNow(pty: IPty, chunk: Buffer): number {
  const fd: unknown = Reflect.get(pty, 'fd');
  const stream: unknown = Reflect.get(pty, '_socket');
  if (typeof fd !== 'number' || !(stream instanceof Socket)) throw new Error('the pseudo terminal has no handle');
  // Once its stream is closed the number may already stand for something else.
  if (stream.destroyed) return chunk.length;
  try {
    return writeSync(fd, chunk);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    if (code === 'EAGAIN') return 0;
    // The shell is gone; its exit is on the way.
    if (code === 'EIO') return chunk.length;
    throw error;
  }
}
