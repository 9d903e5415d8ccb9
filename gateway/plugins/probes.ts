import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify';
import type { Deps } from '../app';
import type { Clock } from '../clock';
import { isLoopback } from '../config';
import { metrics } from '../metrics';
import { Refusal } from '../refusal';

const CHECK_LIMIT_MS = 2_000;
const KEPT_MS = 1_000;

/** What a load balancer, an orchestrator and Prometheus ask: alive, able to serve, figures. None of it speaks of members. */
export function registerProbes(app: FastifyInstance, { pool, engine, clock }: Pick<Deps, 'pool' | 'engine' | 'clock'>): void {
  const askParts = keepFor(KEPT_MS, clock, (log: FastifyBaseLogger) =>
    Promise.all([
      check(log, 'database', async () => (await pool.query('select 1')).rowCount === 1),
      check(log, 'engine', async () => (await engine.health()).isHealthy),
    ]),
  );

  app.get('/healthz', async () => ({ status: 'alive' }));

  app.get('/readyz', async (request, reply) => {
    const [database, engineHealth] = await askParts(request.log);
    const isReady = database && engineHealth;
    const status = isReady ? 'ready' : 'not ready';
    return reply.code(isReady ? 200 : 503).send(isFromHere(request) ? { status, database, engine: engineHealth } : { status });
  });

  app.get('/metrics', async (request, reply) => {
    if (!isFromHere(request)) throw new Refusal('NOT_FOUND');
    return reply.type(metrics.contentType).send(await metrics.metrics());
  });
}

/** Asks at most once in `keptMs`, however many want to know: the probe is open to everybody and must not load what it asks. */
function keepFor<A, T>(keptMs: number, clock: Clock, ask: (argument: A) => Promise<T>): (argument: A) => Promise<T> {
  let last: { answer: Promise<T>; atMs: number } | null = null;
  return (argument) => {
    const nowMs = clock.monotonicMs();
    if (!last || nowMs - last.atMs >= keptMs) last = { answer: ask(argument), atMs: nowMs };
    return last.answer;
  };
}

async function check(log: FastifyBaseLogger, part: string, ask: () => Promise<boolean>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer in ${CHECK_LIMIT_MS} ms`)), CHECK_LIMIT_MS);
  });
  try {
    return await Promise.race([ask(), limit]);
  } catch (err) {
    log.warn({ err, part }, 'not ready');
    return false;
  } finally {
    clearTimeout(timer);
  }
}

/** Asked on this machine itself; what a reverse proxy on it passes on is somebody else's question. */
function isFromHere({ socket, headers }: FastifyRequest): boolean {
  const isForwarded = 'x-forwarded-for' in headers || 'forwarded' in headers;
  return !isForwarded && isLoopback((socket.remoteAddress ?? '').replace(/^::ffff:/, ''));
}
