import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Container } from 'dockerode';
import type { Logger } from 'pino';
import type { LabSpec } from '../computeEngine';
import type { LabGroup } from '../supervisor/cgroups';
import type { Sandbox } from '../supervisor/sandbox';
import type { Shell } from '../supervisor/shell';
import { shellEnvironment } from './containerBody';
import { statusOf, unlessMissing } from './daemon';
import { ExecShell } from './execShell';
import { askScript, type ControlFolder } from './guard';

const killPollMs = 100;
const unreachablePauseMs = 1000;

export interface ContainerSandboxOptions {
  container: Container;
  spec: LabSpec;
  /** `uid:gid` of the member in the lab. */
  user: string;
  /** Of its first process, as this host numbers it. */
  firstPid: number;
  control: ControlFolder;
  log: Logger;
}

/** A lab in a container. The daemon owns its processes; what is known of them is asked. */
export class ContainerSandbox implements Sandbox {
  readonly marks = [];
  readonly ended: Sandbox['ended'];
  readonly group: LabGroup;
  private end: (end: { exitCode: number | null; detail: string }) => void = () => {};
  private isOver = false;
  private isAsking = false;
  private wasShortOfMemory = false;

  constructor(private readonly options: ContainerSandboxOptions) {
    this.ended = new Promise((resolve) => {
      this.end = resolve;
    });
    const oomFile = findOomFile(options.firstPid);
    const oomKills = () => (this.wasShortOfMemory || (oomFile !== null && readOomKills(oomFile) > 0) ? 1 : 0);
    this.group = { joinFiles: [], oomKills, delete: () => true };
    void options.container.wait({ condition: 'not-running' }).then(
      () => this.look(),
      (error: unknown) => options.log.debug({ err: error }, 'a container is not waited for any more'),
    );
  }

  get ref(): string {
    return this.options.spec.ref;
  }

  rootPids(): number[] {
    return [];
  }

  memoryFolders(): string[] {
    return [];
  }

  openShell(size: { cols: number; rows: number }): Shell {
    const { container, user, spec, log } = this.options;
    return new ExecShell(container, { user, environment: shellEnvironment(spec), size, log });
  }

  askToEnd(): void {
    this.isAsking = true;
    this.ask()
      .catch((error: unknown) => this.options.log.debug({ err: error }, 'a lab could not be asked to end'))
      .finally(() => {
        this.isAsking = false;
      });
  }

  isBusy(): boolean {
    return this.isAsking;
  }

  renewLease(leftMs: number): void {
    this.options.control.renewLease(leftMs);
  }

  async kill(): Promise<void> {
    while (!this.isOver) {
      try {
        await this.options.container.kill({ signal: 'SIGKILL' });
      } catch (error) {
        // Gone, or ended by itself; the look tells which.
        if (statusOf(error) === null) await sleep(unreachablePauseMs);
      }
      await this.look().catch((error: unknown) => this.options.log.debug({ err: error }, 'a container cannot be looked at'));
      if (!this.isOver) await sleep(killPollMs);
    }
  }

  /** Asks the daemon whether it still runs, and ends here if not. Rejects while the daemon does not answer. */
  async look(): Promise<void> {
    if (this.isOver) return;
    const told = await unlessMissing(this.options.container.inspect());
    if (told && (told.State.Running || told.State.Paused)) return;
    this.isOver = true;
    this.wasShortOfMemory ||= told?.State.OOMKilled ?? false;
    this.end({ exitCode: told?.State.ExitCode ?? null, detail: told ? told.State.Error : 'the container is gone' });
  }

  private async ask(): Promise<void> {
    const { container, user } = this.options;
    const exec = await container.exec({ Cmd: ['/bin/sh', '-c', askScript], User: user, AttachStdout: true, WorkingDir: '/' });
    const stream = await exec.start({ hijack: true, stdin: false });
    stream.resume();
    await new Promise<void>((resolve) => {
      stream.once('error', () => resolve());
      stream.once('close', () => resolve());
      stream.once('end', () => {
        stream.destroy();
        resolve();
      });
    });
  }
}

/** Where the kernel counts what it killed of this process's group; null where this host cannot see it. */
function findOomFile(pid: number): string | null {
  const lines = (readOrNull(`/proc/${pid}/cgroup`) ?? '').split('\n').map((line) => line.split(':'));
  const version1 = lines.find(([, names = '']) => names.split(',').includes('memory'));
  const version2 = lines.find(([number, names]) => number === '0' && names === '');
  const files = [
    ...(version1 ? [`/sys/fs/cgroup/memory${version1.slice(2).join(':')}/memory.oom_control`] : []),
    ...(version2 ? [`/sys/fs/cgroup${version2.slice(2).join(':')}/memory.events`] : []),
  ];
  return pid > 0 ? (files.find((file) => /^oom_kill \d/m.test(readOrNull(file) ?? '')) ?? null) : null;
}

const readOomKills = (file: string) => Number(/^oom_kill (\d+)/m.exec(readOrNull(file) ?? '')?.[1] ?? 0);

function readOrNull(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (typeof error === 'object' && error !== null && 'code' in error) return null;
    throw error;
  }
}
