import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { findProgram } from './host';
import type { ProcessMark } from './journal';
import { childrenOf, type Process, readEnvironment, scanProcesses, signalMarked, treeOf } from './procTree';
import { openPtyShell } from './ptyShell';
import {
  addedEnvironment,
  kindSignals,
  labEnvironment,
  launchScript,
  prlimitArguments,
  type Sandbox,
  type SandboxRequest,
} from './sandbox';
import type { Shell } from './shell';
import { ProcessPass } from './usage';

const killRounds = 50;
const killPauseMs = 100;

/** The variable that tells a lab's processes apart where no namespace does. */
export const markerOf = (instanceId: string, ref: string) => `LAB_MARK=${instanceId}/${ref}`;

/** Remembers which lab a process belongs to, so that an environment is read once a process. */
export class MarkerIndex {
  private known = new Map<string, string | null>();

  constructor(private readonly instanceId: string) {}

  /** The processes of `ref` among `processes`, wherever in the tree they hide. */
  find(ref: string, processes: ReadonlyMap<number, Process>): Process[] {
    const wanted = markerOf(this.instanceId, ref);
    const seen = new Map<string, string | null>();
    const found = [...processes.values()].filter((process) => {
      const key = `${process.pid}:${process.startTicks}`;
      const marker = this.known.has(key) ? (this.known.get(key) ?? null) : this.read(process.pid);
      seen.set(key, marker);
      return marker === wanted;
    });
    this.known = seen;
    return found;
  }

  private read(pid: number): string | null {
    return readEnvironment(pid)?.find((entry) => entry.startsWith(`LAB_MARK=${this.instanceId}/`)) ?? null;
  }
}

/** No isolation: the member's shell under the supervisor's own uid, with a private home and temp folder and a clean environment. */
export class BareSandbox implements Sandbox {
  readonly marks: readonly ProcessMark[] = [];
  readonly ended: Sandbox['ended'];
  private end: (end: { exitCode: number | null; detail: string }) => void = () => {};
  private readonly tempFolder: string;

  constructor(
    private readonly instanceId: string,
    private readonly markers: MarkerIndex,
    private readonly request: SandboxRequest,
    temp: string,
  ) {
    mkdirSync(temp, { recursive: true, mode: 0o700 });
    this.tempFolder = mkdtempSync(join(temp, 'lab-'));
    this.ended = new Promise((resolve) => {
      this.end = resolve;
    });
  }

  rootPids(): number[] {
    return this.markers.find(this.request.spec.ref, scanProcesses()).map((process) => process.pid);
  }

  memoryFolders(): string[] {
    return [];
  }

  terminalCommand() {
    const { spec, homePath, group, cores } = this.request;
    const [name = '', value = ''] = markerOf(this.instanceId, spec.ref).split(/=(.*)/s);
    const prlimit = findProgram('prlimit');
    const taskset = cores.length > 0 ? findProgram('taskset') : null;
    const command = [
      ...(taskset ? [taskset, '-c', cores.join(',')] : []),
      // The limit counts every process of this uid, so the ones already there are allowed for.
      ...(prlimit ? [prlimit, ...prlimitArguments(spec, spec.processes + countOwnProcesses())] : []),
      ...['/bin/bash', '--norc', '-i'],
    ];
    const own = labEnvironment(homePath);
    const added = Object.fromEntries(addedEnvironment(spec, own));
    const env = { ...added, ...own, TMPDIR: this.tempFolder, PS1: `lab@${spec.hostname}:\\w$ `, [name]: value };
    return {
      file: '/bin/sh',
      args: ['-c', launchScript, 'sh', '', '', '0', ...(group?.joinFiles ?? []), '--', ...command],
      cwd: homePath,
      env,
    };
  }

  openShell(size: { cols: number; rows: number }): Shell {
    return openPtyShell(this.terminalCommand(), size);
  }

  askToEnd(holderPids: readonly number[]): void {
    for (const member of this.members(holderPids)) for (const signal of kindSignals) signalMarked(member, signal);
  }

  isBusy(holderPids: readonly number[]): boolean {
    return this.members(holderPids).length > 0;
  }

  async kill(): Promise<void> {
    await killMarked(this.markers, this.request.spec.ref);
    rmSync(this.tempFolder, { recursive: true, force: true });
    this.end({ exitCode: null, detail: '' });
  }

  /** The member's own processes. */
  private members(holderPids: readonly number[]): Process[] {
    const tree = new ProcessPass().treeOf([...this.rootPids(), ...holderPids]);
    return tree.filter((process) => process.state !== 'Z' && !holderPids.includes(process.pid));
  }
}

/** Stops everything marked as the lab's first, so that nothing can fork away, then kills it until none is left. */
export async function killMarked(markers: MarkerIndex, ref: string): Promise<void> {
  for (let round = 0; round < killRounds; round += 1) {
    const processes = scanProcesses();
    const marked = markers.find(ref, processes).map((process) => process.pid);
    const doomed = treeOf(marked, processes, childrenOf(processes)).filter((process) => process.state !== 'Z');
    if (doomed.length === 0) return;
    for (const process of doomed) signalMarked(process, 'SIGSTOP');
    for (const process of doomed) signalMarked(process, 'SIGKILL');
    await new Promise((resolve) => setTimeout(resolve, round === 0 ? 10 : killPauseMs));
  }
}

function countOwnProcesses(): number {
  return scanProcesses().size;
}
