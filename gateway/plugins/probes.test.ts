import { buildTestApp, type TestApp } from '../testing/buildTestApp';

describe('the probes', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await buildTestApp();
  });
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
