import { createHash } from 'node:crypto';
import { Kysely, PostgresDialect, sql, type Transaction } from 'kysely';
import { Pool, type PoolClient, type PoolConfig, types } from 'pg';
import { lostConnections } from '../metrics';
import { ColumnNames } from './columnNames';
import type { Database } from './schema';

export type Db = Kysely<Database>;
export type Tx = Transaction<Database>;

const INT8 = 20;
const RETRYABLE = new Set(['40P01', '40001', '55P03']);
const TRIES = 5;

export interface LimitsMs {
  /** For a connection: a free one of the pool, or a new one. */
  connect: number;
  lock: number;
  statement: number;
  idleInTransaction: number;
}

/** How long a request's connection may wait, in milliseconds; loops pass their own, longer ones. */
const REQUEST_LIMITS_MS: LimitsMs = { connect: 3_000, lock: 3_000, statement: 5_000, idleInTransaction: 5_000 };

/** A pool on one database: bigint for int8, UTC, and limits so that no statement can hang a request. */
export function createPool(connectionString: string, options: PoolConfig & { limitsMs?: LimitsMs } = {}): Pool {
  const { limitsMs = REQUEST_LIMITS_MS, ...pool } = options;
  const created = new Pool({
    connectionString,
    max: 10,
    connectionTimeoutMillis: limitsMs.connect,
    ...pool,
    options: [
      '-c TimeZone=UTC',
      `-c lock_timeout=${limitsMs.lock}`,
      `-c statement_timeout=${limitsMs.statement}`,
      `-c idle_in_transaction_session_timeout=${limitsMs.idleInTransaction}`,
    ].join(' '),
    types: {
      getTypeParser: (oid: number, format?: 'text' | 'binary') =>
        oid === INT8 && format !== 'binary' ? (text: string) => BigInt(text) : types.getTypeParser(oid, format as 'text'),
    },
  });
  // The pool drops a connection that broke and opens another, and whoever was using it hears from its query. Unheard, these
  // events would end the process.
  created.on('error', () => undefined);
  created.on('connect', (client) => client.on('error', () => lostConnections.inc()));
  created.on('connect', keepPlans);
  return created;
}

const PLAN_KEPT = '/* plan kept */';

/**
 * Begins a statement that every request sends: it is planned once a connection instead of each time, which for a view of many joins takes
 * longer than running it. Only for statements of one wording, because each wording stays in the server's memory.
 */
export const planKept = sql.raw(PLAN_KEPT);

function keepPlans(client: PoolClient): void {
  const query = client.query.bind(client);
  const named = ([text, values, ...rest]: unknown[]): unknown[] =>
    typeof text === 'string' && text.slice(0, 40).includes(PLAN_KEPT)
      ? [{ name: createHash('sha256').update(text).digest('base64url'), text, values }, ...rest]
      : [text, values, ...rest];
  Object.assign(client, { query: (...sent: unknown[]) => Reflect.apply(query, client, named(sent)) });
}

export function createDb(pool: Pool): Db {
  return new Kysely<Database>({ dialect: new PostgresDialect({ pool }), plugins: [new ColumnNames()] });
}

/**
 * Runs `work` in one READ COMMITTED transaction and runs it again, from its start, on a deadlock, a serialisation failure or a
 * lock time-out; `work` must therefore have no effect outside the transaction.
 */
export async function inTransaction<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db.transaction().execute(work);
    } catch (error) {
      if (attempt === TRIES || !RETRYABLE.has(sqlState(error))) throw error;
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 20 * 2 ** attempt));
    }
  }
}

/** The SQLSTATE of a database error; empty for anything else. */
export function sqlState(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** The name of the constraint a database error broke; empty for anything else. */
export function brokenConstraint(error: unknown): string {
  return error instanceof Error && 'constraint' in error && typeof error.constraint === 'string' ? error.constraint : '';
}

/** The database's instant, in whole milliseconds. Read it after the locks, so that it never runs backwards under them. */
export async function readNow(db: Db | Tx): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select app_now() as now`.execute(db);
  const row = rows[0];
  if (!row) throw new Error('app_now() answered nothing');
  return row.now;
}
