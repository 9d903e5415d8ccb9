import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HTTP_LIMITS } from '../httpLimits';
import { buildTestApp, type TestApp } from '../testing/buildTestApp';

describe('a client that takes its time', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await buildTestApp({ limits: { headersMs: 150, requestMs: 300, checkEveryMs: 20 } });
    await test.app.listen({ port: 0, host: '127.0.0.1' });
  });
  afterAll(() => test.close());

  async function dial(bytes: string): Promise<{ socket: Socket; answer: () => string }> {
    const { port } = test.app.server.address() as AddressInfo;
    const socket = connect(port, '127.0.0.1');
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk) => {
      text += chunk;
    });
    socket.on('error', () => undefined);
    socket.write(bytes);
    return { socket, answer: () => text };
  }

  /** Sends one more byte as often as possible until the gateway has had enough. */
  async function drip(socket: Socket, byte: string): Promise<void> {
    const dripping = setInterval(() => socket.writable && socket.write(byte), 15);
    await once(socket, 'close');
    clearInterval(dripping);
  }

  it.each([
    ['headers', 'GET /healthz HTTP/1.1\r\nHost: x\r\nX-Slow: ', 'a'],
    [
      'body',
      'POST /gateway/user/logout HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9999\r\n\r\n',
      ' ',
    ],
  ])('over its %s, a byte at a time, is told so and hung up on', async (_part, bytes, byte) => {
    const startedAt = performance.now();
    const { socket, answer } = await dial(bytes);

    await drip(socket, byte);

    expect(performance.now() - startedAt).toBeLessThan(5_000);
    const [head = '', body = ''] = answer().split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
    expect(JSON.parse(body)).toMatchObject({ success: false, code: 20008 });
  });

  it('keeps nobody else waiting, however many there are', async () => {
    const slow = await Promise.all(Array.from({ length: 200 }, () => dial('GET / HTTP/1.1\r\nX: ')));

    const reply = await test.as(null).send('POST /gateway/user/logout');

    expect(reply.envelope.success).toBe(true);
    await Promise.all(slow.map(({ socket }) => (socket.closed ? undefined : once(socket, 'close'))));
  });
});

describe('a client that asks and never reads', () => {
  let test: TestApp;
  let consoleFolder: string;
  beforeAll(async () => {
    consoleFolder = await mkdtemp(join(tmpdir(), 'atelier-console-'));
    await mkdir(join(consoleFolder, 'tracker'));
    await writeFile(join(consoleFolder, 'index.html'), '<!doctype html>');
    // More than the buffers of both ends of a connection take.
    await writeFile(join(consoleFolder, 'large.js'), Buffer.alloc(32_000_000, ' '));
    test = await buildTestApp({ consoleFolder, limits: { silentMs: 200 } });
    await test.app.listen({ port: 0, host: '127.0.0.1' });
  });
  afterAll(async () => {
    await test.close();
    await rm(consoleFolder, { recursive: true });
  });

  it.each([
    ['a file', ''],
    ['a file on a connection to upgrade', 'Connection: Upgrade\r\nUpgrade: h2c\r\n'],
  ])('%s is hung up on', async (_what, headers) => {
    const { port } = test.app.server.address() as AddressInfo;
    const dialled = once(test.app.server, 'connection');
    const client = connect(port, '127.0.0.1').pause();
    client.on('error', () => undefined);
    const [kept] = (await dialled) as [Socket];

    client.write(`GET /dist/large.js HTTP/1.1\r\nHost: x\r\n${headers}\r\n`);

    await once(kept, 'close', { signal: AbortSignal.timeout(10_000) });
    expect(kept.bytesWritten).toBeLessThan(32_000_000);
    client.destroy();
  });

  it('gets nothing else within the answer when what it sends next is no request', async () => {
    const { port } = test.app.server.address() as AddressInfo;
    const client = connect(port, '127.0.0.1').pause();
    client.on('error', () => undefined);
    const said: Buffer[] = [];
    const refused = once(test.app.server, 'clientError');

    client.write('GET /dist/large.js HTTP/1.1\r\nHost: x\r\n\r\n');
    await once(client, 'readable');
    client.write('no request\r\n\r\n');
    await refused;
    client.on('data', (chunk: Buffer) => said.push(chunk)).resume();
    await once(client, 'close');

    const [head = '', body = ''] = Buffer.concat(said).toString('latin1').split('\r\n\r\n', 2);
    expect(head).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(body.trim()).toBe('');
  });

  it('is told from one whose call takes its time: that is kept longer than the console waits', () => {
    expect(HTTP_LIMITS.silentMs).toBeGreaterThan(200_000);
  });
});

