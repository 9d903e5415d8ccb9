import { setTimeout as delay } from 'node:timers/promises';
import Fastify, { type FastifyInstance } from 'fastify';
import { registerEnvelope } from './envelope';
import { createLoopWatch, registerOverload } from './overload';

describe('a gateway with more to do than it can', () => {
  let app: FastifyInstance;
  let delayMs = 0;
  const stop = jest.fn();
  beforeAll(async () => {
    app = Fastify();
    registerEnvelope(app);
    registerOverload(app, { loopDelayMs: 500 }, () => ({ meanDelayMs: () => delayMs, stop }));
    for (const url of ['/healthz', '/metrics', '/readyz', '/gateway/some/call']) app.get(url, async () => ({ ok: true }));
    await app.ready();
  });
  afterAll(async () => {
    await app.close();
    expect(stop).toHaveBeenCalled();
  });

  it.each([
    ['/gateway/some/call', 501, 503],
    ['/gateway/some/call', 500, 200],
    ['/gateway/some/call', 0, 200],
    ['/no/such/address', 501, 503],
    ['/readyz', 501, 503],
    ['/healthz', 501, 200],
    ['/metrics', 501, 200],
  ])('answers %s at a delay of %i ms with %i', async (url, ms, status) => {
    delayMs = ms;

    const reply = await app.inject(url);

    expect(reply.statusCode).toBe(status);
    if (status === 503) {
      expect(reply.json()).toMatchObject({ success: false, code: 50003 });
      expect(reply.headers['retry-after']).toBe('2');
    }
  });

  it('notices that its loop is blocked, and that it is not any more', async () => {
    const watch = createLoopWatch();
    await delay(50);
    while (watch.meanDelayMs() < 20) {
      const until = performance.now() + 200;
      while (performance.now() < until);
      await delay(1);
    }
    const blockedMs = watch.meanDelayMs();
    while (watch.meanDelayMs() >= blockedMs) await delay(50);
    watch.stop();

    expect(watch.meanDelayMs()).toBeLessThan(blockedMs);
  });
});
