import { execFile } from 'node:child_process';
import { chmod, chown, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { StartRefused } from '../startRefused';

const execFileAsync = promisify(execFile);
const PROGRAM_LIMIT_MS = 120_000;

/** Runs one of PostgreSQL's programs to its end; rejects with its output. */
export type RunProgram = (program: string, args: readonly string[]) => Promise<string>;

interface Identity {
  prefix: readonly string[];
  uid?: number;
  gid?: number;
}

const ourselves: Identity = { prefix: [] };
/** A user namespace in which root is called `nobody`: outside it is root still, so files keep their owner and their 0700 folders. */
const namespaced: Identity = { prefix: ['unshare', '--user', '--map-user=65534', '--map-group=65534', '--'] };

/**
 * PostgreSQL refuses to run as root. Answers how to run it for `folder`: as we are, in a user namespace, or as the system's
 * `postgres` or `nobody` (which then owns `folder`). Throws `StartRefused` when none works.
 */
export async function chooseUnprivilegedRun(folder: string, postgres: string): Promise<RunProgram> {
  if (process.geteuid?.() !== 0) return runAs(ourselves);
  if (await canRun(namespaced, folder, postgres)) return runAs(namespaced);
  const user = await findUser(['postgres', 'nobody']);
  if (user) {
    await chmod(dirname(folder), 0o711);
    await chown(folder, user.uid, user.gid);
    const identity = { prefix: [], uid: user.uid, gid: user.gid };
    if (await canRun(identity, folder, postgres)) return runAs(identity);
    await chown(folder, 0, 0);
    await chmod(dirname(folder), 0o700);
  }
  throw new StartRefused(
    'PostgreSQL does not run as root, and neither a user namespace nor another user can be used here; start as an ordinary user or set DATABASE_URL.',
  );
}

/** Whether this identity reaches the program and may write the folder. */
async function canRun(identity: Identity, folder: string, postgres: string): Promise<boolean> {
  try {
    await runAs(identity)('/bin/sh', ['-c', 'test -w "$0" && exec "$1" --version', folder, postgres]);
    return true;
  } catch {
    return false;
  }
}

function runAs({ prefix, uid, gid }: Identity): RunProgram {
  return async (program, args) => {
    const [command = program, ...rest] = [...prefix, program, ...args];
    const { stdout } = await execFileAsync(command, rest, {
      cwd: '/',
      env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' },
      timeout: PROGRAM_LIMIT_MS,
      ...(uid === undefined ? {} : { uid, gid }),
    });
    return stdout;
  };
}

async function findUser(names: readonly string[]): Promise<{ uid: number; gid: number } | null> {
  const lines = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'));
  for (const name of names) {
    const entry = lines.find(([entryName]) => entryName === name);
    if (entry) return { uid: Number(entry[2]), gid: Number(entry[3]) };
  }
  return null;
}
