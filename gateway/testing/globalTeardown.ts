import { rm } from 'node:fs/promises';
import { startEmbeddedPostgres } from '../db/embeddedPostgres';
import { FOLDER_VARIABLE } from './testPostgres';

/** Stops the run's PostgreSQL and removes its files; runs after failures too. */
export default async function stopTestPostgres(): Promise<void> {
  const folder = process.env[FOLDER_VARIABLE];
  if (!folder) return;
  const postgres = await startEmbeddedPostgres(folder);
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
}
