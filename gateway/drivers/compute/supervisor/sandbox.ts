import type { LabSpec } from '../computeEngine';
import type { LabGroup } from './cgroups';
import type { ProcessMark } from './journal';
import type { Shell } from './shell';

/** What every sandbox is started with. */
export interface SandboxRequest {
  spec: LabSpec;
  homePath: string;
  /** Host uid to run as; null: the supervisor's own. */
  uid: number | null;
  cores: number[];
  group: LabGroup | null;
}

/** A command line for a pseudo terminal inside the sandbox. */
export interface TerminalCommand {
  file: string;
  args: string[];
  cwd: string;
  env: Record<string, string>;
}

/** The place one lab runs in. */
export interface Sandbox {
  /** Kept in the journal, so that a later supervisor can make sure nothing survived. */
  readonly marks: readonly ProcessMark[];
  /** Roots of the lab's process tree beside its terminals. */
  rootPids(): number[];
  /** Folders that live in memory and therefore count as memory. */
  memoryFolders(): string[];
  openShell(size: { cols: number; rows: number }): Shell;
  /** Asks the member's programs to end; `holderPids` hold terminals and are not theirs. */
  askToEnd(holderPids: readonly number[]): void;
  /** Whether programs of the member are still there. */
  isBusy(holderPids: readonly number[]): boolean;
  /** Where nobody watches from outside, the lab itself keeps to the run time it has left. */
  renewLease?(leftMs: number): void;
  /** Resolves when nothing of the lab is left; never rejects. */
  kill(): Promise<void>;
  /** Resolves when the sandbox ended by itself or was killed. */
  readonly ended: Promise<{ exitCode: number | null; detail: string }>;
}

/** Raised when the sandbox could not be made; the detail is for the operator. */
export class SandboxFailed extends Error {
  override readonly name = 'SandboxFailed';
}

/** What signals a kind stop sends: the second for shells, the third for what is held. */
export const kindSignals = ['SIGTERM', 'SIGHUP', 'SIGCONT'] as const;

/** Runs before every command of a lab, still with the supervisor's rights: joins cgroups, is killed first when memory is short, stages private folders. */
export const launchScript = `umask 022; home=$1 etc=$2 shown=$3; shift 3
set -f
if [ -n "$home" ]; then
  mount -t tmpfs -o mode=0755,size=64k tmpfs /mnt && mkdir /mnt/home /mnt/etc &&
  mount --bind "$home" /mnt/home && mount --bind "$etc" /mnt/etc || exit 126
fi
number=0
while [ "$number" -lt "$shown" ]; do
  if [ -n "$home" ]; then mkdir "/mnt/shown$number" && mount --bind "$1" "/mnt/shown$number" || exit 126; fi
  number=$((number + 1)); shift
done
while [ "$1" != -- ]; do echo 0 > "$1" || exit 125; shift; done; shift
{ echo 700 > /proc/self/oom_score_adj; } 2>/dev/null
exec "$@"`;

/** Limits every process of a lab inherits. They are set inside the sandbox, where only its own processes count. */
export function prlimitArguments(spec: LabSpec, processes: number): string[] {
  return [`--nproc=${processes}`, `--fsize=${Math.ceil(spec.diskBytes)}`, '--nofile=4096', '--core=0'];
}

/** What the lab's own variables come to beside the engine's, which win. */
export function addedEnvironment(spec: LabSpec, own: Readonly<Record<string, string>>): [name: string, value: string][] {
  return Object.entries(spec.env).filter(([name]) => !(name in own) && name !== 'PS1');
}

/** Nothing of the supervisor's environment reaches a lab. */
export function labEnvironment(home: string): Record<string, string> {
  return {
    HOME: home,
    USER: 'lab',
    LOGNAME: 'lab',
    SHELL: '/bin/bash',
    PATH: '/usr/local/bin:/usr/bin:/bin',
    LANG: 'C.UTF-8',
    TERM: 'xterm-256color',
    COLORTERM: 'truecolor',
  };
}
