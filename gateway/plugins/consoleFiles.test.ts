import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { buildTestApp, type TestApp } from '../testing/buildTestApp';

const SCRIPT = `console.log('${'learn '.repeat(50)}')`;
const PAGE = '<!DOCTYPE html><script src="/dist/boot.js?v=1"></script><script src="/dist/umi.0123abcd.js"></script>';

describe('the built console', () => {
  let folder: string;
  let test: TestApp;

  async function openApp(staticHost: string): Promise<TestApp> {
    return buildTestApp({ consoleFolder: folder, config: { staticHost } });
  }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'atelier-console-'));
    await writeFile(join(folder, 'index.html'), PAGE);
    for (const name of ['umi.0123abcd.js', 'boot.js', 'favicon.svg', '.secret']) await writeFile(join(folder, name), SCRIPT);
    await writeFile(join(folder, 'umi.0123abcd.js.br'), brotliCompressSync(SCRIPT));
    await writeFile(join(folder, 'umi.0123abcd.js.gz'), gzipSync(SCRIPT));
    test = await openApp('');
  });
  afterAll(async () => {
    await test.close();
    await rm(folder, { recursive: true });
  });

  function get(url: string, headers: Record<string, string> = { accept: 'text/html' }) {
    return test.app.inject({ method: 'GET', url, headers });
  }

  it.each([
    ['br', 'br', (body: Buffer) => brotliDecompressSync(body)],
    ['gzip, br', 'br', (body: Buffer) => brotliDecompressSync(body)],
    ['gzip', 'gzip', (body: Buffer) => gunzipSync(body)],
    ['identity', undefined, (body: Buffer) => body],
  ])('comes compressed as the browser takes it: %s', async (accepted, encoding, unpack) => {
    const reply = await get('/dist/umi.0123abcd.js', { 'accept-encoding': accepted });

    expect(reply.headers['content-encoding']).toBe(encoding);
    expect(unpack(reply.rawPayload).toString()).toBe(SCRIPT);
    expect(reply.headers['content-type']).toMatch(/javascript/);
    expect(reply.headers.vary).toMatch(/accept-encoding/i);
  });

  it.each([
    ['/dist/umi.0123abcd.js', 'public, max-age=31536000, immutable'],
    ['/dist/boot.js?v=1', 'public, max-age=31536000, immutable'],
    ['/dist/favicon.svg', 'public, max-age=86400'],
    ['/main/myLab/workshop', 'no-cache'],
  ])('is kept as long as its name promises: %s', async (url, cacheControl) => {
    const reply = await get(url);

    expect(reply.statusCode).toBe(200);
    expect(reply.headers['cache-control']).toBe(cacheControl);
  });

  it.each(['/', '/login', '/main/myLab/workshop?current=2', '/no/such/page'])('answers %s with its page', async (url) => {
    const reply = await get(url);

    expect(reply.body).toBe(PAGE);
    expect(reply.headers['content-type']).toBe('text/html; charset=utf-8');
  });

  it.each(['/dist/none.js', '/dist/.secret', '/dist/..%2fpackage.json', '/dist/index.html', '/gateway/none', '/gateway'])(
    'has no page in place of %s',
    async (url) => {
      const reply = await get(url);

      expect(reply.json()).toMatchObject({ success: false, code: 20004 });
      expect(reply.statusCode).toBe(404);
    },
  );

  it.each([
    ['/login', { accept: 'application/json' }, 404],
    ['/login', { accept: '*/*', 'sec-fetch-dest': 'script' }, 404],
    ['/tracker/none.js', { accept: '*/*' }, 404],
    ['/', { accept: '*/*' }, 200],
    ['/login?redirect=/a.b', {}, 200],
  ])('is a page for whoever may want one: %s for %j: %i', async (url, headers: Record<string, string>, status) => {
    expect((await get(url, headers)).statusCode).toBe(status);
  });

  it('sends index.html anew only when it changed', async () => {
    const etag = String((await get('/login')).headers.etag);
    const elsewhere = await openApp('https://static.example.org');

    const known = await get('/', { accept: 'text/html', 'if-none-match': `"other", W/${etag}` });
    const moved = await elsewhere.app.inject({ url: '/', headers: { accept: 'text/html', 'if-none-match': etag } });

    expect([known.statusCode, known.body, known.headers['cache-control']]).toEqual([304, '', 'no-cache']);
    expect(moved.statusCode).toBe(200);
    await elsewhere.close();
  });

  it('says what a page or file would be without sending it', async () => {
    const page = await test.app.inject({ method: 'HEAD', url: '/login', headers: { accept: 'text/html' } });
    const file = await test.app.inject({ method: 'HEAD', url: '/dist/umi.0123abcd.js' });

    expect([page.statusCode, page.body, page.headers['content-length']]).toEqual([200, '', String(PAGE.length)]);
    expect([file.statusCode, file.body, file.headers['content-length']]).toEqual([200, '', String(SCRIPT.length)]);
  });

  it('sends the rest of a file, and nothing of one the browser has', async () => {
    const whole = await get('/dist/umi.0123abcd.js');

    const rest = await get('/dist/umi.0123abcd.js', { range: 'bytes=300-' });
    const beyond = await get('/dist/umi.0123abcd.js', { range: 'bytes=9999-' });
    const unmet = await get('/dist/umi.0123abcd.js', { 'if-match': '"other"' });
    const known = await get('/dist/umi.0123abcd.js', { 'if-none-match': String(whole.headers.etag) });

    expect([rest.statusCode, rest.body]).toEqual([206, SCRIPT.slice(300)]);
    expect([beyond.statusCode, beyond.json().code]).toEqual([416, 20016]);
    expect(unmet.statusCode).toBe(400);
    expect([known.statusCode, known.body]).toEqual([304, '']);
  });

  it('gives each form of a file a mark of its own', async () => {
    const forms = await Promise.all(
      ['br', 'gzip', 'identity'].map((form) => get('/dist/umi.0123abcd.js', { 'accept-encoding': form })),
    );

    expect(new Set(forms.map(({ headers }) => headers.etag)).size).toBe(3);
  });

  it('may be the static host of another console, whose pages load its files and nothing else', async () => {
    const from = { origin: 'https://other.example', accept: 'text/html' };
    const known = { ...from, 'if-none-match': String((await get('/dist/umi.0123abcd.js')).headers.etag) };

    for (const headers of [from, known]) {
      const file = await get('/dist/umi.0123abcd.js', headers);
      expect(file.headers).toMatchObject({
        'access-control-allow-origin': '*',
        'cross-origin-resource-policy': 'cross-origin',
        'x-content-type-options': 'nosniff',
      });
      expect(file.headers['access-control-allow-credentials']).toBeUndefined();
    }
    for (const url of ['/login', '/gateway/user/getUserBySession', '/dist/none.js']) {
      const { headers } = await get(url, from);
      expect(headers['access-control-allow-origin']).toBeUndefined();
      expect(headers['cross-origin-resource-policy']).toBe('same-origin');
    }
  });

  it('keeps nothing of a file that is not there', async () => {
    expect((await get('/dist/umi.99999999.js')).headers['cache-control']).toBe('no-store');
  });

  it('allows scripts from itself only, never inline', async () => {
    const policy = String((await get('/login')).headers['content-security-policy']);

    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
  });

  it('comes from another host when one is set at run time', async () => {
    const elsewhere = await openApp('https://static.example.org/atelier');

    const reply = await elsewhere.app.inject({ method: 'GET', url: '/login', headers: { accept: 'text/html' } });

    expect(reply.body).toContain('src="https://static.example.org/atelier/dist/umi.0123abcd.js"');
    expect(reply.headers['content-security-policy']).toContain("script-src 'self' https://static.example.org;");
    await elsewhere.close();
  });
});
