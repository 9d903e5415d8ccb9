import { randomUUID } from 'node:crypto';
import { chmodSync, existsSync, linkSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Linux allows 107 bytes in a socket's path, macOS 103. */
const longestSocketPathBytes = 103;

export interface SupervisorPaths {
  folder: string;
  homes: string;
  journal: string;
  log: string;
  etc: string;
  /** Temp folders of labs that have no namespace to hide them in. */
  temp: string;
  instance: string;
  /** Names the socket when DATA_DIR's own path is too long for one. */
  socketPointer: string;
}

export function supervisorPaths(dataDir: string): SupervisorPaths {
  const folder = join(dataDir, 'supervisor');
  return {
    folder,
    homes: join(dataDir, 'homes'),
    journal: join(folder, 'journal.jsonl'),
    log: join(folder, 'supervisor.log'),
    etc: join(folder, 'etc'),
    temp: join(folder, 'tmp'),
    instance: join(folder, 'instance-id'),
    socketPointer: join(folder, 'socket-path'),
  };
}

/** Makes the private folders; whatever mode they had, they are 0700 afterwards. */
export function preparePaths(dataDir: string): SupervisorPaths {
  const paths = supervisorPaths(dataDir);
  for (const folder of [dataDir, paths.folder, paths.homes]) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    chmodSync(folder, 0o700);
  }
  return paths;
}

/** The UUID of this engine instance, made once; the link makes one winner of two who start at the same time. */
export function readInstanceId(paths: SupervisorPaths): string {
  if (!existsSync(paths.instance)) {
    const draft = `${paths.instance}.${process.pid}`;
    writeFileSync(draft, `${randomUUID()}\n`, { mode: 0o600, flush: true });
    try {
      linkSync(draft, paths.instance);
    } catch (error) {
      if (!existsSync(paths.instance)) throw error;
    } finally {
      rmSync(draft, { force: true });
    }
  }
  return readFileSync(paths.instance, 'utf8').trim();
}

/** Where the socket is, or `null` while none was ever made at a short path. */
export function findSocketPath(paths: SupervisorPaths): string | null {
  const own = join(paths.folder, 'socket');
  if (Buffer.byteLength(own) <= longestSocketPathBytes) return own;
  if (!existsSync(paths.socketPointer)) return null;
  const pointed = readFileSync(paths.socketPointer, 'utf8').trim();
  return isOurs(dirname(pointed)) ? pointed : null;
}

/** As `findSocketPath`, making a short private folder when DATA_DIR's path is too long. Only the lock's holder calls it. */
export function makeSocketPath(paths: SupervisorPaths): string {
  const found = findSocketPath(paths);
  if (found) return found;
  const made = join(mkdtempSync(join(tmpdir(), 'atelier-')), 'socket');
  writeFileSync(paths.socketPointer, `${made}\n`, { mode: 0o600, flush: true });
  return made;
}

/** Takes the socket, and its short folder if it has one, away again. */
export function removeSocket(paths: SupervisorPaths, socketPath: string): void {
  rmSync(socketPath, { force: true });
  if (dirname(socketPath) === paths.folder) return;
  rmSync(paths.socketPointer, { force: true });
  rmSync(dirname(socketPath), { recursive: true, force: true });
}

/** A folder in a shared temp directory is trusted only while it is ours and closed to others. */
function isOurs(folder: string): boolean {
  const stat = lstatSync(folder, { throwIfNoEntry: false });
  return stat?.isDirectory() === true && stat.uid === process.getuid?.() && (stat.mode & 0o077) === 0;
}
