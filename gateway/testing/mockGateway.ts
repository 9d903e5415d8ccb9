import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import pino from 'pino';
import { buildApp, type Deps } from '../app';
import { systemClock } from '../clock';
import { readConfig } from '../config';
import { createDb, createPool } from '../db/client';
import { openInstallation } from '../db/installation';
import type { ComputeEngine } from '../drivers/compute/computeEngine';
import { createSimulatedEngine } from '../drivers/compute/simulatedEngine';
import { HTTP_LIMITS } from '../httpLimits';
import { createLoops } from '../loops';
import { Refusal } from '../refusal';
import { createServices } from '../services';
import { TEST_PASSWORD } from './factories';
import { mockMembers } from './mockMembers';
import { makePurchases, type Shop } from './mockShop';
import { mockEffect } from './mockSwitches';
import { createTestClient } from './testClient';

export interface MockGateway {
  app: FastifyInstance;
  /** Goes on in the next one, so that labs run on through an edit. */
  engine: ComputeEngine;
  /** Who there is to be, and what each has to show. */
  members: { username: string; kind: string }[];
  /** What signs a seeded member in; null for anybody else. */
  signInBody(username: string): { type: 'password'; username: string; password: string } | null;
  close(): Promise<void>;
}

/** The compiler of the console shares the process and holds it up for seconds: that is no overload and no lost connection. */
const PATIENT_MS = { connect: 60_000, lock: 60_000, statement: 60_000, idleInTransaction: 60_000 };

/** The whole gateway on the throw-away database of `npm run mock`; it also listens, for what a mock handler cannot carry. */
export async function openMockGateway(previous: MockGateway | null): Promise<MockGateway> {
  await previous?.close();
  const { MOCK_DATABASE_URL: databaseUrl, MOCK_GATEWAY_PORT: port, PORT: consolePort = '8000' } = process.env;
  if (!databaseUrl) throw new Error('Mock mode needs its database: start it with npm run mock.');
  const config = {
    ...readConfig({
      DATABASE_URL: databaseUrl,
      DATA_DIR: join(tmpdir(), `atelier-mock-${process.pid}`),
      COMPUTE_ENGINE: 'simulated',
    }),
    publicUrl: `http://127.0.0.1:${consolePort}`,
  };
  const log = pino({ level: 'warn' }, pino.destination(2));
  const pool = createPool(databaseUrl, { limitsMs: PATIENT_MS });
  const db = createDb(pool);
  const engine = previous?.engine ?? createSimulatedEngine({ clock: systemClock });
  await engine.open();
  const deps: Deps = {
    config,
    db,
    pool,
    engine,
    clock: systemClock,
    installation: await openInstallation(db),
    consoleFolder: null,
  };
  const services = createServices(deps, log);
  await services.products.prepareCounters();
  const app = await buildApp(deps, services, log, { ...HTTP_LIMITS, loopDelayMs: 0 });
  refuseAsSwitched(app);
  const loops = createLoops(deps, services, log);
  await app.listen({ host: '127.0.0.1', port: Number(port ?? 0) });
  for (const loop of loops) loop.start();
  if (!previous) await furnish({ app, deps, services, databaseUrl, log });
  return {
    app,
    engine,
    members: mockMembers.map(({ username, kind }) => ({ username, kind })),
    signInBody,
    close: async () => {
      await app.close();
      await Promise.all(loops.map((loop) => loop.stop()));
      await db.destroy();
    },
  };
}

function signInBody(username: string) {
  const isSeeded = mockMembers.some((member) => member.username === username);
  return isSeeded ? ({ type: 'password', username, password: TEST_PASSWORD } as const) : null;
}

const refusals = { error: 'INTERNAL', unavailable: 'UNAVAILABLE', sessionLost: 'UNAUTHORIZED' } as const;

/** Refuses in the gateway's own words what the panel has switched to fail; the panel's own requests always pass. */
function refuseAsSwitched(app: FastifyInstance): void {
  app.addHook('onRequest', async (request) => {
    const { answer } = mockEffect(request.url);
    const { call } = request.routeOptions.config;
    if (!call || request.headers['x-mock-panel'] || answer === 'usual' || answer === 'cut') return;
    // Whoever is signed out by it must be able to sign in again.
    if (answer === 'sessionLost' && call.access !== 'member') return;
    throw new Refusal(refusals[answer]);
  });
}

/** The workshops and orders of the seeded members, made by the calls a member makes. */
async function furnish(shop: Shop): Promise<void> {
  const { app } = shop;
  for (const { username, labs, hasPurchases } of mockMembers) {
    if (!labs && !hasPurchases) continue;
    const { cookies } = await createTestClient(app).send('POST /gateway/user/login', { body: signInBody(username) });
    const client = createTestClient(app, { cookie: cookies.map(({ name, value }) => `${name}=${value}`).join('; ') });
    if (hasPurchases) await makePurchases(shop, client);
    for (const [index, name] of labs?.names.entries() ?? []) {
      const body = { name, specId: 'cpu-half', imageId: 'shell', startNow: labs?.isRunning === true && index === 0 };
      const { envelope } = await client.send('POST /gateway/workshop/create', { body });
      if (!envelope.success) throw new Error(`The workshop of ${username} could not be made: ${envelope.msg}`);
    }
  }
}
