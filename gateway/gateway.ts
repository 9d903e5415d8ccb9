import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { buildApp, type Deps } from './app';
import { chooseEngine } from './chooseEngine';
import { systemClock } from './clock';
import { type Config, httpAddress } from './config';
import { openInstallation } from './db/installation';
import { type OpenDatabase, openDatabase } from './db/openDatabase';
import { ensureDemoMember } from './domains/user/demoMember';
import type { ComputeEngine } from './drivers/compute/computeEngine';
import { type BackgroundLoop, createLoops } from './loops';
import { createServices, type Services } from './services';
import { StartRefused } from './startRefused';

export interface Gateway {
  /** Where it listens, with the port it was given. */
  url: string;
  /** Sentences that tell the operator how to sign in. */
  signInHints: string[];
  /** Stops taking requests, ends those in progress and the loops, and leaves running labs to their engine. */
  stop(): Promise<void>;
}

/** Requests that are still unanswered this long after the stop are cut. */
const FINISH_LIMIT_MS = 8_000;

/**
 * Starts everything in the order in which it is needed and stops it in reverse. `consoleFolder` is the built console, null to
 * serve none; `onLost` hears when the gateway must stop because another one took its data folder. When `signal` aborts before it is
 * ready, it undoes what was started and throws the signal's reason. Throws `StartRefused`.
 */
export async function startGateway(
  config: Config,
  log: Logger,
  options: { consoleFolder: string | null; onLost: () => void; signal: AbortSignal },
): Promise<Gateway> {
  const database = await openDatabase(config, log, options);
  let engine: ComputeEngine | null = null;
  let app: FastifyInstance | null = null;
  let loops: BackgroundLoop[] = [];

  async function stop(): Promise<void> {
    if (app) await closeApp(app);
    await Promise.all(loops.map((loop) => loop.stop()));
    await engine?.close();
    await database.close();
  }

  try {
    engine = await chooseEngine(config, { db: database.db, clock: systemClock, log });
    await engine.open();
    options.signal.throwIfAborted();
    const deps = await describeDeps(config, database, engine, options.consoleFolder);
    const services = createServices(deps, log);
    await services.products.prepareCounters();
    app = await buildApp(deps, services, log);
    loops = createLoops(...onLoopPool(deps, database, services, log));
    const signInHints = await explainSignIn(deps, services);
    options.signal.throwIfAborted();
    const url = await listen(app, config);
    for (const loop of loops) loop.start();
    return { url, stop, signInHints };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Loops wait on connections and limits of their own: neither busy requests nor a long pass keep the other from the database. */
function onLoopPool(deps: Deps, { loops }: OpenDatabase, { wakeUp }: Services, log: Logger): Parameters<typeof createLoops> {
  const loopDeps = { ...deps, ...loops };
  return [loopDeps, createServices(loopDeps, log, wakeUp), log];
}

/** How the operator gets in; a throw-away installation is given a member to begin with. */
async function explainSignIn({ db, config }: Deps, { ledger }: Services): Promise<string[]> {
  const outbox = `Codes for signing up and in arrive as files in ${join(config.dataDir, 'outbox')}`;
  if (config.databaseUrl !== null || config.isProduction) return [outbox];
  const demo = await ensureDemoMember({ db, ledger, config });
  if (!demo) return [outbox];
  const password = demo.password === null ? `the password in ${demo.file}` : `password ${demo.password} (kept in ${demo.file})`;
  return [`Sign in as ${demo.username} with ${password}`, outbox];
}

async function describeDeps(
  config: Config,
  { db, pool }: OpenDatabase,
  engine: ComputeEngine,
  consoleFolder: string | null,
): Promise<Deps> {
  return { config, db, pool, engine, clock: systemClock, installation: await openInstallation(db), consoleFolder };
}

async function listen(app: FastifyInstance, { host, port }: Config): Promise<string> {
  try {
    await app.listen({ host, port });
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : '';
    if (code === 'EADDRINUSE')
      throw new StartRefused(`Port ${port} is taken on ${host}; stop what uses it or set PORT.`, { cause });
    if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
      throw new StartRefused(`The host ${host} is not known here; set HOST to an address of this machine.`, { cause });
    if (code === 'EACCES' || code === 'EADDRNOTAVAIL' || code === 'EINVAL')
      throw new StartRefused(`This gateway may not listen on ${host}, port ${port}.`, { cause });
    throw cause;
  }
  const address = app.server.address() as AddressInfo;
  return httpAddress(host, address.port);
}

async function closeApp(app: FastifyInstance): Promise<void> {
  const limit = setTimeout(() => app.server.closeAllConnections(), FINISH_LIMIT_MS);
  await app.close();
  clearTimeout(limit);
}
