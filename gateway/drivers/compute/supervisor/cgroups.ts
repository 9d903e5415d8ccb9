import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The kernel's own limits for one lab. */
export interface LabGroup {
  /** A process joins by writing 0 to each of these before it becomes the lab's. */
  joinFiles: string[];
  /** How often the kernel killed in this group for want of memory. */
  oomKills(): number;
  /** Empty groups only; quietly tried again by the next sweep otherwise. */
  delete(): boolean;
}

export interface Cgroups {
  hasMemory: boolean;
  hasCpu: boolean;
  createGroup(name: string, limits: { memoryBytes: number; cpuCores: number; processes: number }): LabGroup;
  /** Takes away what an earlier supervisor left behind. */
  sweep(): void;
  /** Takes everything of ours away that is empty; nothing can be created afterwards. */
  close(): void;
}

const controllers = ['memory', 'cpu', 'pids'] as const;
type Controller = (typeof controllers)[number];
const cpuPeriodUs = 100_000;

/** Looks for a writable cgroup (version 1 or 2) and proves it by a process that joins; null where there is none. */
export function probeCgroups(instanceId: string): Cgroups | null {
  const bases = readBases(`atelier-${instanceId.slice(0, 8)}`);
  for (const find of [findVersion1, findVersion2]) {
    const cgroups = attempt(() => find(bases));
    if (cgroups && attempt(() => prove(cgroups))) return cgroups;
  }
  return null;
}

interface Bases {
  version1: Map<Controller, string>;
  version2: string | null;
}

/** Where this process's own groups are mounted; ours go below. */
function readBases(name: string): Bases {
  const bases: Bases = { version1: new Map(), version2: null };
  const mounts = attempt(() => readFileSync('/proc/self/mountinfo', 'utf8')) ?? '';
  const own = attempt(() => readFileSync('/proc/self/cgroup', 'utf8')) ?? '';
  for (const line of mounts.split('\n')) {
    const [left = '', right = ''] = line.split(' - ');
    const [, , , root = '/', mountPoint = ''] = left.split(' ');
    const [kind = '', , options = ''] = right.split(' ');
    if (kind !== 'cgroup' && kind !== 'cgroup2') continue;
    const held = kind === 'cgroup2' ? [''] : options.split(',');
    for (const row of own.split('\n')) {
      const [, names = '', ...path] = row.split(':');
      const place = join(mountPoint, path.join(':').replace(root === '/' ? '' : root, ''), name);
      if (kind === 'cgroup2' && names === '' && row !== '') bases.version2 = place;
      for (const controller of controllers) {
        if (names.split(',').includes(controller) && held.includes(controller)) bases.version1.set(controller, place);
      }
    }
  }
  return bases;
}

function findVersion1({ version1 }: Bases): Cgroups | null {
  const usable = [...version1].filter(([, base]) => attempt(() => mkdirSync(base, { recursive: true }) ?? true));
  if (!usable.some(([controller]) => controller === 'memory')) return null;
  const memoryBase = version1.get('memory') ?? '';
  const limitFiles: Record<
    Controller,
    (limits: { memoryBytes: number; cpuCores: number; processes: number }) => [string, number][]
  > = {
    memory: ({ memoryBytes }) => [
      ['memory.limit_in_bytes', memoryBytes],
      ['memory.memsw.limit_in_bytes', memoryBytes],
    ],
    cpu: ({ cpuCores }) => [
      ['cpu.cfs_period_us', cpuPeriodUs],
      ['cpu.cfs_quota_us', Math.round(cpuCores * cpuPeriodUs)],
    ],
    pids: ({ processes }) => [['pids.max', processes + ownProcesses]],
  };
  return {
    hasMemory: true,
    hasCpu: usable.some(([controller]) => controller === 'cpu'),
    createGroup: (name, limits) => {
      const folders = usable.map(([controller, base]) => {
        const folder = join(base, name);
        mkdirSync(folder, { recursive: true });
        for (const [file, value] of limitFiles[controller](limits)) writeLimit(folder, file, value);
        return folder;
      });
      return groupOf(folders, join(memoryBase, name, 'memory.oom_control'));
    },
    sweep: () => {
      for (const [, base] of usable) sweepFolder(base);
    },
    close: () => {
      for (const [, base] of usable) closeFolder(base);
    },
  };
}

