import { accessSync, constants, existsSync, lstatSync, readFileSync, readlinkSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';

/** Where programs are looked for: on the host, and under the same paths in a lab. */
export const programFolders = ['/usr/local/bin', '/usr/bin', '/bin'] as const;

/** The absolute path of a program, or null. */
export function findProgram(name: string): string | null {
  if (!/^[\w.+-]+$/.test(name)) return null;
  return programFolders.map((folder) => join(folder, name)).find(isExecutable) ?? null;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch (error) {
    if ('code' in Object(error)) return false;
    throw error;
  }
}

/** The processors this process may use, by number. */
export function allowedCores(): number[] {
  const text = existsSync('/proc/self/status') ? readFileSync('/proc/self/status', 'utf8') : '';
  const list = /^Cpus_allowed_list:\s+(\S+)/m.exec(text)?.[1];
  if (!list) return Array.from({ length: availableParallelism() }, (_item, core) => core);
  return list.split(',').flatMap((range) => {
    const [first = 0, last = first] = range.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_item, step) => first + step);
  });
}

/** Bytes of memory new work could get, or null where the host does not say. */
export function availableMemoryBytes(): number | null {
  const text = existsSync('/proc/meminfo') ? readFileSync('/proc/meminfo', 'utf8') : '';
  const kilobytes = /^MemAvailable:\s+(\d+) kB/m.exec(text)?.[1];
  return kilobytes === undefined ? null : Number(kilobytes) * 1024;
}

/** Bubblewrap arguments that give a lab the host's programs, whether `/bin` is a folder of its own or a link. */
export function programMounts(): string[] {
  const mounts = ['--ro-bind', '/usr', '/usr'];
  for (const folder of ['/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32']) {
    const stat = lstatSync(folder, { throwIfNoEntry: false });
    if (stat?.isSymbolicLink()) mounts.push('--symlink', readlinkSync(folder), folder);
    else if (stat?.isDirectory()) mounts.push('--ro-bind', folder, folder);
  }
  return mounts;
}

/** Spreads labs over processors: each new one gets those that carry the fewest. */
export class CoreShares {
  private readonly labsOnCore: Map<number, number>;

  constructor(cores: readonly number[]) {
    this.labsOnCore = new Map(cores.map((core) => [core, 0]));
  }

  get count(): number {
    return this.labsOnCore.size;
  }

  take(wanted: number): number[] {
    const byLoad = [...this.labsOnCore].sort(([, left], [, right]) => left - right);
    const taken = byLoad.slice(0, Math.max(1, Math.ceil(wanted))).map(([core]) => core);
    for (const core of taken) this.labsOnCore.set(core, (this.labsOnCore.get(core) ?? 0) + 1);
    return taken;
  }

  give(cores: readonly number[]): void {
    for (const core of cores) this.labsOnCore.set(core, Math.max(0, (this.labsOnCore.get(core) ?? 0) - 1));
  }
}
