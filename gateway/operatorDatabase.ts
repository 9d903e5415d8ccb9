import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import type { Pool } from 'pg';
import { type Config, ConfigError, readConfig } from './config';
import { createDb, createPool, type Db, sqlState } from './db/client';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './db/embeddedPostgres';
import { explain } from './db/openDatabase';
import { CommandRefused } from './operator/command';
import { StartRefused } from './startRefused';

/** A program of the operator's may look at everything there is, and must wait for a busy gateway. */
const LIMITS_MS = { connect: 10_000, lock: 60_000, statement: 0, idleInTransaction: 0 };
const UNDEFINED_TABLE = '42P01';

export interface OperatorDatabase {
  db: Db;
  pool: Pool;
  config: Config;
}

/**
 * Runs `work` on the database of this installation: the configured one, or the embedded one of the data folder, whose server is started
 * for it when no gateway runs. Throws `ConfigError` and `StartRefused`.
 */
export async function withOperatorDatabase<T>(program: string, work: (database: OperatorDatabase) => Promise<T>): Promise<T> {
  const config = readConfig();
  const { databaseUrl, dataDir } = config;
  const embedded = databaseUrl === null ? await reachEmbedded(dataDir) : null;
  const url = embedded?.url('atelier') ?? databaseUrl;
  if (url === null) throw new StartRefused(`There is no database in ${dataDir}; start the gateway first or set DATABASE_URL.`);
  const pool = createPool(url, { max: 1, limitsMs: LIMITS_MS, application_name: `atelier ${program}` });
  const db = createDb(pool);
  try {
    await explain(() => sql`select`.execute(db));
    return await work({ db, pool, config });
  } catch (error) {
    // Only a start of the gateway changes the schema, so that no program does it beside a gateway of another release.
    if (sqlState(error) !== UNDEFINED_TABLE) throw error;
    throw new StartRefused('The database is of an older release; start this release’s gateway once.', { cause: error });
  } finally {
    const isOurs = embedded !== null && !embedded.isAdopted && (await isAlone(db));
    await db.destroy();
    if (isOurs) await embedded.stop();
  }
}

/** The server of a gateway that runs, or one of our own on its data folder; null when there is none to reach. */
async function reachEmbedded(dataDir: string): Promise<EmbeddedPostgres | null> {
  return existsSync(join(dataDir, 'postgres', 'data')) ? startEmbeddedPostgres(dataDir) : null;
}

/** A gateway that started meanwhile uses the server too, and it stays. */
async function isAlone(db: Db): Promise<boolean> {
  const { rows } = await sql<{ others: bigint }>`
    select count(*) as others from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`.execute(db);
  return rows[0]?.others === 0n;
}

/** Says a line to the operator. */
export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Runs a program to its end; what was to be expected is one sentence, everything else its whole stack, and the exit code is 1. */
export function runProgram(main: () => Promise<void>): void {
  // Whoever reads the answer may have seen enough of it, as `| head` has.
  process.stdout.on('error', (error) => {
    if (!('code' in error) || error.code !== 'EPIPE') throw error;
    process.exit();
  });
  main().catch((error: unknown) => {
    const isExpected = [ConfigError, StartRefused, CommandRefused].some((expected) => error instanceof expected);
    const words = error instanceof Error ? (isExpected ? error.message : (error.stack ?? error.message)) : String(error);
    process.stderr.write(`${words}\n`);
    process.exitCode = 1;
  });
}
