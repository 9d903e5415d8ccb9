import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readlinkSync, realpathSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';

export const SOCKET_NAME = '.s.PGSQL.5432';

/**
 * The process id of the PostgreSQL that serves this folder; null when none does. `pg_ctl status` would take any process that
 * was given a dead server's number for it, so the process is looked at.
 */
export function findPostmaster(dataFolder: string): number | null {
  const pidFile = join(dataFolder, 'postmaster.pid');
  if (!existsSync(pidFile)) return null;
  const pid = Number.parseInt(readFileSync(pidFile, 'utf8'), 10);
  return pid > 0 && servesFolder(pid, dataFolder) ? pid : null;
}

function servesFolder(pid: number, dataFolder: string): boolean {
  try {
    // A server's working folder is its data folder.
    if (process.platform === 'linux') return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(dataFolder);
    return execFileSync('ps', ['-o', 'comm=', '-p', String(pid)], { encoding: 'utf8' }).includes('postgres');
  } catch {
    return false;
  }
}

/** Clears what a killed server left behind; only to be called when `findPostmaster` found none. */
export async function removeStaleLocks(dataFolder: string, socketFolder: string): Promise<void> {
  for (const file of [
    join(dataFolder, 'postmaster.pid'),
    join(socketFolder, SOCKET_NAME),
    join(socketFolder, `${SOCKET_NAME}.lock`),
  ]) {
    await rm(file, { force: true });
  }
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
