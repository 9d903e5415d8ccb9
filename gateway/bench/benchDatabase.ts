import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { createDb, createPool, type Db } from '../db/client';
import { startEmbeddedPostgres } from '../db/embeddedPostgres';
import { migrateToLatest } from '../db/migrate';
import { ensurePartitions } from '../db/partitions';

/** Long enough for what fills a table; no request of the product has these. */
const LIMITS_MS = { connect: 10_000, lock: 60_000, statement: 600_000, idleInTransaction: 600_000 };

export interface BenchServer {
  folder: string;
  /** A database of its own, empty or a copy of another one that nobody is connected to. */
  createDatabase(name: string, template?: string): Promise<string>;
  dropDatabase(name: string): Promise<void>;
}

/** The product's own PostgreSQL with its settings, in a folder that goes away with the work. */
export async function onBenchServer<T>(work: (server: BenchServer) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'atelier-bench-'));
  const postgres = await startEmbeddedPostgres(folder);
  const admin = connect(postgres.url('postgres', 'postgres'), 1);
  try {
    return await work({
      folder,
      async createDatabase(name, template = 'template1') {
        await sql`create database ${sql.id(name)} template ${sql.id(template)}`.execute(admin);
        return postgres.url(name, 'postgres');
      },
      async dropDatabase(name) {
        await sql`drop database ${sql.id(name)} with (force)`.execute(admin);
      },
    });
  } finally {
    await admin.destroy();
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

export function connect(url: string, connections = 4): Db {
  return createDb(createPool(url, { max: connections, limitsMs: LIMITS_MS }));
}

/** A migrated database, filled and then settled as autovacuum leaves one of that size. */
export async function fillDatabase(url: string, fill: (db: Db) => Promise<void>): Promise<void> {
  const db = connect(url);
  try {
    await migrateToLatest(db);
    await ensurePartitions(db);
    await fill(db);
    await sql`vacuum (analyze)`.execute(db);
    await sql`checkpoint`.execute(db);
  } finally {
    await db.destroy();
  }
}
