import { existsSync } from 'node:fs';
import Docker from 'dockerode';

/** What a daemon says of itself, as far as labs depend on it. */
export interface DaemonFacts {
  socketPath: string;
  /** Podman answers the same calls, and differs in details. */
  isPodman: boolean;
  isRootless: boolean;
  version: string;
  cpuCores: number;
  memoryBytes: number;
}

/** No daemon answers; the message is one sentence for the operator. */
export class DaemonMissing extends Error {
  override readonly name = 'DaemonMissing';
}

interface InfoAnswer {
  ServerVersion?: string;
  NCPU?: number;
  MemTotal?: number;
  SecurityOptions?: string[] | null;
  Rootless?: boolean;
  OSType?: string;
}

/** The first socket behind which a daemon answers that can keep labs. Throws `DaemonMissing` naming each and what was wrong. */
export async function findDaemon(socketPaths: readonly string[]): Promise<DaemonFacts> {
  const tried: string[] = [];
  for (const socketPath of socketPaths) {
    try {
      return await readFacts(socketPath);
    } catch (error) {
      tried.push(`${socketPath} (${error instanceof DaemonMissing ? error.message : wordsOf(error)})`);
    }
  }
  throw new DaemonMissing(
    `No container engine answers; tried ${tried.join(', ')}. Start Docker or Podman (for example "podman system service --time=0"), ` +
      'or name its socket with DOCKER_HOST=unix:///path.',
  );
}

export async function readFacts(socketPath: string): Promise<DaemonFacts> {
  if (!existsSync(socketPath)) throw new DaemonMissing('no such socket');
  const docker = new Docker({ socketPath, timeout: 10_000 });
  const info: InfoAnswer = await docker.info();
  const { Components = [] } = await docker.version();
  const isPodman = Components.some((component) => /podman/i.test(component.Name));
  const isRootless = info.Rootless === true || (info.SecurityOptions ?? []).some((option) => option.includes('name=rootless'));
  if (info.OSType !== undefined && info.OSType !== 'linux') throw new DaemonMissing(`it runs ${info.OSType}, labs need linux`);
  if (isRootless && !isPodman)
    throw new DaemonMissing('rootless Docker makes every lab the owner of its homes; rootless Podman does not');
  return {
    socketPath,
    isPodman,
    isRootless,
    version: info.ServerVersion ?? '',
    cpuCores: info.NCPU ?? 1,
    memoryBytes: info.MemTotal ?? 0,
  };
}

/** The status of a daemon's refusal; null when it never answered. */
export function statusOf(error: unknown): number | null {
  const status: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, 'statusCode') : null;
  return typeof status === 'number' ? status : null;
}

export const wordsOf = (error: unknown) => (error instanceof Error ? error.message.trim() : String(error));

/** Ours of an answer that says the thing is not there. */
export async function unlessMissing<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (statusOf(error) === 404) return null;
    throw error;
  }
}