describe('what a request may be', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await buildTestApp();
  });
  afterAll(() => test.close());

  const login = (payload: string, query = '') =>
    test.app.inject({
      method: 'POST',
      url: `/gateway/user/login${query}`,
      headers: { 'content-type': 'application/json', 'accept-language': 'en' },
      payload,
    });

  it('is headers in 15 s, all of it in 30 s, on a connection kept for 72 s', () => {
    const { headersTimeout, requestTimeout, keepAliveTimeout } = test.app.server;

    expect({ headersTimeout, requestTimeout, keepAliveTimeout }).toEqual({
      headersTimeout: 15_000,
      // A plugin's business, which lets uploads take longer.
      requestTimeout: 0,
      keepAliveTimeout: 72_000,
    });
    expect(HTTP_LIMITS.requestMs).toBe(30_000);
    expect(Reflect.get(test.app.server, 'connectionsCheckingInterval')).toBe(5_000);
  });

  it.each([
    ['objects', (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`],
    ['arrays in a field', (depth: number) => `{"a":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`],
  ])('is nested at most 20 deep: %s', async (_what, nested) => {
    const fits = await login(nested(20));
    const tooDeep = await login(nested(21));

    expect(fits.json().data.fields).toContainEqual({ field: 'body.a', message: 'is not a known field' });
    expect(tooDeep.statusCode).toBe(400);
    expect(tooDeep.json().data.fields).toEqual([{ field: 'body.a', message: 'must not be nested deeper than 20 levels' }]);
  });

  it('may be as deep as a megabyte without harm', async () => {
    const reply = await login(`{"a":${'['.repeat(500_000)}${']'.repeat(500_000)}}`);

    expect(reply.json()).toMatchObject({ code: 20001, data: { fields: [{ field: 'body.a' }] } });
  });

  it('names no query field twice', async () => {
    const reply = await login('{}', '?source=a&source=b');
    const asked = await test.as(null).send('GET /gateway/user/sendVerificationCode', { query: { mobile: '13812345678' } });

    expect(reply.statusCode).toBe(400);
    expect(reply.json().data.fields).toEqual([{ field: 'query.source', message: 'must not be there twice' }]);
    expect(asked).toFailWith('INVALID_INPUT');
  });

  it('is at most a megabyte', async () => {
    const reply = await login(`{"username":"${'x'.repeat(1_048_577)}"}`);

    expect([reply.statusCode, reply.json().code]).toEqual([413, 20013]);
  });

  it.each([
    '{"__proto__":{"isStudent":true}}',
    '{"type":"password","constructor":{"prototype":{"isStudent":true}}}',
    '{"username":{"__proto__":{"levelFlag":3}}}',
    '{"\\u005f_proto__":{"levelFlag":3}}',
  ])('pollutes no prototype: %s', async (payload) => {
    const reply = await login(payload);

    expect([reply.statusCode, reply.json().code]).toEqual([400, 20001]);
    expect(Object.keys(Object.getPrototypeOf({}))).toEqual([]);
  });

  it('is refused at once for a hundred thousand fields nobody knows, naming twenty', async () => {
    const names = Array.from({ length: 100_000 }, (_, index) => `"${index}":0`);
    const startedAt = performance.now();

    const reply = await login(`{${names.join(',')}}`);

    expect(performance.now() - startedAt).toBeLessThan(2_000);
    expect(reply.json().data.fields).toHaveLength(20);
  });

  it('answers that it cannot when every connection to the database is taken', async () => {
    test.pool.options.connectionTimeoutMillis = 100;
    const member = await test.buildMember();
    const taken = await Promise.all(Array.from({ length: test.pool.options.max }, () => test.pool.connect()));

    const reply = await test.as(member).send('POST /gateway/workshop/stop', { body: {} });
    for (const client of taken) client.release();

    expect(reply).toFailWith('UNAVAILABLE');
    expect(reply.headers['retry-after']).toBe('1');
    expect((await test.as(member).send('GET /gateway/account/overview')).envelope.success).toBe(true);
  });
});
