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

  it('is no page for a program that asks for JSON', async () => {
    expect((await get('/login', { accept: 'application/json' })).statusCode).toBe(404);
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
