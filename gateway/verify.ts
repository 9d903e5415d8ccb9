import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { ConfigError, readConfig } from './config';
import { createDb, createPool, type Db } from './db/client';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './db/embeddedPostgres';
import { checkInvariants, type InvariantResult } from './domains/ledger/invariants';
import { StartRefused } from './startRefused';

const LIMITS_MS = { connect: 10_000, lock: 60_000, statement: 0, idleInTransaction: 0 };

/** Checks every invariant of the books on the live database and prints each; the exit code is 1 on any breach. */
async function main(): Promise<void> {
  const { databaseUrl, dataDir } = readConfig();
  const embedded = databaseUrl === null ? await reachEmbedded(dataDir) : null;
  const url = embedded?.url('atelier') ?? databaseUrl;
  if (url === null) throw new StartRefused(`There is no database in ${dataDir}; start the gateway first or set DATABASE_URL.`);
  const db = createDb(createPool(url, { max: 1, limitsMs: LIMITS_MS, application_name: 'atelier verify' }));
  try {
    const results = await checkInvariants(db);
    for (const result of results) say(lineOf(result));
    const broken = results.filter((result) => result.breaches.length > 0);
    say(
      broken.length === 0
        ? `All ${results.length} invariants hold.`
        : `${broken.length} of ${results.length} invariants are broken.`,
    );
    process.exitCode = broken.length === 0 ? 0 : 1;
  } finally {
    const isOurs = embedded !== null && !embedded.isAdopted && (await isAlone(db));
    await db.destroy();
    if (isOurs) await embedded.stop();
  }
}

/** The server of a gateway that runs, or one of our own on its data folder; null when there is nothing to verify. */
async function reachEmbedded(dataDir: string): Promise<EmbeddedPostgres | null> {
  return existsSync(join(dataDir, 'postgres', 'data')) ? startEmbeddedPostgres(dataDir) : null;
}

/** A gateway that started meanwhile uses the server too, and it stays. */
async function isAlone(db: Db): Promise<boolean> {
  const { rows } = await sql<{ others: bigint }>`
    select count(*) as others from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`.execute(db);
  return rows[0]?.others === 0n;
}

function lineOf({ name, rows, breaches }: InvariantResult): string {
  const first = breaches.slice(0, 10).join(', ');
  return breaches.length === 0
    ? `ok      ${name} (${rows} rows)`
    : `BROKEN  ${name} (${rows} rows): ${breaches.length} breaches, ${first}`;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

main().catch((error: unknown) => {
  const isExpected = error instanceof ConfigError || error instanceof StartRefused;
  const words = error instanceof Error ? (isExpected ? error.message : (error.stack ?? error.message)) : String(error);
  process.stderr.write(`${words}\n`);
  process.exitCode = 1;
});
