import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import { buildTestApp, type TestApp } from '../testing/buildTestApp';

const SCRIPT = `(() => ${'1 + '.repeat(400)}1)()`;
const PATH = '/tracker/tracker.js';

describe('the tracker’s program', () => {
  let folder: string;
  let test: TestApp;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'atelier-tracker-'));
    await mkdir(join(folder, 'tracker'));
    await writeFile(join(folder, 'index.html'), '<!DOCTYPE html>');
    await writeFile(join(folder, PATH), SCRIPT);
    await writeFile(join(folder, `${PATH}.br`), brotliCompressSync(SCRIPT));
    await writeFile(join(folder, 'tracker/notes.txt'), 'not for the world');
    test = await buildTestApp({ consoleFolder: folder });
  });
  afterAll(async () => {
    await test.close();
    await rm(folder, { recursive: true });
  });

  const get = (headers: Record<string, string> = {}, app = test.app) => app.inject({ url: PATH, headers });

  it('comes from its fixed path as a script, compressed where the browser takes it', async () => {
    const plain = await get();
    const packed = await get({ 'accept-encoding': 'gzip, br' });

    expect(plain.body).toBe(SCRIPT);
    expect(plain.headers['content-type']).toMatch(/javascript/);
    expect(packed.headers['content-encoding']).toBe('br');
    expect(packed.headers.vary).toMatch(/accept-encoding/i);
    expect(brotliDecompressSync(packed.rawPayload).toString()).toBe(SCRIPT);
  });

  it('is kept for an hour and costs no body when it is the same', async () => {
    const { headers } = await get();
    const again = await get({ 'if-none-match': String(headers.etag) });

    expect(headers['cache-control']).toBe('public, max-age=3600');
    expect(again.statusCode).toBe(304);
    expect(again.body).toBe('');
  });

  it('is all there is beside it', async () => {
    expect((await test.app.inject('/tracker/notes.txt')).statusCode).toBe(404);
    expect((await test.app.inject(`${PATH}.br`)).statusCode).toBe(404);
    expect((await test.app.inject('/tracker/')).statusCode).toBe(404);
  });

  it('is empty where the operator switched tracking off', async () => {
    const off = await buildTestApp({ consoleFolder: folder, config: { isTrackerOn: false } });
    const reply = await get({}, off.app);
    await off.close();

    expect(reply.statusCode).toBe(200);
    expect(reply.headers['content-type']).toMatch(/javascript/);
    expect(reply.body.replace(/\/\/.*\n/, '')).toBe('');
  });
});
