import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chown, lstat, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { StartRefused } from '../startRefused';
import { findPostgresBinaries, type PostgresBinaries } from './postgresBinaries';
import { findPostmaster, isAlive, removeStaleLocks, SOCKET_NAME } from './postmaster';
import { chooseUnprivilegedRun, type RunProgram } from './unprivilegedRun';

export interface EmbeddedPostgres {
  /** True when a server that outlived its gateway was found and taken over. */
  isAdopted: boolean;
  /** Where `database` is reached, as the application's own role or as the server's administrator. */
  url(database: string, role?: 'atelier' | 'postgres'): string;
  /** Ends connections and stops the server; resolves when its files are at rest. */
  stop(): Promise<void>;
}

type Settings = Readonly<Record<string, string>>;

/** The longest path of a Unix socket that Linux and macOS both take. */
const SOCKET_PATH_LIMIT_BYTES = 103;
const LOG_LIMIT_BYTES = 10_000_000;
const START_TRIES = 3;
const CONNECT_LIMIT_MS = 10_000;

/** Small on purpose: an idle server beside an idle gateway. Nobody but the gateway connects. */
const baseSettings: Settings = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  max_connections: '60',
  shared_buffers: '32MB',
  work_mem: '4MB',
  maintenance_work_mem: '32MB',
  min_wal_size: '80MB',
  max_wal_size: '512MB',
  max_wal_senders: '0',
  max_logical_replication_workers: '0',
  io_method: 'sync',
  jit: 'off',
  max_worker_processes: '2',
  max_parallel_workers: '0',
  autovacuum_max_workers: '2',
  log_checkpoints: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
};

/**
 * Starts the PostgreSQL of a data folder, or adopts the one that still runs in it. It listens on a Unix socket in a folder only
 * we can enter and on no network port. Throws `StartRefused`.
 */
export async function startEmbeddedPostgres(dataDir: string, settings: Settings = {}): Promise<EmbeddedPostgres> {
  const binaries = await findPostgresBinaries();
  const folder = join(dataDir, 'postgres');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const run = await chooseUnprivilegedRun(folder, binaries.postgres);
  const socketFolder = await openSocketFolder(folder);
  const dataFolder = join(folder, 'data');
  await initialise(run, binaries, folder, dataFolder);

  const server = { run, binaries, folder, dataFolder, socketFolder };
  const isAdopted = findPostmaster(dataFolder) !== null && (await isAnswering(socketFolder));
  if (!isAdopted) await startServer(server, settings);
  await createOwnDatabase(socketFolder);
  return {
    isAdopted,
    url: (database, role = 'atelier') => socketUrl(socketFolder, database, role),
    stop: async () => {
      await run(binaries.pgCtl, ['stop', '-D', dataFolder, '-m', 'fast', '-w', '-t', '60', '-s']);
      await rm(socketFolder, { recursive: true, force: true });
    },
  };
}

/** Beside the data when the path fits into a socket's address, else in the system's folder for such things. */
async function openSocketFolder(folder: string): Promise<string> {
  const beside = join(folder, 'socket');
  const isShort = Buffer.byteLength(join(beside, SOCKET_NAME)) <= SOCKET_PATH_LIMIT_BYTES;
  const name = createHash('sha256').update(folder).digest('hex').slice(0, 16);
  const socketFolder = isShort ? beside : join(tmpdir(), `atelier-${name}`);
  await mkdir(socketFolder, { recursive: true, mode: 0o700 });
  const { uid, gid } = await stat(folder);
  const found = await lstat(socketFolder);
  // In a shared folder somebody else may have made it first, to listen in.
  if (!found.isDirectory() || (found.mode & 0o077) !== 0 || (found.uid !== uid && found.uid !== process.geteuid?.())) {
    throw new StartRefused(`${socketFolder} must be a folder of this user with mode 0700; remove it and start again.`);
  }
  if (found.uid !== uid) await chown(socketFolder, uid, gid);
  return socketFolder;
}

