import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type IncomingHttpHeaders, request } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { InjectOptions } from 'fastify';
import { type Calls, calls } from '../contract/calls';
import type { CallContract } from '../contract/contract';
import { terminalSocketPath } from '../contract/terminal';
import { cookieOf } from '../domains/workshop/terminalClient';
import { buildTestApp, type TestApp } from '../testing/buildTestApp';
import { callRows } from './callRows';
import { createWorld, type World } from './world';

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
}

/** What every answer carries, whoever asks for whatever. */
function expectGuarded({ headers }: Answer): void {
  const policy = Object.fromEntries(
    String(headers['content-security-policy'])
      .split(';')
      .map((directive) => directive.trim().split(/ (.*)/s)),
  );
  expect(policy).toMatchObject({ 'base-uri': "'none'", 'frame-ancestors': "'none'" });
  expect(policy['object-src'] ?? policy['default-src']).toBe("'none'");
  expect(policy['script-src'] ?? policy['default-src']).not.toMatch(/unsafe|data:|blob:|\*|https?:(\s|$)/);
  expect(headers).toMatchObject({
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': expect.stringMatching(/^(strict-origin-when-cross-origin|no-referrer)$/),
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': expect.stringContaining('camera=()'),
    'cache-control': expect.any(String),
  });
  expect(headers).not.toHaveProperty('server');
  expect(headers).not.toHaveProperty('x-powered-by');
}

