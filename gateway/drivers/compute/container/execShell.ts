import type { Duplex } from 'node:stream';
import type { Container, Exec } from 'dockerode';
import type { Logger } from 'pino';
import type { Shell } from '../supervisor/shell';
import { statusOf } from './daemon';

const writeLimitBytes = 64 * 1024;
const resizeTries = 20;
const retryMs = 50;
/** The engine’s way out of a terminal is not the member’s: no key sequence that anybody types. */
const detachKeys = Array.from({ length: 8 }, () => 'ctrl-@').join(',');

export interface ExecRequest {
  user: string;
  environment: string[];
  size: { cols: number; rows: number };
  log: Logger;
}

/** A shell that the daemon runs in a container. It begins at once; what is typed meanwhile waits. */
export class ExecShell implements Shell {
  readonly pid = null;
  private exec: Exec | null = null;
  private stream: Duplex | null = null;
  private isPaused = false;
  private isOver = false;
  private size: { cols: number; rows: number };
  private dataListener: (chunk: Buffer) => void = () => {};
  private exitListener: (exitCode: number | null) => void = () => {};

  constructor(
    private readonly container: Container,
    private readonly request: ExecRequest,
  ) {
    this.size = request.size;
    this.begin().catch((error: unknown) => {
      request.log.warn({ err: error }, 'a terminal did not open');
      this.finish(null);
    });
  }

  onData(listener: (chunk: Buffer) => void): void {
    this.dataListener = listener;
  }

  onExit(listener: (exitCode: number | null) => void): void {
    this.exitListener = listener;
  }

  write(chunk: Buffer): number {
    if (this.isOver) return chunk.length;
    if (!this.stream || this.stream.writableLength > writeLimitBytes) return 0;
    this.stream.write(chunk);
    return chunk.length;
  }

  resize(cols: number, rows: number): void {
    const { size } = this;
    if (size.cols === cols && size.rows === rows) return;
    this.size = { cols, rows };
    this.tellSize(0);
  }

  pause(): void {
    this.isPaused = true;
    this.stream?.pause();
  }

  resume(): void {
    this.isPaused = false;
    this.stream?.resume();
  }

  private async begin(): Promise<void> {
    const { user, environment, size } = this.request;
    // Told by the shell itself as well: a prompt may come before the daemon has passed the size on.
    const command = `cd; stty rows ${size.rows} cols ${size.cols} 2>/dev/null; exec bash -i`;
    this.exec = await this.container.exec({
      ...{ Cmd: ['/bin/sh', '-c', command], User: user, Env: environment, WorkingDir: '/home/lab' },
      ...{ Tty: true, AttachStdin: true, AttachStdout: true, AttachStderr: true, DetachKeys: detachKeys },
    });
    const stream = await this.exec.start({ hijack: true, stdin: true, Tty: true });
    if (this.isOver) {
      stream.destroy();
      return;
    }
    this.stream = stream;
    stream.on('data', (chunk: Buffer) => this.dataListener(chunk));
    stream.on('error', (error) => this.request.log.debug({ err: error }, 'a terminal’s connection broke'));
    stream.once('close', () => void this.readExit());
    stream.once('end', () => stream.destroy());
    if (this.isPaused) stream.pause();
    this.tellSize(0);
  }

  /** The daemon knows the size only once the shell runs. Podman does it and answers 201, which the client takes for a failure. */
  private tellSize(tries: number): void {
    const { exec, size } = this;
    if (!exec || !this.stream || this.isOver) return;
    exec.resize({ h: size.rows, w: size.cols }).catch((error: unknown) => {
      if (statusOf(error) === 201 || tries >= resizeTries || size !== this.size) return;
      setTimeout(() => this.tellSize(tries + 1), retryMs);
    });
  }

  private async readExit(): Promise<void> {
    let exitCode: number | null = null;
    try {
      for (let turn = 0; turn < resizeTries; turn += 1) {
        const told = await this.exec?.inspect();
        if (told && !told.Running) {
          exitCode = told.ExitCode;
          break;
        }
        await new Promise((resolve) => setTimeout(resolve, retryMs));
      }
    } catch (error) {
      this.request.log.debug({ err: error }, 'nobody knows how a shell ended');
    }
    this.finish(exitCode);
  }

  private finish(exitCode: number | null): void {
    if (this.isOver) return;
    this.isOver = true;
    this.stream?.destroy();
    this.exitListener(exitCode);
  }
}
