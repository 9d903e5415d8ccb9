import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import pino from 'pino';
import { buildApp, type Deps } from '../app';
import { type Config, readConfig } from '../config';
import { createDb } from '../db/client';
import { openInstallation } from '../db/installation';
import { createSimulatedEngine, type SimulatedEngine } from '../drivers/compute/simulatedEngine';
import { HTTP_LIMITS, type HttpLimits } from '../httpLimits';
import { createServices, type Services } from '../services';
import { buildMember, buildWorkshop, type TestMember } from './factories';
import { createTestClient, type TestClient } from './testClient';
import { clockOf, createPatientPool, createTestDatabase, type TestDatabase } from './testDatabase';

export interface TestApp extends Deps {
  app: FastifyInstance;
  engine: SimulatedEngine;
  services: Services;
  url: TestDatabase['url'];
  /** A client signed in as this member; null is a visitor. */
  as(member: TestMember | null): TestClient;
  buildMember(options?: Parameters<typeof buildMember>[1]): Promise<TestMember>;
  buildWorkshop(options: Omit<Parameters<typeof buildWorkshop>[1], 'engineInstanceId'>): ReturnType<typeof buildWorkshop>;
  close(): Promise<void>;
}

/**
 * The whole gateway on a database of its own, not listening; the engine is simulated, everything else real. With the `url` of another
 * test app it is a second gateway beside that one, to be closed first.
 */
export async function buildTestApp(
  options: { config?: Partial<Config>; consoleFolder?: string; url?: string; limits?: Partial<HttpLimits> } = {},
): Promise<TestApp> {
  const database = options.url ? joinDatabase(options.url) : await createTestDatabase();
  const { db, pool, url } = database;
  const dataDir = await mkdtemp(join(tmpdir(), 'atelier-app-'));
  const config: Config = {
    // Tests of races ask more in a second than the limit for floods allows.
    ...readConfig({ DATA_DIR: dataDir, COMPUTE_ENGINE: 'simulated', LOG_LEVEL: 'silent', REQUESTS_PER_SECOND: '0' }),
    ...options.config,
  };
  const engine = createSimulatedEngine({ clock: clockOf(db) });
  await engine.open();
  const deps: Deps = {
    config,
    db,
    pool,
    engine,
    clock: clockOf(db),
    installation: await openInstallation(db),
    consoleFolder: options.consoleFolder ?? null,
  };
  const log = pino({ level: config.logLevel });
  const services = createServices(deps, log);
  await services.products.prepareCounters();
  // A machine busy with other tests must not turn requests away.
  const app = await buildApp(deps, services, log, { ...HTTP_LIMITS, loopDelayMs: 0, ...options.limits });
  await app.ready();
  return {
    ...deps,
    engine,
    app,
    services,
    url,
    as: (member) => createTestClient(app, member ? { cookie: cookiesOf(member, config) } : {}),
    buildMember: (memberOptions) => buildMember(db, memberOptions),
    buildWorkshop: (workshopOptions) => buildWorkshop(db, { ...workshopOptions, engineInstanceId: engine.instanceId }),
    close: async () => {
      await app.close();
      await engine.close();
      await database.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

function joinDatabase(url: string): TestDatabase {
  const pool = createPatientPool(url);
  const db = createDb(pool);
  return { url, pool, db, drop: () => db.destroy() };
}

function cookiesOf({ loginSessionId, loginSecret }: TestMember, { publicUrl }: Config): string {
  return `sessionId=${loginSessionId}; ${publicUrl.startsWith('https:') ? '__Host-atelier' : 'atelier'}=${loginSecret}`;
}
