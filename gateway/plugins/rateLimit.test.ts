import { createPool } from '../db/client';
import { buildTestApp, type TestApp } from '../testing/buildTestApp';
import { createTestDatabase, type TestDatabase } from '../testing/testDatabase';
import { createSharedLimit, deleteOldLimits } from './rateLimitStore';

const WHO = 'GET /gateway/user/getUserBySession';
const SHARED = { name: 'try', points: 5, seconds: 60 };

describe('a limit in the database', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  it('holds over two pools, in parallel, and says how long to wait', async () => {
    const otherPool = createPool(database.url);
    const [first, second] = [createSharedLimit(database.pool, SHARED), createSharedLimit(otherPool, SHARED)];

    const waits = await Promise.all(Array.from({ length: 30 }, (_, index) => (index % 2 ? first : second).consume('203.0.113.1')));
    await otherPool.end();

    expect(waits.filter((seconds) => seconds === 0)).toHaveLength(5);
    expect(Math.max(...waits)).toBeGreaterThan(55);
    expect(Math.max(...waits)).toBeLessThanOrEqual(60);
    expect(await first.consume('203.0.113.2')).toBe(0);
  });

  it('can be asked without counting and counted afterwards', async () => {
    const limit = createSharedLimit(database.pool, { ...SHARED, name: 'after' });
    expect(await limit.waitSeconds('a')).toBe(0);

    for (let count = 0; count < 5; count += 1) await limit.count('a');

    expect(await limit.waitSeconds('a')).toBeGreaterThan(55);
    expect(await limit.waitSeconds('b')).toBe(0);
  });

  it('starts anew after its window, whose counter is then removed', async () => {
    const limit = createSharedLimit(database.pool, { ...SHARED, name: 'window', points: 1 });
    await limit.consume('a');
    await database.pool.query(`update rate_limit set expire = expire - 7200000 where key = 'window:a'`);
    expect(await limit.waitSeconds('a')).toBe(0);

    await deleteOldLimits(database.pool);

    const { rows } = await database.pool.query(`select count(*)::int as left from rate_limit where key = 'window:a'`);
    expect(rows).toEqual([{ left: 0 }]);
    expect(await limit.consume('a')).toBe(0);
  });

  it('is no free pass when the database cannot be asked', async () => {
    const closed = createPool(database.url);
    const limit = createSharedLimit(closed, SHARED);
    await closed.end();

    await expect(limit.consume('203.0.113.3')).rejects.toThrow();
  });
});

/** Two a second and four more at once; a slow machine may see the seconds go by. */
function expectBurst(passed: number, startedAt: number): void {
  expect(passed).toBeGreaterThanOrEqual(6);
  expect(passed).toBeLessThanOrEqual(6 + 2 * Math.floor((performance.now() - startedAt) / 1000));
}

describe('the limit on requests', () => {
  let test: TestApp;
  beforeEach(async () => {
    test = await buildTestApp({ config: { requestsPerSecond: 2, trustedProxies: ['127.0.0.1'] } });
  });
  afterEach(() => test.close());

  it('lets a burst of three times the rate through for each member, and then answers 429 with the wait', async () => {
    const [busy, calm] = [await test.buildMember(), await test.buildMember()];

    const startedAt = performance.now();
    const replies = await Promise.all(Array.from({ length: 20 }, () => test.as(busy).send(WHO)));

    expectBurst(replies.filter((reply) => reply.envelope.success).length, startedAt);
    const refused = replies.find((reply) => !reply.envelope.success);
    expect(refused).toFailWith('TOO_MANY_REQUESTS');
    expect(Number(refused?.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    expect((await test.as(calm).send(WHO)).envelope.success).toBe(true);
  });

  it('counts visitors, and cookies worth nothing, by address', async () => {
    const ask = (ip: string) => test.as(null).send(WHO, { headers: { 'x-forwarded-for': ip, cookie: 'sessionId=x; atelier=y' } });

    const startedAt = performance.now();
    const replies = await Promise.all(Array.from({ length: 20 }, () => ask('203.0.113.1')));

    expectBurst(replies.filter((reply) => reply.status === 401).length, startedAt);
    expect(replies.filter((reply) => reply.status !== 401)[0]).toFailWith('TOO_MANY_REQUESTS');
    expect(await ask('203.0.113.2')).toFailWith('UNAUTHORIZED');
  });

  it.each(['/%67ateway/user/logout', '/gateway/user/log%6fut', '/gateway/no/such/call', '/nowhere'])(
    'counts whatever way a path is written, and paths that lead nowhere: %s',
    async (url) => {
      const headers = { 'content-type': 'application/json' };

      const startedAt = performance.now();
      const replies = await Promise.all(Array.from({ length: 20 }, () => test.app.inject({ method: 'POST', url, headers })));

      expectBurst(replies.filter((reply) => reply.statusCode !== 429).length, startedAt);
    },
  );

  it('knows a member by an encoded path, too', async () => {
    const [busy, calm] = [await test.buildMember(), await test.buildMember()];
    const url = 'GET /%67ateway/user/getUserBySession' as typeof WHO;

    const startedAt = performance.now();
    const replies = await Promise.all(Array.from({ length: 20 }, () => test.as(busy).send(url)));

    expectBurst(replies.filter((reply) => reply.envelope.success).length, startedAt);
    expect((await test.as(calm).send(url)).envelope.success).toBe(true);
  });
});
