import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { lstatSync, readdirSync } from 'node:fs';
import { chmod, chown, mkdir, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { EngineRefused, type HomePlace } from '../computeEngine';
import { supervisorPaths } from './paths';

const run = promisify(execFile);

/** A range of host uids that distributions leave to nobody; each workshop's home gets one of its own. */
export const firstLabUid = 1_900_000_000;
const lastLabUid = firstLabUid + 99_999_999;
const isLabUid = (uid: number) => uid >= firstLabUid && uid <= lastLabUid;

/** Where a home is in its lab. */
export const labHome = '/home/lab';

/** What may name a home: it becomes a path. */
export const homeName = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

export interface Home {
  path: string;
  /** The host uid its lab runs as; null: the supervisor's own. */
  uid: number | null;
}

/** The workshops' homes under DATA_DIR; they outlive their labs. */
export class Homes {
  private nextUid = firstLabUid;

  /** `hasOwnUids`: labs leave the supervisor's uid for one of their own, which only root can give. */
  constructor(
    private readonly folder: string,
    private readonly hasOwnUids: boolean,
  ) {
    for (const name of readdirSync(folder)) {
      const uid = lstatSync(join(folder, name), { throwIfNoEntry: false })?.uid ?? 0;
      if (isLabUid(uid)) this.nextUid = Math.max(this.nextUid, uid + 1);
    }
  }

  /** Makes the home if it is missing and hands it to its uid. */
  async ensure(workshopId: string): Promise<Home> {
    const path = this.pathOf(workshopId);
    await mkdir(path, { recursive: true, mode: 0o700 });
    await chmod(path, 0o700);
    if (!this.hasOwnUids) return { path, uid: null };
    const { uid } = await stat(path);
    if (isLabUid(uid)) return { path, uid };
    const given = this.nextUid++;
    // -h: links themselves, never what they point to. The folder last, so that a crash half-way starts over.
    const inside = readdirSync(path).map((name) => join(path, name));
    if (inside.length > 0) await run('chown', ['-hR', `${given}:${given}`, '--', ...inside]);
    await chown(path, given, given);
    return { path, uid: given };
  }

  /** A folder shown inside the home needs one to lie on; whatever of the member's is in its way is kept under another name. */
  async makePlace(home: Home, target: string): Promise<void> {
    if (!target.startsWith(`${labHome}/`)) return;
    const path = join(home.path, target.slice(labHome.length + 1));
    const there = lstatSync(path, { throwIfNoEntry: false });
    if (there?.isDirectory()) return;
    if (there) await rename(path, `${path}.kept-${randomBytes(4).toString('hex')}`);
    await mkdir(path, { mode: 0o755 });
    if (home.uid !== null) await chown(path, home.uid, home.uid);
  }

  /** Bytes on disk, or null when it could not be counted in `timeoutMs`. */
  async measure(workshopId: string, timeoutMs: number): Promise<number | null> {
    return measureFolder(this.pathOf(workshopId), timeoutMs);
  }

  /** Deletes a home for good; a missing one is done. Links are removed, never followed, other file systems left alone. */
  async delete(workshopId: string): Promise<void> {
    const doomed = join(this.folder, `.deleted-${randomBytes(8).toString('hex')}`);
    try {
      await rename(this.pathOf(workshopId), doomed);
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return;
      throw error;
    }
    await this.erase(doomed);
  }

  /** Finishes deletions a crash interrupted. */
  async eraseLeftovers(): Promise<void> {
    for (const name of readdirSync(this.folder)) if (name.startsWith('.deleted-')) await this.erase(join(this.folder, name));
  }

  pathOf(workshopId: string): string {
    return join(this.folder, workshopId);
  }

  /** The system's own tools walk by handle, so neither depth nor links nor folders without permissions stop them. */
  private async erase(path: string): Promise<void> {
    await run('chmod', ['-R', 'u+rwX', '--', path]);
    await run('rm', ['-rf', '--one-file-system', '--', path]);
  }
}

/** Bytes a folder takes on disk, or null when they could not be counted in `timeoutMs`. */
export async function measureFolder(path: string, timeoutMs: number): Promise<number | null> {
  try {
    const { stdout } = await run('du', ['-sx', '-B1', '--', path], {
      timeout: timeoutMs,
      maxBuffer: 1024 ** 2,
    });
    return Number(stdout.split('\t')[0]);
  } catch (error) {
    // A file deleted while it is counted makes du end with 1; what it counted is still the best there is.
    const printed = error instanceof Error && 'stdout' in error ? Number(String(error.stdout).split('\t')[0]) : 0;
    return printed > 0 ? printed : null;
  }
}

/** Where a workshop's home lies, and whose it is; null while it has none. Throws `EngineRefused` for what is no workshop's id. */
export function findHome(dataDir: string, workshopId: string): HomePlace | null {
  if (!homeName.test(workshopId)) throw new EngineRefused('engine_error', 'not a workshop id');
  const directory = join(supervisorPaths(dataDir).homes, workshopId);
  const found = lstatSync(directory, { throwIfNoEntry: false });
  return found?.isDirectory() ? { directory, uid: found.uid, gid: found.gid } : null;
}