/** Makes the data folder once, aside and then renamed, so that one cut short is never taken for whole. */
async function initialise(run: RunProgram, binaries: PostgresBinaries, folder: string, dataFolder: string): Promise<void> {
  if (existsSync(dataFolder)) {
    const found = (await readFile(join(dataFolder, 'PG_VERSION'), 'utf8')).trim();
    if (found === binaries.major) return;
    throw new StartRefused(`${dataFolder} was written by PostgreSQL ${found}; this release brings ${binaries.major}.`);
  }
  await removeUnfinished(folder);
  const unfinished = join(folder, `data.${process.pid}`);
  await explain('The embedded database cannot be made', async () => {
    const locale = ['--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C'];
    const access = ['--username=postgres', '--auth-local=trust', '--auth-host=reject'];
    await run(binaries.initdb, ['-D', unfinished, ...locale, ...access, '--no-instructions']);
    await rename(unfinished, dataFolder).catch(async (error: unknown) => {
      await rm(unfinished, { recursive: true });
      // Another first start was faster; its folder serves both.
      if (!existsSync(dataFolder)) throw error;
    });
  });
}

/** What starts that were killed in the middle left behind. */
async function removeUnfinished(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const pid = Number(/^data\.(\d+)$/.exec(name)?.[1] ?? process.pid);
    if (!isAlive(pid)) await rm(join(folder, name), { recursive: true, force: true });
  }
}

interface Server {
  run: RunProgram;
  binaries: PostgresBinaries;
  folder: string;
  dataFolder: string;
  socketFolder: string;
}

async function startServer({ run, binaries, folder, dataFolder, socketFolder }: Server, settings: Settings): Promise<void> {
  const lines = Object.entries({ ...baseSettings, unix_socket_directories: socketFolder, ...settings });
  const text = lines.map(([name, value]) => `${name} = '${value.replaceAll("'", "''")}'\n`).join('');
  await writeFile(join(dataFolder, 'postgresql.conf'), text);
  const log = join(folder, 'server.log');
  if (existsSync(log) && (await stat(log)).size > LOG_LIMIT_BYTES) await rename(log, `${log}.1`);
  await explain(`The embedded database does not start; ${log} says why`, async () => {
    for (let attempt = 1; ; attempt += 1) {
      if (findPostmaster(dataFolder) === null) await removeStaleLocks(dataFolder, socketFolder);
      try {
        await run(binaries.pgCtl, ['start', '-D', dataFolder, '-l', log, '-w', '-t', '60', '-s']);
        return;
      } catch (error) {
        // Another starter was faster, or what a killed server left is still ending.
        if (await isAnswering(socketFolder)) return;
        if (attempt === START_TRIES) throw error;
        await new Promise((resolve) => setTimeout(resolve, 1000 * attempt));
      }
    }
  });
}

async function createOwnDatabase(socketFolder: string): Promise<void> {
  const client = new Client({
    connectionString: socketUrl(socketFolder, 'postgres', 'postgres'),
    connectionTimeoutMillis: CONNECT_LIMIT_MS,
  });
  await client.connect();
  try {
    const { rows } = await client.query(
      `select exists (select from pg_roles where rolname = 'atelier') as role, exists (select from pg_database where datname = 'atelier') as database`,
    );
    if (!rows[0].role) await client.query('create role atelier login');
    if (!rows[0].database) await client.query('create database atelier owner atelier');
  } finally {
    await client.end();
  }
}

async function isAnswering(socketFolder: string): Promise<boolean> {
  const client = new Client({
    connectionString: socketUrl(socketFolder, 'postgres', 'postgres'),
    connectionTimeoutMillis: CONNECT_LIMIT_MS,
  });
  try {
    await client.connect();
    await client.end();
    return true;
  } catch {
    return false;
  }
}

function socketUrl(socketFolder: string, database: string, role: string): string {
  return `postgresql://${role}@localhost/${database}?host=${encodeURIComponent(socketFolder)}`;
}

async function explain(sentence: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (cause) {
    const output = cause instanceof Error && 'stderr' in cause ? String(cause.stderr).trim() : String(cause);
    throw new StartRefused(`${sentence}: ${output.split('\n')[0]}`, { cause });
  }
}
