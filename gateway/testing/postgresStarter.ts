import { startEmbeddedPostgres } from '../db/embeddedPostgres';

/** A program that starts the PostgreSQL of the folder it is given and waits to be killed. */
async function main(): Promise<void> {
  await startEmbeddedPostgres(process.argv[2] ?? '');
  process.stdout.write('started\n');
  setInterval(() => undefined, 60_000);
}

void main();