describe('the headers of', () => {
  let test: TestApp;
  let limited: TestApp;
  let world: World;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'atelier-headers-'));
    await mkdir(join(folder, 'tracker'));
    for (const name of ['index.html', 'umi.0123abcd.js', 'logo.svg', 'tracker/tracker.js'])
      await writeFile(join(folder, name), 'x'.repeat(99));
    test = await buildTestApp({ consoleFolder: folder, config: { docsUrl: 'https://docs.example/' } });
    limited = await buildTestApp({ config: { requestsPerSecond: 1, publicUrl: 'https://atelier.example' }, url: test.url });
    await test.app.listen({ host: '127.0.0.1', port: 0 });
    world = await createWorld(test);
  });
  afterEach(() => {
    jest.restoreAllMocks();
    test.engine.simulate.setReachable(true);
  });
  afterAll(async () => {
    await limited.close();
    await test.close();
    await rm(folder, { recursive: true });
  });

  async function inject(options: InjectOptions, app = test): Promise<Answer> {
    const { statusCode, headers } = await app.app.inject(options);
    return { status: statusCode, headers: headers as IncomingHttpHeaders };
  }
  const port = () => (test.app.server.address() as AddressInfo).port;

  it.each(Object.entries(calls) as [keyof Calls, CallContract][])('%s: its success and its refusals', async (key, { access }) => {
    const owner = await test.buildMember({ levelFlag: 3 });
    const input = await callRows[key].input({ ...world, owner }, owner);
    const who = access === 'member' ? owner : null;
    const replies = [
      await test.as(who).send(key, { ...input, query: { ...input.query, nobody: 'knows' } }),
      await test.as(null).send(key, { ...input, headers: { 'sec-fetch-site': 'cross-site' } }),
      await test.as(who).send(key, input),
    ];

    expect(replies.map(({ envelope }) => envelope.success)).toContain(true);
    for (const reply of replies) {
      expectGuarded(reply as Answer);
      expect(reply.headers['cache-control']).toBe('no-store');
      expect(reply.headers['cross-origin-resource-policy']).toBe('same-origin');
    }
  });

  const json = { 'content-type': 'application/json' };
  const html = { accept: 'text/html' };
  const who = '/gateway/user/getUserBySession';
  it.each<[number, string, InjectOptions]>([
    [200, 'a page', { url: '/login', headers: html }],
    [200, 'a script', { url: '/dist/umi.0123abcd.js' }],
    [200, 'a picture', { url: '/dist/logo.svg' }],
    [200, 'the tracker', { url: '/tracker/tracker.js' }],
    [200, 'the OpenAPI description', { url: '/gateway/openapi.json' }],
    [200, 'a sign of life', { url: '/healthz' }],
    [200, 'readiness', { url: '/readyz' }],
    [200, 'metrics', { url: '/metrics' }],
    [200, 'the framework’s loader', { url: '/__serverLoader?route=1&url=http://x/' }],
    [200, 'the head of a page', { method: 'HEAD', url: '/login', headers: html }],
    [200, 'the head of a file', { method: 'HEAD', url: '/dist/umi.0123abcd.js' }],
    [401, 'the head of a call', { method: 'HEAD', url: who }],
    [206, 'a part of a file', { url: '/dist/umi.0123abcd.js', headers: { range: 'bytes=5-' } }],
    [302, 'a link that leads on', { url: '/docs/' }],
    [304, 'a page that is known', { url: '/', headers: { ...html, 'if-none-match': '*' } }],
    [400, 'a path that cannot be read', { url: '/gateway/%E0%A4%A' }],
    [400, 'a body that is no JSON', { method: 'POST', url: '/gateway/user/login', headers: json, payload: '{' }],
    [401, 'a visitor at a member’s call', { url: who }],
    [403, 'another site', { method: 'POST', url: '/gateway/user/logout', headers: { 'sec-fetch-site': 'cross-site' } }],
    [403, 'a method nobody has, of another site', { method: 'DELETE', url: who, headers: { 'sec-fetch-site': 'cross-site' } }],
    [404, 'a call nobody has', { url: '/gateway/none' }],
    [404, 'a file nobody has', { url: '/dist/none.js' }],
    [404, 'a program at no address', { url: '/none', headers: { accept: 'application/json' } }],
    [404, 'a method nobody has', { method: 'PUT', url: who }],
    [
      404,
      'what a page of elsewhere asks first',
      { method: 'OPTIONS', url: '/gateway/user/login', headers: { origin: 'https://evil.example' } },
    ],
    [404, 'metrics, from afar', { url: '/metrics', remoteAddress: '203.0.113.9' }],
    [413, 'a body too large', { method: 'POST', url: '/gateway/user/login', headers: json, payload: `"${'x'.repeat(1_100_000)}"` }],
    [
      415,
      'a body of another type',
      { method: 'POST', url: '/gateway/user/login', headers: { 'content-type': 'text/plain' }, payload: 'x' },
    ],
    [416, 'a part beyond a file', { url: '/dist/umi.0123abcd.js', headers: { range: 'bytes=999-' } }],
  ])('%i, %s', async (status, _what, options) => {
    const answer = await inject(options);

    expect(answer.status).toBe(status);
    expectGuarded(answer);
    if (status >= 400) expect(answer.headers['cache-control']).toBe('no-store');
  });

  it('429, one of too many; and 200 before it, over https', async () => {
    const answers = await Promise.all(Array.from({ length: 9 }, () => inject({ url: who, remoteAddress: '203.0.113.7' }, limited)));

    expect(answers.map(({ status }) => status)).toEqual(expect.arrayContaining([401, 429]));
    for (const answer of answers) {
      expectGuarded(answer);
      expect(answer.headers['strict-transport-security']).toBe('max-age=31536000');
    }
    expect(answers.find(({ status }) => status === 429)?.headers['retry-after']).toMatch(/^\d+$/);
  });

  it('500, an error of ours', async () => {
    jest.spyOn(test.services.users, 'getSessionUser').mockRejectedValue(new Error('broken'));

    const answer = await inject({ url: who, headers: { cookie: cookieOf(world.owner) } });

    expect(answer.status).toBe(500);
    expectGuarded(answer);
    expect(answer.headers['cache-control']).toBe('no-store');
  });

  it('503, not ready', async () => {
    test.engine.simulate.setReachable(false);
    // What it was told a moment ago is forgotten.
    test.clock.monotonicMs = () => performance.now() + 60_000;

    const answer = await inject({ url: '/readyz' });

    expect(answer.status).toBe(503);
    expectGuarded(answer);
  });

  it.each([
    ['no Origin', {}, 403],
    ['another site', { origin: 'https://evil.example' }, 403],
    ['no cookie', { origin: 'own' }, 401],
  ])('the refusal of a WebSocket: %s', async (_why, headers: Record<string, string>, status) => {
    const origin = headers.origin === 'own' ? { origin: `http://127.0.0.1:${port()}` } : headers;
    const asked = request({
      port: port(),
      host: '127.0.0.1',
      path: terminalSocketPath,
      headers: {
        ...{
          connection: 'Upgrade',
          upgrade: 'websocket',
          'sec-websocket-version': '13',
          'sec-websocket-key': 'MDEyMzQ1Njc4OWFiY2RlZg==',
        },
        ...origin,
      },
    });
    asked.end();

    const [response] = await once(asked, 'response');
    response.resume();

    expect(response.statusCode).toBe(status);
    expectGuarded({ status, headers: response.headers });
  });

  it.each(['HELLO\r\n\r\n', `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(50_000)}\r\n\r\n`])(
    'what is no request: %#',
    async (bytes) => {
      const socket = connect(port(), '127.0.0.1');
      let text = '';
      socket.setEncoding('utf8').on('data', (chunk) => {
        text += chunk;
      });
      socket.write(bytes);
      await once(socket, 'close');
      const [line = '', ...lines] = text.split('\r\n\r\n')[0]?.split('\r\n') ?? [];
      const headers = Object.fromEntries(
        lines.map((one) => one.split(/: (.*)/s)).map(([name = '', value]) => [name.toLowerCase(), value]),
      );

      expect(line).toBe('HTTP/1.1 400 Bad Request');
      expectGuarded({ status: 400, headers });
      expect(headers['cache-control']).toBe('no-store');
    },
  );
});
