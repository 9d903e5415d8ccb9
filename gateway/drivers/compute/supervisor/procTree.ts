import { readdirSync, readFileSync } from 'node:fs';
import type { ProcessMark } from './journal';

/** One process, as `/proc/<pid>/stat` tells it. */
export interface Process extends ProcessMark {
  parentPid: number;
  state: string;
  /** Own time and that of its reaped children. */
  cpuMs: number;
  residentBytes: number;
}

/** `USER_HZ`, which is 100 on every architecture Node runs on. */
const msPerTick = 10;
const pageBytes = 4096;

/** Every process of this host, by pid; empty where there is no `/proc`. */
export function scanProcesses(): Map<number, Process> {
  const found = new Map<number, Process>();
  for (const name of listProc()) {
    const pid = Number(name);
    const process = Number.isInteger(pid) ? readProcess(pid) : null;
    if (process) found.set(pid, process);
  }
  return found;
}

export function readProcess(pid: number): Process | null {
  const text = readProc(pid, 'stat');
  if (text === null) return null;
  // The name in brackets may hold anything, so fields count from the last bracket.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const number = (index: number) => Number(fields[index] ?? 0);
  return {
    pid,
    state: fields[0] ?? '?',
    parentPid: number(1),
    startTicks: number(19),
    cpuMs: (number(11) + number(12) + number(13) + number(14)) * msPerTick,
    residentBytes: number(21) * pageBytes,
  };
}

/** True while the very process of the mark lives; a zombie does not. */
export function isAlive(mark: ProcessMark): boolean {
  const process = readProcess(mark.pid);
  return process !== null && process.startTicks === mark.startTicks && process.state !== 'Z';
}

export function childrenOf(processes: ReadonlyMap<number, Process>): Map<number, Process[]> {
  const children = new Map<number, Process[]>();
  for (const process of processes.values()) {
    const siblings = children.get(process.parentPid);
    if (siblings) siblings.push(process);
    else children.set(process.parentPid, [process]);
  }
  return children;
}

/** The processes below and including `rootPids`. */
export function treeOf(
  rootPids: Iterable<number>,
  processes: ReadonlyMap<number, Process>,
  children: ReadonlyMap<number, Process[]>,
): Process[] {
  const queue = [...rootPids].flatMap((pid) => processes.get(pid) ?? []);
  const tree = new Map(queue.map((process) => [process.pid, process]));
  for (let process = queue.pop(); process; process = queue.pop()) {
    for (const child of children.get(process.pid) ?? []) {
      if (tree.has(child.pid)) continue;
      tree.set(child.pid, child);
      queue.push(child);
    }
  }
  return [...tree.values()];
}

/** What a process really costs: shared pages are split among their sharers. Falls back to its resident size. */
export function proportionalBytes(process: Process): number {
  const kilobytes = /^Pss:\s+(\d+) kB/m.exec(readProc(process.pid, 'smaps_rollup') ?? '')?.[1];
  return kilobytes === undefined ? process.residentBytes : Number(kilobytes) * 1024;
}

/** The environment a process was started with; null when it is gone or not ours to read. */
export function readEnvironment(pid: number): string[] | null {
  return readProc(pid, 'environ')?.split('\0') ?? null;
}

function listProc(): string[] {
  try {
    return readdirSync('/proc');
  } catch (error) {
    if (isGone(error)) return [];
    throw error;
  }
}

/** Processes end between listing and reading; that is no error. */
function readProc(pid: number, file: string): string | null {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch (error) {
    if (isGone(error)) return null;
    throw error;
  }
}

function isGone(error: unknown): boolean {
  // Not by class: Node's own errors are of another realm where a test runner isolates its globals.
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : null;
  return code === 'ENOENT' || code === 'ESRCH' || code === 'EACCES' || code === 'EPERM';
}

/** Kills one process if it still is the one of the mark; true when a signal was sent. */
export function signalMarked(mark: ProcessMark, signal: NodeJS.Signals): boolean {
  if (!isAlive(mark)) return false;
  try {
    process.kill(mark.pid, signal);
    return true;
  } catch (error) {
    if (isGone(error)) return false;
    throw error;
  }
}
