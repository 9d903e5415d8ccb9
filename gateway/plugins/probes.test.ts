import { buildTestApp, type TestApp } from '../testing/buildTestApp';
import { advance } from '../testing/testDatabase';

describe('the probes', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await buildTestApp();
  });
  // What an earlier test was told is forgotten.
  beforeEach(() => advance(test.db, 1_000));
  afterAll(() => test.close());
  afterEach(() => test.engine.simulate.setReachable(true));

  const fromAfar = { remoteAddress: '203.0.113.9' };
  const get = (url: string, options: object = {}) => test.app.inject({ method: 'GET', url, ...options });

  it('tells anybody that the gateway is alive', async () => {
    expect((await get('/healthz', fromAfar)).json()).toEqual({ status: 'alive' });
  });

  it('is not ready without its engine, and names it on this machine only', async () => {
    test.engine.simulate.setReachable(false);

    const here = await get('/readyz');
    const afar = await get('/readyz', fromAfar);

    expect(here.statusCode).toBe(503);
    expect(here.json()).toEqual({ status: 'not ready', database: true, engine: false });
    expect(afar.statusCode).toBe(503);
    expect(afar.json()).toEqual({ status: 'not ready' });
  });

  it('is ready again once the engine is', async () => {
    expect((await get('/readyz', fromAfar)).json()).toEqual({ status: 'ready' });
  });

  it('asks database and engine once a second, however many want to know', async () => {
    const query = jest.spyOn(test.pool, 'query');
    const health = jest.spyOn(test.engine, 'health');
    const statuses = async () =>
      (await Promise.all(Array.from({ length: 20 }, () => get('/readyz')))).map(({ statusCode }) => statusCode);

    expect(new Set(await statuses())).toEqual(new Set([200]));
    test.engine.simulate.setReachable(false);
    expect(new Set(await statuses())).toEqual(new Set([200]));
    expect([query.mock.calls.length, health.mock.calls.length]).toEqual([1, 1]);

    await advance(test.db, 1_000);
    expect(new Set(await statuses())).toEqual(new Set([503]));
    expect(health).toHaveBeenCalledTimes(2);
    jest.restoreAllMocks();
  });

  it('counts requests by route, for this machine', async () => {
    await get('/healthz');

    const reply = await get('/metrics');

    expect(reply.body).toMatch(/atelier_request_seconds_count\{method="GET",route="\/healthz",status="200"\} \d+/);
  });

  it.each([
    ['from afar', fromAfar],
    ['through a proxy on this machine', { headers: { 'x-forwarded-for': '203.0.113.9' } }],
  ])('shows no figures %s', async (_name, options) => {
    expect((await get('/metrics', options)).statusCode).toBe(404);
  });
});
