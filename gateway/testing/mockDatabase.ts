import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDb, createPool } from '../db/client';
import { startEmbeddedPostgres } from '../db/embeddedPostgres';
import { migrateToLatest } from '../db/migrate';
import { ensurePartitions } from '../db/partitions';
import { TEST_PASSWORD } from './factories';
import { mockMembers, seedMockMembers } from './mockMembers';

/** A program: a seeded throw-away database that is gone when the program is asked to end. */
async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'atelier-mock-'));
  const postgres = await startEmbeddedPostgres(folder, { fsync: 'off' });
  const url = postgres.url('atelier');
  const db = createDb(createPool(url, { max: 2 }));
  await migrateToLatest(db);
  await ensurePartitions(db);
  await seedMockMembers(db);
  await db.destroy();

  process.stdout.write(`Sign in as ${mockMembers.map(({ username }) => username).join(', ')} with password ${TEST_PASSWORD}\n`);
  process.stdout.write(`database ${url}\n`);
  await new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, resolve);
    // Keeps the program alive: a signal's listener alone does not.
    setInterval(() => undefined, 60_000);
  });
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
  process.exit(0);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