function findVersion2({ version2 }: Bases): Cgroups | null {
  if (!version2) return null;
  const parent = join(version2, '..');
  const offered = readFileSync(join(parent, 'cgroup.controllers'), 'utf8').trim().split(' ');
  const wanted = controllers.filter((controller) => offered.includes(controller));
  if (!wanted.includes('memory')) return null;
  const enable = wanted.map((controller) => `+${controller}`).join(' ');
  // Refused while processes sit in the parent itself, as version 2 has it: then memory is polled.
  writeFileSync(join(parent, 'cgroup.subtree_control'), enable);
  mkdirSync(version2, { recursive: true });
  writeFileSync(join(version2, 'cgroup.subtree_control'), enable);
  return {
    hasMemory: true,
    hasCpu: wanted.includes('cpu'),
    createGroup: (name, { memoryBytes, cpuCores, processes }) => {
      const folder = join(version2, name);
      mkdirSync(folder, { recursive: true });
      writeLimit(folder, 'memory.max', memoryBytes);
      writeLimit(folder, 'memory.swap.max', 0);
      if (wanted.includes('cpu')) writeFileSync(join(folder, 'cpu.max'), `${Math.round(cpuCores * cpuPeriodUs)} ${cpuPeriodUs}`);
      if (wanted.includes('pids')) writeLimit(folder, 'pids.max', processes + ownProcesses);
      return groupOf([folder], join(folder, 'memory.events'));
    },
    sweep: () => sweepFolder(version2),
    close: () => closeFolder(version2),
  };
}

/** The sandbox's own processes and those that hold its terminals, beside the member's. */
const ownProcesses = 32;

function groupOf(folders: string[], oomFile: string): LabGroup {
  return {
    joinFiles: folders.map((folder) => join(folder, 'cgroup.procs')),
    oomKills: () => Number(/^oom_kill (\d+)/m.exec(attempt(() => readFileSync(oomFile, 'utf8')) ?? '')?.[1] ?? 0),
    delete: () => folders.every((folder) => !existsSync(folder) || attempt(() => rmdirSync(folder) ?? true) === true),
  };
}

/** Files a kernel lacks (swap accounting) are left out; a file that is there must take its value. */
function writeLimit(folder: string, file: string, value: number): void {
  const path = join(folder, file);
  if (existsSync(path)) writeFileSync(path, String(value));
}

function sweepFolder(base: string): void {
  const names = attempt(() => readdirSync(base, { withFileTypes: true })) ?? [];
  for (const entry of names) if (entry.isDirectory()) attempt(() => rmdirSync(join(base, entry.name)));
}

function closeFolder(base: string): void {
  sweepFolder(base);
  attempt(() => rmdirSync(base));
}

function prove(cgroups: Cgroups): boolean {
  const group = cgroups.createGroup('probe', { memoryBytes: 64 * 1024 ** 2, cpuCores: 1, processes: 8 });
  try {
    const script = 'for file in "$@"; do echo 0 > "$file" || exit 1; done';
    execFileSync('/bin/sh', ['-c', script, 'sh', ...group.joinFiles], { timeout: 5000, stdio: 'ignore' });
    return true;
  } finally {
    group.delete();
  }
}

/** A probe's question: a refusal of the system is the answer no. */
function attempt<T>(ask: () => T): T | null {
  try {
    return ask();
  } catch (error) {
    if (error instanceof Error && ('code' in error || 'status' in error)) return null;
    throw error;
  }
}
