import { spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { etcMounts } from './etc';
import { labHome } from './homes';
import { findProgram, programMounts } from './host';
import { type Process, readProcess, scanProcesses, signalMarked } from './procTree';
import { openPtyShell } from './ptyShell';
import {
  addedEnvironment,
  kindSignals,
  labEnvironment,
  launchScript,
  prlimitArguments,
  type Sandbox,
  SandboxFailed,
  type SandboxRequest,
} from './sandbox';
import type { Shell } from './shell';
import { ProcessPass } from './usage';

const startTimeoutMs = 20_000;
/** Where a root supervisor stages what an unprivileged bubblewrap could not reach below a 0700 DATA_DIR. */
const stagedHome = '/mnt/home';
const stagedEtc = '/mnt/etc';

const variablesPath = '/etc/lab.variables';

/** The programs the recipe is made of, by absolute path. */
export interface NamespaceTools {
  bwrap: string;
  unshare: string;
  nsenter: string;
  setpriv: string;
  prlimit: string;
  taskset: string;
  /** Gives each terminal a pseudo terminal of the lab's own, so that `tty` and tmux work; null: does without. */
  script: string | null;
  canDisableUserns: boolean;
}

/** Starts a bubblewrap sandbox with a holder in it; resolves once the holder runs. Throws `SandboxFailed`. */
export async function startNamespaceSandbox(
  tools: NamespaceTools,
  etc: string,
  request: SandboxRequest,
): Promise<NamespaceSandbox> {
  const { spec, uid, homePath } = request;
  const isStaged = uid !== null;
  const holder = ['-c', 'echo ready; exec sleep infinity >/dev/null 2>&1 3>&- 4>&- 5>&-'];
  const inner = [tools.prlimit, ...prlimitArguments(spec, spec.processes), '/bin/sh', ...holder];
  const chain = [...enterArguments(tools, request), tools.unshare, '-Ur', tools.bwrap, '--args', '3', '--', ...inner];
  const launch = [
    '-c',
    launchScript,
    'sh',
    isStaged ? homePath : '',
    etc,
    ...shownArguments(request),
    ...(request.group?.joinFiles ?? []),
    '--',
    ...chain,
  ];
  const [file, args] = isStaged
    ? [tools.unshare, ['--mount', '--propagation', 'private', '--', '/bin/sh', ...launch]]
    : ['/bin/sh', launch];
  const outer = spawn(file, args, {
    cwd: '/',
    env: labEnvironment(labHome),
    stdio: ['ignore', 'pipe', 'pipe', 'pipe', 'pipe', 'pipe'],
  });

  const ended = new Promise<{ exitCode: number | null; detail: string }>((resolve) => {
    let printed = '';
    outer.stderr?.on('data', (chunk: Buffer) => {
      printed = (printed + chunk.toString()).slice(-2000);
    });
    outer.once('error', (error) => resolve({ exitCode: null, detail: error.message }));
    outer.once('close', (exitCode) => resolve({ exitCode, detail: printed.trim() }));
  });
  const [, , , argumentPipe, statusPipe] = outer.stdio;
  // The types know of five handles only, so the sixth is taken by its place.
  const variablesPipe = outer.stdio.at(5);
  const places = isStaged ? { home: stagedHome, etc: stagedEtc } : { home: homePath, etc };
  for (const pipe of [argumentPipe, variablesPipe]) (pipe as Writable).on('error', () => outer.kill('SIGKILL'));
  (argumentPipe as Writable).end(`${sandboxArguments(tools, request, places).join('\0')}\0`);
  (variablesPipe as Writable).end(variablesFile(request));
  const status = await firstOf(
    Promise.all([readLine(statusPipe as Readable), readLine(outer.stdout as Readable)]).then(([line]) => line),
    ended,
    () => outer.kill('SIGKILL'),
  );
  const innerPid = Number(/"child-pid":\s*(\d+)/.exec(status)?.[1]);
  return new NamespaceSandbox(tools, request, outer.pid ?? -1, innerPid, status.includes('cgroup-namespace'), ended);
}

class NamespaceSandbox implements Sandbox {
  readonly marks;
  private readonly holderPid: number | null;

  constructor(
    private readonly tools: NamespaceTools,
    private readonly request: SandboxRequest,
    private readonly outerPid: number,
    private readonly innerPid: number,
    private readonly hasCgroupNamespace: boolean,
    readonly ended: Sandbox['ended'],
  ) {
    this.marks = [outerPid, innerPid].flatMap((pid) => {
      const process = readProcess(pid);
      return process ? [{ pid, startTicks: process.startTicks }] : [];
    });
    // Later children of the first process are the member's orphans; now there is only the holder.
    this.holderPid = [...scanProcesses().values()].find((process) => process.parentPid === innerPid)?.pid ?? null;
  }

  rootPids(): number[] {
    return [this.outerPid];
  }

  memoryFolders(): string[] {
    return [`/proc/${this.innerPid}/root/tmp`, `/proc/${this.innerPid}/root/dev/shm`];
  }

  /** Joins twice: the outer user namespace gives the right to enter the others, whoever the supervisor is. */
  terminalCommand() {
    const { tools, request } = this;
    const { spec, group } = request;
    const shell = 'exec /bin/bash -i';
    const begin = `cd && . ${variablesPath}`;
    const namespaces = ['-U', '-m', '-p', '-n', '-i', '-u', ...(this.hasCgroupNamespace ? ['-C'] : [])];
    const enter = [
      ...[
        ...enterArguments(tools, request),
        tools.nsenter,
        `--user=/proc/${this.outerPid}/ns/user`,
        '--preserve-credentials',
        '--',
      ],
      ...[tools.nsenter, '-t', String(this.innerPid), ...namespaces, '--preserve-credentials', '--'],
      ...[tools.prlimit, ...prlimitArguments(spec, spec.processes), '/bin/sh', '-c'],
      tools.script ? `${begin} && exec ${tools.script} -qec '${shell}' /dev/null` : `${begin} && ${shell}`,
    ];
    const args = ['-c', launchScript, 'sh', '', '', '0', ...(group?.joinFiles ?? []), '--', ...enter];
    return { file: '/bin/sh', args, cwd: '/', env: { ...labEnvironment(labHome), PS1: 'lab@\\h:\\w\\$ ' } };
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

  /** The inner first process dies and the whole lab with it; the outer one reaps it, so that no zombie is left. */
  async kill(): Promise<void> {
    for (const mark of [...this.marks].reverse()) {
      signalMarked(mark, 'SIGKILL');
      const isOver = await Promise.race([this.ended.then(() => true), delay(2000).then(() => false)]);
      if (isOver) return;
    }
    await this.ended;
  }

  /** The member's own processes. */
  private members(holderPids: readonly number[]): Process[] {
    const tree = new ProcessPass().treeOf([...this.rootPids(), ...holderPids]);
    return tree.filter(
      (process) =>
        ![this.outerPid, this.innerPid, this.holderPid].includes(process.pid) &&
        process.state !== 'Z' &&
        !holderPids.includes(process.pid),
    );
  }
}

/** Sourced by every shell: by a file, since a command line could be read by others and an environment by what runs before. */
function variablesFile({ spec }: SandboxRequest): string {
  const lines = addedEnvironment(spec, labEnvironment(labHome)).map(([name, value]) => {
    return `export ${name}='${value.replaceAll("'", "'\\''")}'\n`;
  });
  return lines.join('');
}

/** How many folders the launch script stages, and which. */
function shownArguments({ spec }: SandboxRequest): string[] {
  return [String(spec.mounts.length), ...spec.mounts.map((mount) => mount.source)];
}

function shownMounts({ spec, uid }: SandboxRequest): string[] {
  return spec.mounts.flatMap(({ source, target }, index) => ['--ro-bind', uid === null ? source : `/mnt/shown${index}`, target]);
}

/** Sheds the supervisor's rights before anything of the lab runs, and takes its processors. */
function enterArguments(tools: NamespaceTools, { uid, cores }: SandboxRequest): string[] {
  const identity = uid === null ? [] : ['--reuid', String(uid), '--regid', String(uid), '--clear-groups'];
  const affinity = cores.length > 0 ? [tools.taskset, '-c', cores.join(',')] : [];
  return [tools.setpriv, ...identity, '--no-new-privs', '--', ...affinity];
}

function sandboxArguments(tools: NamespaceTools, request: SandboxRequest, places: { home: string; etc: string }): string[] {
  const { spec } = request;
  // What lies in memory counts as memory; a quarter each keeps a full /tmp from ending the lab.
  const memoryFolderBytes = String(Math.max(1024 ** 2, Math.min(1024 ** 3, Math.floor(spec.memoryBytes / 4))));
  const environment = Object.entries(labEnvironment(labHome)).flatMap(([name, value]) => ['--setenv', name, value]);
  return [
    ...['--unshare-user', '--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-net', '--unshare-cgroup-try'],
    ...(tools.canDisableUserns ? ['--disable-userns'] : []),
    ...['--die-with-parent', '--hostname', spec.hostname, '--uid', '1000', '--gid', '1000', '--cap-drop', 'ALL'],
    ...programMounts(),
    ...etcMounts(places.etc),
    ...['--proc', '/proc', '--dev', '/dev', '--perms', '1777', '--size', memoryFolderBytes, '--tmpfs', '/tmp'],
    ...['--perms', '1777', '--size', memoryFolderBytes, '--tmpfs', '/dev/shm', '--dir', '/var', '--symlink', '/tmp', '/var/tmp'],
    ...['--bind', places.home, labHome, ...shownMounts(request)],
    ...['--perms', '0444', '--ro-bind-data', '5', variablesPath, '--remount-ro', '/dev', '--remount-ro', '/', '--chdir', labHome],
    ...['--clearenv', ...environment, '--json-status-fd', '4'],
  ];
}

async function firstOf(ready: Promise<string>, ended: Sandbox['ended'], giveUp: () => void): Promise<string> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new SandboxFailed('the sandbox did not get ready in time')), startTimeoutMs);
  });
  const early = ended.then(({ exitCode, detail }) => {
    throw new SandboxFailed(`the sandbox ended with ${exitCode ?? 'a signal'} before it was ready: ${detail}`);
  });
  try {
    return await Promise.race([ready, early, late]);
  } catch (error) {
    giveUp();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** The first line a pipe gives. Stays open when it closes without one: then the sandbox's end says why. */
function readLine(pipe: Readable): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    pipe.on('error', () => pipe.destroy());
    pipe.on('data', (chunk: Buffer) => {
      text = (text + chunk.toString()).slice(0, 4096);
      if (text.includes('\n')) resolve(text);
    });
  });
}

const delay = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** The recipe's programs, or null when one is missing. */
export function findNamespaceTools(bwrapHelp: (bwrap: string) => string): NamespaceTools | null {
  const paths = ['bwrap', 'unshare', 'nsenter', 'setpriv', 'prlimit', 'taskset'].map(findProgram);
  const [bwrap, unshare, nsenter, setpriv, prlimit, taskset] = paths;
  if (!bwrap || !unshare || !nsenter || !setpriv || !prlimit || !taskset || !findProgram('bash')) return null;
  const canDisableUserns = bwrapHelp(bwrap).includes('--disable-userns');
  return { bwrap, unshare, nsenter, setpriv, prlimit, taskset, script: findProgram('script'), canDisableUserns };
}
