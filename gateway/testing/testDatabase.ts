import { randomBytes } from 'node:crypto';
import { Client, type Pool } from 'pg';
import { createDb, createPool, type Db } from '../db/client';
import { ADMIN_URL_VARIABLE, TEMPLATE } from './testPostgres';

export { advance, clockOf, setTestNow } from './testClock';

/** As the gateway has it; but on a machine busy with other tests, a hundred requests at once may wait for a connection as long as it takes. */
export function createPatientPool(url: string): Pool {
  return createPool(url, { connectionTimeoutMillis: 60_000 });
}

export interface TestDatabase {
  url: string;
  db: Db;
  pool: Pool;
  /** Closes the pool and removes the database. */
  drop(): Promise<void>;
}

/** A migrated database of the caller's own: make it in `beforeAll`, drop it in `afterAll`. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  await administer(`create database ${name} template ${TEMPLATE}`);
  const url = new URL(adminUrl());
  url.pathname = `/${name}`;
  const pool = createPatientPool(url.href);
  const db = createDb(pool);
  return {
    url: url.href,
    db,
    pool,
    drop: async () => {
      await db.destroy();
      await administer(`drop database ${name} with (force)`);
    },
  };
}

async function administer(statement: string): Promise<void> {
  const client = new Client({ connectionString: adminUrl() });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

function adminUrl(): string {
  const url = process.env[ADMIN_URL_VARIABLE];
  if (!url) throw new Error('No test database: run this file in the gateway project of jest.config.ts.');
  return url;
}
