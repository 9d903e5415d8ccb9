import type { FastifyBaseLogger } from 'fastify';
import type { Pool } from 'pg';
import type { Config } from '../config';
import { StartRefused } from '../startRefused';
import { createDb, createPool, type Db, type LimitsMs, sqlState } from './client';
import { openDataFolder } from './dataFolder';
import { type DataFolderLock, lockDataFolder } from './dataFolderLock';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embeddedPostgres';
import { migrateToLatest } from './migrate';
import { ensurePartitions } from './partitions';

export interface OpenDatabase {
  db: Db;
  pool: Pool;
  /** The same database for background loops, which must neither wait for requests nor keep them waiting. */
  loops: { db: Db; pool: Pool };
  /** Closes the connections, lets go of the data folder and stops an embedded server. */
  close(): Promise<void>;
}

/** Of an embedded server's 60 connections; the rest is for the lock, migrations and `npm run verify`. */
const POOL_SIZE = 20;
const LOOP_POOL_SIZE = 8;
const OLDEST_VERSION = 150_000;
const LOOP_LIMITS_MS: LimitsMs = { connect: 30_000, lock: 10_000, statement: 60_000, idleInTransaction: 30_000 };
const MIGRATION_LIMITS_MS: LimitsMs = { connect: 10_000, lock: 60_000, statement: 600_000, idleInTransaction: 60_000 };

/**
 * The database of a gateway: found or started, its data folder locked, its schema up to date. `onLost` hears when the data
 * folder's lock was lost to another gateway. When `signal` aborts on the way it undoes what it started and throws the signal's
 * reason. Throws `StartRefused` with what to do.
 */
export async function openDatabase(
  config: Config,
  log: FastifyBaseLogger,
  { onLost, signal }: { onLost: () => void; signal: AbortSignal },
): Promise<OpenDatabase> {
  await openDataFolder(config.dataDir);
  const server: { url: string; embedded: EmbeddedPostgres | null } = { url: config.databaseUrl ?? '', embedded: null };
  // Asked again whenever the connection broke, so that an embedded server that died is started again.
  async function reachDatabase(): Promise<string> {
    if (config.databaseUrl === null) {
      const embedded = await startEmbeddedPostgres(config.dataDir);
      log.info({ isAdopted: embedded.isAdopted }, 'the embedded database runs');
      Object.assign(server, { embedded, url: embedded.url('atelier') });
    }
    return server.url;
  }
  // A refusal here leaves the server alone: it is another gateway's.
  const locking = explain(() => lockDataFolder(config.dataDir, reachDatabase, log, onLost));
  // Somebody else's server may never answer; our own is waited for, to be stopped again.
  const lock = await (config.databaseUrl === null ? locking : unlessAborted(locking, signal));
  try {
    signal.throwIfAborted();
    await explain(() => migrate(server.url));
    signal.throwIfAborted();
  } catch (error) {
    await lock.release();
    await server.embedded?.stop();
    throw error;
  }
  const pool = createPool(server.url, { max: POOL_SIZE });
  const loopPool = createPool(server.url, { max: LOOP_POOL_SIZE, limitsMs: LOOP_LIMITS_MS, application_name: 'atelier loops' });
  return {
    pool,
    db: createDb(pool),
    loops: { db: createDb(loopPool), pool: loopPool },
    close: async () => {
      await Promise.all([pool.end(), loopPool.end()]);
      await lock.release();
      await server.embedded?.stop();
    },
  };
}

/** The lock, or the signal's reason at once; a lock that arrives too late is let go. */
async function unlessAborted(locking: Promise<DataFolderLock>, signal: AbortSignal): Promise<DataFolderLock> {
  let giveUp: () => void = () => undefined;
  const aborted = new Promise<null>((resolve) => {
    giveUp = () => resolve(null);
  });
  signal.addEventListener('abort', giveUp, { once: true });
  const lock = await Promise.race([locking, aborted]);
  signal.removeEventListener('abort', giveUp);
  if (lock) return lock;
  void locking.then(
    (late) => late.release(),
    () => undefined,
  );
  throw signal.reason;
}

async function migrate(url: string): Promise<void> {
  const pool = createPool(url, { max: 1, limitsMs: MIGRATION_LIMITS_MS });
  const db = createDb(pool);
  try {
    const { rows } = await pool.query(`select current_setting('server_version_num')::int as version`);
    if (rows[0].version < OLDEST_VERSION) throw new StartRefused('The database is older than PostgreSQL 15; use a newer one.');
    await migrateToLatest(db);
    // Before anybody is served: a row on its way while its month's partition is made would be refused.
    await ensurePartitions(db);
  } catch (error) {
    if (error instanceof Error && /corrupted migrations/.test(error.message)) {
      throw new StartRefused('The database was brought up to date by a newer release than this one; start that release.', {
        cause: error,
      });
    }
    throw error;
  } finally {
    await db.destroy();
  }
}

/** A database that cannot be reached or refuses us is the operator's to mend; its own words say what, without the address. */
export async function explain<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof StartRefused) throw cause;
    const words = cause instanceof Error ? cause.message || sqlState(cause) : String(cause);
    throw new StartRefused(`The database cannot be used: ${words}.`, { cause });
  }
}
