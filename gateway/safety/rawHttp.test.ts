import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import fc from 'fast-check';
import { buildTestApp, type TestApp } from '../testing/buildTestApp';

const RUNS = Number(process.env.TEST_RUNS ?? (process.env.ATELIER_DEEP === '1' ? 20_000 : 60));
const SEED = Number(process.env.TEST_SEED ?? Math.trunc(Math.random() * 2 ** 31));
const LIMIT_MS = Math.max(30_000, RUNS * 100);
/** What an answer to junk may be: the client's fault, or what any visitor gets. */
const HARMLESS = /^HTTP\/1\.1 (200|4\d\d) /;

const head = (line: string, ...headers: string[]) => [line, 'Host: x', ...headers, '', ''].join('\r\n');
const post = (...headers: string[]) => head('POST /gateway/user/login HTTP/1.1', 'Content-Type: application/json', ...headers);
const sized = (body: string | Buffer) =>
  Buffer.concat([Buffer.from(post(`Content-Length: ${Buffer.byteLength(body)}`)), Buffer.from(body)]);

/** Bytes that are nearly HTTP, each wrong in a way of its own. */
const shapes: Record<string, string | Buffer> = {
  'no HTTP': 'HELLO WORLD\r\n\r\n',
  'the greeting of TLS': Buffer.from('16030100c8010000c40303', 'hex'),
  'the greeting of HTTP/2': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'a header of a megabyte': head('GET / HTTP/1.1', `X: ${'x'.repeat(1_048_576)}`),
  'ten thousand headers': head('GET / HTTP/1.1', ...Array.from({ length: 10_000 }, (_, index) => `X-${index}: 1`)),
  'an address of a megabyte': head(`GET /${'x'.repeat(1_048_576)} HTTP/1.1`),
  'no host': 'GET /healthz HTTP/1.1\r\n\r\n',
  'two hosts': head('GET /healthz HTTP/1.1', 'Host: y'),
  'a line without its end': 'GET /healthz HTTP/1.1\nHost: x\n\n',
  'NUL in a header': head('GET / HTTP/1.1', 'X: a\0b'),
  'NUL in the address': head('GET /\0 HTTP/1.1'),
  'bytes that are no UTF-8 in the address': Buffer.concat([
    Buffer.from('GET /gateway/'),
    Buffer.from([0xff, 0xfe, 0xc0]),
    Buffer.from(' HTTP/1.1\r\nHost: x\r\n\r\n'),
  ]),
  'an address of half an escape': head('GET /gateway/%E0%A4%A HTTP/1.1'),
  'a way out of the folder': head('GET /dist/../../../../etc/passwd HTTP/1.1'),
  'another host’s address': head('GET http://169.254.169.254/latest/meta-data HTTP/1.1'),
  'a tunnel': head('CONNECT 127.0.0.1:22 HTTP/1.1'),
  'a method nobody knows': head('BREW /gateway/user/login HTTP/1.1'),
  'an upgrade to nowhere': head('GET /gateway/user/login HTTP/1.1', 'Connection: Upgrade', 'Upgrade: h2c'),
  'a socket without its key': head('GET /gateway/workshop/terminal/socket HTTP/1.1', 'Connection: Upgrade', 'Upgrade: websocket'),
  'an expectation nobody has': head('GET /healthz HTTP/1.1', 'Expect: tea'),
  'bytes that are no UTF-8 in the body': sized(Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])),
  'a byte order mark': sized('\ufeff{}'),
  'depth without end': sized('['.repeat(1_000_000)),
  'a body of two lengths': Buffer.concat([Buffer.from(post('Content-Length: 2', 'Content-Length: 3')), Buffer.from('{}x')]),
  'a body of no length': post('Content-Length: many'),
  'a body of less than nothing': post('Content-Length: -1'),
  'a body longer than any': post('Content-Length: 99999999999999999999'),
  'a body of a length and in chunks': `${post('Content-Length: 2', 'Transfer-Encoding: chunked')}0\r\n\r\n{}`,
  'a chunk that is cut': `${post('Transfer-Encoding: chunked')}5\r\n{"a`,
  'a chunk of no size': `${post('Transfer-Encoding: chunked')}zz\r\n{}\r\n0\r\n\r\n`,
  'a chunk larger than any': `${post('Transfer-Encoding: chunked')}fffffffffffffffff\r\n{}`,
  'an encoding nobody knows': `${post('Transfer-Encoding: gzip')}{}`,
  'a body that says it is packed': Buffer.concat([
    Buffer.from(post('Content-Length: 4', 'Content-Encoding: gzip')),
    Buffer.from([1, 2, 3, 4]),
  ]),
  'a request within a request': `${post('Content-Length: 60')}{}GET /metrics HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 1.1.1.1\r\n\r\n`,
  'a hundred requests at once': head('GET /healthz HTTP/1.1').repeat(100),
  'cookies without sense': head(
    'GET /gateway/user/getUserBySession HTTP/1.1',
    `Cookie: ${'sessionId=%FF; atelier=;;=;'.repeat(200)}`,
  ),
};

