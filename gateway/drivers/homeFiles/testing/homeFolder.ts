import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import pino from 'pino';
import type { HomePlace } from '../../compute/computeEngine';
import { firstLabUid } from '../../compute/supervisor/homes';
import { createAgentHomeFiles } from '../agentHomeFiles';
import type { HomeFiles } from '../homeFiles';

export const WORKSHOP = 'workshop-1';

export interface HomeFolderSubject {
  files: HomeFiles;
  /** The home as this machine has it; it is made by the first write, or by `open`. */
  directory: string;
  /** Beside the home: what nobody may reach. */
  outside: string;
  /** Runs a shell command in the home, as its owner would. */
  shell(script: string): void;
  close(): Promise<void>;
}

/** A home in a folder of this machine, owned as a workshop's is, with its agent. */
export function openHomeFolder({ isSandboxed = true, idleMs }: { isSandboxed?: boolean; idleMs?: number } = {}): HomeFolderSubject {
  const base = mkdtempSync(join(tmpdir(), 'atelier-homes-'));
  // Unlike DATA_DIR it lets anybody by: only the agent itself stands between a link and what it names.
  chmodSync(base, 0o755);
  const uid = process.getuid?.() === 0 ? firstLabUid + 77 : (process.getuid?.() ?? 0);
  const place: HomePlace = {
    directory: join(base, WORKSHOP),
    uid,
    gid: process.getuid?.() === 0 ? uid : (process.getgid?.() ?? 0),
  };
  const isThere = () => statSync(place.directory, { throwIfNoEntry: false }) !== undefined;
  const makeHome = async () => {
    mkdirSync(place.directory, { mode: 0o700 });
    chownSync(place.directory, place.uid, place.gid);
  };
  const files = createAgentHomeFiles({
    engine: {
      homeOf: async () => (isThere() ? place : null),
      makeHome,
      capabilities: async () => {
        throw new Error('not asked where the sandbox works');
      },
    },
    log: pino({ level: 'silent' }),
    isSandboxed,
    ...(idleMs === undefined ? {} : { idleMs }),
  });
  mkdirSync(join(base, 'outside'), { mode: 0o755 });
  return {
    files,
    directory: place.directory,
    outside: join(base, 'outside'),
    shell: (script) => {
      if (!isThere()) {
        mkdirSync(place.directory, { mode: 0o700 });
        chownSync(place.directory, place.uid, place.gid);
      }
      const own = process.getuid?.() === 0 ? { uid: place.uid, gid: place.gid } : {};
      // The folder above it is root's alone, as DATA_DIR is: entered before the rights are shed.
      execFileSync('/bin/bash', ['-ec', script], { cwd: place.directory, ...own, stdio: ['ignore', 'ignore', 'pipe'] });
    },
    close: async () => {
      await files.close();
      execFileSync('chmod', ['-R', 'u+rwX', base]);
      rmSync(base, { recursive: true, force: true });
    },
  };
}

/** A file's whole text, as the port gives it. */
export async function readText(files: HomeFiles, path: string): Promise<string> {
  const { sizeBytes } = await files.stat(WORKSHOP, path);
  if (sizeBytes === 0) return '';
  return text(await files.read(WORKSHOP, path, { start: 0, end: sizeBytes - 1 }));
}
