import { randomUUID } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import { Client } from 'pg';
import { StartRefused } from '../startRefused';
import { bindDataFolder } from './dataFolderSocket';
import { pause } from './pause';

export interface DataFolderLock {
  release(): Promise<void>;
}

/** How long a gateway that was just killed may still seem to hold the lock. */
const GRACE_MS = 3_000;
const RETRY_MS = 200;
const RECONNECT_MS = 1_000;
/** A server that is reached answers far sooner. */
const CONNECT_LIMIT_MS = 10_000;

/**
 * Lets one gateway use a data folder. On this machine a bound socket says so, before any database is touched; among machines that
 * share the folder an advisory lock of the database does, under a name kept in the folder, on a connection of its own: both end
 * with the process, however that ends. If the connection breaks the database is reached again and the lock taken again; `onLost`
 * hears when another gateway was faster. Throws `StartRefused` when the folder is in use.
 */
export async function lockDataFolder(
  dataDir: string,
  reachDatabase: () => Promise<string>,
  log: FastifyBaseLogger,
  onLost: () => void,
): Promise<DataFolderLock> {
  const refusal = new StartRefused(`Another gateway is running on ${dataDir}; stop it first or set another DATA_DIR.`);
  const bound = await bindDataFolder(dataDir);
  if (!bound) throw refusal;
  const name = await readFolderName(dataDir);
  let isReleased = false;
  let held: Client | null = null;
  try {
    held = await take(await reachDatabase(), name);
    if (!held) throw refusal;
  } catch (error) {
    bound.close();
    throw error;
  }
  watch(held);

  function watch(client: Client): void {
    client.once('end', () => {
      if (!isReleased) void takeAgain();
    });
  }

  async function takeAgain(): Promise<void> {
    while (!isReleased) {
      try {
        held = await take(await reachDatabase(), name);
        if (held) watch(held);
        else onLost();
        return;
      } catch (err) {
        log.warn({ err }, 'the data folder’s lock cannot be taken again yet');
        await pause(RECONNECT_MS);
      }
    }
  }

  return {
    release: async () => {
      isReleased = true;
      await held?.end();
      bound.close();
    },
  };
}

/** A connection that holds the lock; null when another one does. */
async function take(databaseUrl: string, name: string): Promise<Client | null> {
  const client = new Client({
    connectionString: databaseUrl,
    keepAlive: true,
    application_name: 'atelier data folder',
    connectionTimeoutMillis: CONNECT_LIMIT_MS,
    query_timeout: CONNECT_LIMIT_MS,
  });
  // Its end is what counts; `end` follows every error.
  client.on('error', () => undefined);
  await client.connect();
  try {
    for (const until = performance.now() + GRACE_MS; ; await pause(RETRY_MS)) {
      const { rows } = await client.query('select pg_try_advisory_lock(hashtextextended($1, 0)) as taken', [name]);
      if (rows[0].taken) return client;
      if (performance.now() > until) break;
    }
  } catch (error) {
    // Not awaited: a server that has stopped answering does not answer this either. Left open it might hold the lock against us.
    client.end(() => undefined);
    throw error;
  }
  await client.end();
  return null;
}

/** Written whole or not at all, so that two first starts agree. */
async function readFolderName(dataDir: string): Promise<string> {
  const file = join(dataDir, 'gateway.id');
  const fresh = `${file}.${process.pid}`;
  await writeFile(fresh, randomUUID(), { mode: 0o600 });
  await link(fresh, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await rm(fresh);
  return readFile(file, 'utf8');
}
