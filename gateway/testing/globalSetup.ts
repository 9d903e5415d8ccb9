import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { createDb, createPool } from '../db/client';
import { startEmbeddedPostgres } from '../db/embeddedPostgres';
import { migrateToLatest } from '../db/migrate';
import { isAlive } from '../db/postmaster';
import { ADMIN_URL_VARIABLE, FOLDER_VARIABLE, TEMPLATE } from './testPostgres';

const PREFIX = 'atelier-test-';
const OWNER_FILE = 'owner.pid';
const LIMITS_MS = { connect: 10_000, lock: 60_000, statement: 60_000, idleInTransaction: 60_000 };

/** One PostgreSQL for the whole run, with the migrated database that every test file's own is cloned from. */
export default async function startTestPostgres(): Promise<void> {
  await removeLeftovers();
  const folder = await mkdtemp(join(tmpdir(), PREFIX));
  await writeFile(join(folder, OWNER_FILE), String(process.pid));
  process.env[FOLDER_VARIABLE] = folder;
  const postgres = await startEmbeddedPostgres(folder, {
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    max_connections: '200',
  });
  const adminUrl = postgres.url('postgres', 'postgres');
  const admin = new Client({ connectionString: adminUrl });
  await admin.connect();
  await admin.query(`create database ${TEMPLATE}`);
  await admin.end();
  const db = createDb(createPool(postgres.url(TEMPLATE, 'postgres'), { max: 2, limitsMs: LIMITS_MS }));
  await migrateToLatest(db);
  await db.destroy();
  process.env[ADMIN_URL_VARIABLE] = adminUrl;
}

/** A run that was killed could not stop its server. */
async function removeLeftovers(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const folder = join(tmpdir(), name);
    const ownerFile = join(folder, OWNER_FILE);
    if (!name.startsWith(PREFIX) || !existsSync(ownerFile) || isAlive(Number(await readFile(ownerFile, 'utf8')))) continue;
    const postgres = existsSync(join(folder, 'postgres', 'data')) ? await startEmbeddedPostgres(folder) : null;
    await postgres?.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