describe(`a listening gateway, sent bytes that are no request (TEST_SEED=${SEED})`, () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await buildTestApp({ limits: { headersMs: 300, requestMs: 300, keepAliveMs: 100, checkEveryMs: 25 } });
    await test.app.listen({ host: '127.0.0.1', port: 0 });
  });
  afterAll(() => test.close());

  /** Everything the gateway says until it hangs up, which it must do by itself. */
  async function answerTo(bytes: string | Buffer): Promise<string> {
    const { port } = test.app.server.address() as AddressInfo;
    const socket = connect(port, '127.0.0.1');
    const said: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => said.push(chunk));
    // It may hang up while there is still something to send.
    socket.on('error', () => undefined);
    socket.write(bytes);
    try {
      await once(socket, 'close', { signal: AbortSignal.timeout(10_000) });
    } finally {
      socket.destroy();
    }
    return Buffer.concat(said).toString('utf8');
  }

  function expectHarmless(answer: string): void {
    const firstLines = answer.match(/^HTTP\/1\.1 .*$/gm) ?? [];
    for (const line of firstLines) expect(line).toMatch(HARMLESS);
    expect(answer).not.toMatch(/\bat .*\.[jt]s:\d|node_modules|root:x:0/);
  }

  async function expectHealthy(): Promise<void> {
    expect(await answerTo(head('GET /healthz HTTP/1.1', 'Connection: close'))).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  }

  it.each(Object.entries(shapes))('stays well: %s', async (_what, bytes) => {
    expectHarmless(await answerTo(bytes));
    await expectHealthy();
  });

  it('runs no request that hides in another’s body', async () => {
    const answer = await answerTo(shapes['a request within a request'] ?? '');

    expect(answer.match(/^HTTP\/1\.1 /gm)).toHaveLength(1);
    expect(answer).not.toContain('atelier_request_seconds');
  });

  it(
    'stays well, however such bytes are bent',
    async () => {
      const bent = fc
        .tuple(
          fc.constantFrom(...Object.values(shapes).filter((bytes) => bytes.length < 10_000)),
          fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 8 }),
          fc.nat(3),
        )
        .map(([bytes, changes, cut]) => {
          const copy = Buffer.from(bytes);
          for (const [at, byte] of changes) copy[at % copy.length] = byte;
          return cut === 0 ? copy.subarray(0, copy.length >> 1) : copy;
        });
      const junk = fc.oneof(
        bent,
        bent,
        fc.uint8Array({ minLength: 1, maxLength: 400 }).map((bytes) => Buffer.from(bytes)),
      );
      // Some at once, as a flood comes.
      await fc.assert(
        fc.asyncProperty(fc.array(junk, { minLength: 20, maxLength: 20 }), async (several) => {
          for (const answer of await Promise.all(several.map(answerTo))) expectHarmless(answer);
        }),
        { numRuns: Math.ceil(RUNS / 20), seed: SEED, endOnFailure: RUNS > 100 },
      );

      await expectHealthy();
    },
    LIMIT_MS,
  );
});
