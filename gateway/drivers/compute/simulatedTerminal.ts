import type { TerminalStream } from './computeEngine';
import { ReplayRing, replayLimitBytes } from './replayRing';
import type { SimulatedFiles } from './simulatedFiles';
import { SimulatedShell } from './simulatedShell';

/** One shell and everybody attached to it. */
export class SimulatedTerminal {
  private readonly ring = new ReplayRing(replayLimitBytes);
  private readonly attachments = new Set<Attachment>();
  private readonly shell: SimulatedShell;

  constructor(
    readonly terminalId: string,
    lab: { files: SimulatedFiles; hostname: string; processNames(): readonly string[] },
    size: { cols: number; rows: number },
    private readonly onPrint: (chunk: Uint8Array) => void,
    private readonly onExit: () => void,
  ) {
    const context = { ...lab, cwd: '/home/lab', size, lastExitCode: 0, variables: new Map([['HOME', '/home/lab']]) };
    this.shell = new SimulatedShell(context, {
      print: (text) => this.print(Buffer.from(text)),
      isHeld: () => [...this.attachments].some((attachment) => attachment.isPaused),
      exit: (exitCode) => this.end(exitCode),
    });
    this.shell.start();
  }

  get processName(): string {
    return this.shell.processName;
  }

  attach(size: { cols: number; rows: number }): TerminalStream {
    this.shell.resize(size.cols, size.rows);
    const attachment = new Attachment(this.terminalId, this.ring.read(), this.shell, () => this.attachments.delete(attachment));
    this.attachments.add(attachment);
    return attachment;
  }

  /** Ends the shell; every attachment hears it. */
  end(exitCode: number | null): void {
    this.shell.end();
    for (const attachment of [...this.attachments]) attachment.close(exitCode);
    this.onExit();
  }

  /** Ends the attachments as a lost engine would; the shell lives on. */
  disconnect(): void {
    for (const attachment of [...this.attachments]) attachment.close(null);
  }

  private print(chunk: Uint8Array): void {
    this.ring.push(chunk);
    this.onPrint(chunk);
    for (const attachment of this.attachments) attachment.deliver(chunk);
  }
}

class Attachment implements TerminalStream {
  isPaused = false;
  private waiting: Uint8Array[] = [];
  private dataListeners: ((chunk: Uint8Array) => void)[] = [];
  private closeListeners: ((exitCode: number | null) => void)[] = [];
  private closed: { exitCode: number | null } | null = null;
  private isFlushing = false;

  constructor(
    readonly terminalId: string,
    readonly replay: Uint8Array,
    private readonly shell: SimulatedShell,
    private readonly release: () => void,
  ) {}

  deliver(chunk: Uint8Array): void {
    this.waiting.push(chunk);
    this.flushSoon();
  }

  close(exitCode: number | null): void {
    if (this.closed) return;
    this.closed = { exitCode };
    this.release();
    this.flushSoon();
  }

  onData(listener: (chunk: Uint8Array) => void): void {
    this.dataListeners.push(listener);
    this.flushSoon();
  }

  onClose(listener: (exitCode: number | null) => void): void {
    this.closeListeners.push(listener);
    this.flushSoon();
  }

  write(chunk: Uint8Array): void {
    if (!this.closed) this.shell.type(Buffer.from(chunk).toString('utf8'));
  }

  resize(cols: number, rows: number): void {
    if (!this.closed) this.shell.resize(cols, rows);
  }

  pause(): void {
    this.isPaused = true;
  }

  resume(): void {
    this.isPaused = false;
    this.flushSoon();
  }

  detach(): void {
    this.waiting = [];
    this.isPaused = false;
    this.close(null);
  }

  /** Never inside the caller's own call, as with a real engine: listeners run on a later turn. */
  private flushSoon(): void {
    if (this.isFlushing) return;
    this.isFlushing = true;
    setImmediate(() => {
      this.isFlushing = false;
      this.flush();
    });
  }

  private flush(): void {
    if (this.isPaused) return;
    if (this.dataListeners.length > 0) {
      for (const chunk of this.waiting.splice(0)) for (const listener of this.dataListeners) listener(chunk);
    }
    if (!this.closed || (this.waiting.length > 0 && this.dataListeners.length > 0)) return;
    const { exitCode } = this.closed;
    for (const listener of this.closeListeners.splice(0)) listener(exitCode);
  }
}
