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
import { createLoops } from '../loops';
import { createServices } from '../services';

export interface MockGateway {
  app: FastifyInstance;
  /** Goes on in the next one, so that labs run on through an edit. */
  engine: ComputeEngine;
  close(): Promise<void>;
}

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
  const pool = createPool(databaseUrl);
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
  const app = await buildApp(deps, services, log);
  const loops = createLoops(deps, services, log);
  await app.listen({ host: '127.0.0.1', port: Number(port ?? 0) });
  for (const loop of loops) loop.start();
  return {
    app,
    engine,
    close: async () => {
      await app.close();
      await Promise.all(loops.map((loop) => loop.stop()));
      await db.destroy();
    },
  };
}
