import { buildTestApp, type TestApp } from '../testing/buildTestApp';

const PAGE = 'http://127.0.0.1:8000/main/myLab/workshop?current=2&name={a|b}#top';

describe("the framework's optional call for a route's data", () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await buildTestApp();
  });
  afterAll(() => test.close());

  function ask(query: Record<string, string>, headers: Record<string, string> = {}) {
    return test.app.inject({ method: 'GET', url: '/__serverLoader', query, headers });
  }

  it('is bare JSON without data, as no route is rendered on the server', async () => {
    const reply = await ask({ route: '5', url: PAGE }, { accept: '*/*', 'sec-fetch-site': 'same-origin' });

    expect(reply.statusCode).toBe(200);
    expect(reply.body).toBe('{}');
    expect(reply.headers['content-type']).toBe('application/json; charset=utf-8');
  });

  it('answers a member as a visitor, and a route that only the console could know', async () => {
    const member = await test.buildMember();
    const cookie = `sessionId=${member.loginSessionId}; atelier=${member.loginSecret}`;

    for (const reply of [await ask({ route: 'no/such/route', url: PAGE }, { cookie }), await ask({ route: 'x', url: PAGE })]) {
      expect(reply.body).toBe('{}');
      expect(reply.headers['set-cookie']).toBeUndefined();
    }
  });

  it('is kept by nobody, read by no other site and as guarded as every answer', async () => {
    const { headers } = await ask({ route: '5', url: PAGE }, { origin: 'https://elsewhere.example' });

    expect(headers['cache-control']).toBe('no-store');
    expect(headers['access-control-allow-origin']).toBeUndefined();
    expect(headers['cross-origin-resource-policy']).toBe('same-origin');
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['content-security-policy']).toContain("default-src 'self'");
  });

  it.each([
    ['no route', { url: PAGE }, 'query.route'],
    ['an empty route', { route: '', url: PAGE }, 'query.route'],
    ['an endless route', { route: 'r'.repeat(201), url: PAGE }, 'query.route'],
    ['no address', { route: '5' }, 'query.url'],
    ['another kind of address', { route: '5', url: 'javascript:alert(1)' }, 'query.url'],
    ['an endless address', { route: '5', url: `http://${'a'.repeat(4096)}` }, 'query.url'],
    ['a field of no meaning', { route: '5', url: PAGE, more: '1' }, 'query.more'],
  ])('refuses %s', async (_what, query, field) => {
    const reply = await ask(query as Record<string, string>);

    expect(reply.statusCode).toBe(400);
    expect(reply.json()).toMatchObject({ success: false, code: 20001, data: { fields: [{ field }] } });
  });

  it('is no call of the contract', async () => {
    const { paths } = (await test.app.inject('/gateway/openapi.json')).json<{ paths: object }>();

    expect(Object.keys(paths).filter((path) => !path.startsWith('/gateway/'))).toEqual([]);
  });
});
