import { statfs } from 'node:fs/promises';
import { childrenOf, type Process, proportionalBytes, scanProcesses, treeOf } from './procTree';

/** One look at all processes of the host, shared by every lab asked about in the same pass. */
export class ProcessPass {
  readonly processes = scanProcesses();
  private readonly children = childrenOf(this.processes);

  treeOf(rootPids: Iterable<number>): Process[] {
    return treeOf(rootPids, this.processes, this.children);
  }
}

/** Adds up a lab's processor time from passes, so that it never falls when processes end. */
export class CpuMeter {
  private last = new Map<string, Process>();
  private endedMs = 0;
  private totalMs = 0;

  update(tree: readonly Process[]): number {
    const present = new Map(tree.map((process) => [keyOf(process), process]));
    const presentPids = new Set(tree.map((process) => process.pid));
    const vanished = [...this.last.values()].filter((process) => !present.has(keyOf(process)));
    const vanishedByPid = new Map(vanished.map((process) => [process.pid, process]));
    for (const process of vanished) {
      // Whoever's topmost gone ancestor was the supervisor's own child took its time out of the tree; the time of any
      // other went to the living process that reaped it.
      if (!presentPids.has(topOf(process, vanishedByPid).parentPid)) this.endedMs += process.cpuMs;
    }
    this.last = present;
    const livingMs = tree.reduce((total, process) => total + process.cpuMs, 0);
    this.totalMs = Math.max(this.totalMs, this.endedMs + livingMs);
    return this.totalMs;
  }
}

function topOf(process: Process, among: ReadonlyMap<number, Process>): Process {
  let top = process;
  for (let parent = among.get(top.parentPid); parent; parent = among.get(top.parentPid)) top = parent;
  return top;
}

const keyOf = (process: Process) => `${process.pid}:${process.startTicks}`;

/** What the processes hold, each shared page counted once among its sharers. */
export function heldBytes(tree: readonly Process[]): number {
  return tree.reduce((total, process) => total + (process.residentBytes > 0 ? proportionalBytes(process) : 0), 0);
}

/** An upper bound of `heldBytes` that costs nothing. */
export function residentBytes(tree: readonly Process[]): number {
  return tree.reduce((total, process) => total + process.residentBytes, 0);
}

/** Bytes used in folders that live in memory; a folder that is gone holds none. */
export async function folderBytes(folders: readonly string[]): Promise<number> {
  const sizes = await Promise.all(
    folders.map((folder) =>
      statfs(folder).then(
        ({ blocks, bfree, bsize }) => (blocks - bfree) * bsize,
        () => 0,
      ),
    ),
  );
  return sizes.reduce((total, size) => total + size, 0);
}
