import { ReplayRing, replayLimitBytes } from '../replayRing';
import type { Shell } from './shell';

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

/** A shell, its replay ring and everybody attached. */
export class Terminal {
  private readonly ring = new ReplayRing(replayLimitBytes);
  private readonly readers = new Map<TerminalReader, { stuckTimer: NodeJS.Timeout | null }>();
  private readonly input: Buffer[] = [];
  private inputBytes = 0;
  private inputTimer: NodeJS.Timeout | null = null;
  private isEnded = false;

  constructor(
    private readonly shell: Shell,
    private readonly stuckReaderMs: { beside: number; alone: number },
    private readonly onPrint: (chunk: Uint8Array) => void,
    private readonly onExit: () => void,
  ) {
    shell.onData((chunk) => this.handleOutput(chunk));
    shell.onExit((exitCode) => this.handleExit(exitCode));
  }

  /** Null where the shell is no process of this host. */
  get pid(): number | null {
    return this.shell.pid;
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
    if (!this.isEnded) this.shell.resize(cols, rows);
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
    if (isHeld) this.shell.pause();
    else this.shell.resume();
  }

  /** As much as the shell takes; what it leaves waits. */
  private drainInput(): void {
    if (this.inputTimer) return;
    for (let chunk = this.input[0]; chunk && !this.isEnded; chunk = this.input[0]) {
      const written = this.shell.write(chunk);
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
