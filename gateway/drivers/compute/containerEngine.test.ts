import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findDaemon } from './container/daemon';
import { buildLabSpec, findLab, waitForState, waitUntil } from './testing/labFixtures';
import { openProcessFixture, type ProcessFixture } from './testing/processFixture';

jest.setTimeout(60_000);

interface Asked {
  method: string;
  path: string;
  body: Record<string, never> & { HostConfig?: Record<string, unknown> };
}

/** Answers as Docker 20.10 does, so far as a start asks; what a test changes it changes. */
class FakeDaemon {
  readonly asked: Asked[] = [];
  hasImage = true;
  isRunning = false;
  name = '';
  readonly folder = mkdtempSync(join(tmpdir(), 'atelier-daemon-'));
  readonly socketPath = join(this.folder, 'docker.sock');
  private readonly server: Server = createServer((request, response) => void this.answer(request, response));

  listen(): Promise<void> {
    return new Promise((resolve) => this.server.listen(this.socketPath, resolve));
  }

  silence(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(() => resolve()));
  }

  async close(): Promise<void> {
    if (this.server.listening) await this.silence();
    rmSync(this.folder, { recursive: true, force: true });
  }

  created(): Asked | undefined {
    return this.asked.find(({ path }) => path.startsWith('/containers/create'));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    const path = decodeURIComponent(request.url ?? '').replace(/^\/v1\.\d+/, '');
    this.asked.push({ method: request.method ?? '', path, body: text.startsWith('{') ? JSON.parse(text) : {} });
    const [status, told] = this.tell(`${request.method} ${path}`);
    if (told === undefined) return;
    response.writeHead(status, { 'content-type': 'application/json' }).end(status === 204 ? '' : JSON.stringify(told));
  }

  private tell(call: string): [status: number, told: unknown] {
    const state = { Running: this.isRunning, Pid: 0, ExitCode: 137, Error: '', OOMKilled: false };
    if (call.startsWith('GET /info')) return [200, { ServerVersion: '20.10', NCPU: 2, MemTotal: 8e9, OSType: 'linux' }];
    if (call.startsWith('GET /version')) return [200, { Components: [{ Name: 'Engine' }] }];
    if (call.startsWith('GET /images/')) return this.hasImage ? [200, { Id: 'sha256:1' }] : [404, { message: 'no such image' }];
    if (call.startsWith('POST /images/create')) return [404, { message: 'pull access denied' }];
    if (call.startsWith('POST /containers/create')) {
      this.name = /name=([^&]+)/.exec(call)?.[1] ?? '';
      return [201, { Id: this.name, Warnings: [] }];
    }
    if (call.endsWith('/start')) this.isRunning = true;
    if (call.includes('/kill')) this.isRunning = false;
    if (call.includes('/wait')) return [200, undefined];
    if (call.startsWith('GET /containers/json')) return [200, this.isRunning ? [this.row()] : []];
    if (/^GET \/containers\/[^/]+\/json/.test(call))
      return [200, { State: state, Config: { Labels: this.created()?.body.Labels } }];
    return [204, null];
  }

  private row(): Record<string, unknown> {
    return { Id: this.name, State: 'running', Labels: this.created()?.body.Labels };
  }
}

let daemon: FakeDaemon;
let fixture: ProcessFixture | null = null;

async function open() {
  daemon = new FakeDaemon();
  await daemon.listen();
  fixture = await openProcessFixture({ containerSocket: daemon.socketPath });
  return fixture;
}

afterEach(async () => {
  await fixture?.close();
  fixture = null;
  await daemon?.close();
});

const withImage = { image: { imageId: 'shell', reference: 'docker.io/library/debian:12', commands: ['bash'] } };

describe('the container engine, asked by a daemon that notes everything', () => {
  it('asks for a container without rights, and ends it when the lab stops', async () => {
    const { engine } = await open();
    const spec = buildLabSpec(withImage);

    await engine.ensureStarted(spec);
    await waitForState(engine, spec.ref, 'running');

    const { path, body } = daemon.created() ?? {};
    expect(path).toContain(spec.ref);
    expect(body).toMatchObject({ Image: 'docker.io/library/debian:12', User: '65534:65534', NetworkDisabled: true });
    expect(body?.HostConfig).toMatchObject({ CapDrop: ['ALL'], Privileged: false, Init: true, NetworkMode: 'none' });
    await engine.stop(spec.ref, { graceMs: 0 });
    expect(await waitForState(engine, spec.ref, 'ended')).toMatchObject({ endReason: 'stopped' });
    expect(daemon.asked.some(({ method, path: asked }) => method === 'DELETE' && asked.includes(spec.ref))).toBe(true);
  });

  it('says which image is missing, and refuses what has none', async () => {
    const { engine } = await open();
    daemon.hasImage = false;
    const spec = buildLabSpec(withImage);

    await engine.ensureStarted(spec);

    const ended = await waitForState(engine, spec.ref, 'ended');
    expect(ended).toMatchObject({ endReason: 'image_unavailable', runningMs: 0 });
    expect(ended.detail).toMatch(/^docker\.io\/library\/debian:12 is not here and could not be fetched: .*pull access denied/);
    expect(daemon.created()).toBeUndefined();
    const without = buildLabSpec({ image: { ...withImage.image, reference: null } });
    await expect(engine.ensureStarted(without)).rejects.toMatchObject({ name: 'EngineRefused', reason: 'image' });
    await expect(engine.ensureStarted(buildLabSpec({ ...withImage, network: 'egress' }))).rejects.toThrow('no network');
  });

  it('tells nothing while the daemon is silent, and counts none of that time', async () => {
    const { engine } = await open();
    const spec = buildLabSpec(withImage);
    await engine.ensureStarted(spec);
    const before = await waitForState(engine, spec.ref, 'running');

    await daemon.silence();
    const failure = () => engine.list().then(() => null, String);
    await waitUntil(
      async () => (await failure()) !== null,
      5000,
      () => 'it went on telling',
    );
    expect(await failure()).toMatch(/^EngineUnreachable: the container engine does not answer/);
    expect(await engine.health()).toMatchObject({ isHealthy: false });
    await new Promise((resolve) => setTimeout(resolve, 1500));
    await daemon.listen();

    const after = await findLab(engine, spec.ref);
    expect(after).toMatchObject({ state: 'running', endReason: null });
    expect(after?.runningMs).toBeGreaterThanOrEqual(before.runningMs);
    expect(after?.runningMs).toBeLessThan(before.runningMs + 1400);
  });
});

describe('looking for a daemon', () => {
  it('names every socket that was tried and what was wrong with it', async () => {
    await expect(findDaemon(['/nowhere/a.sock', '/nowhere/b.sock'])).rejects.toThrow(
      /^No container engine answers; tried \/nowhere\/a\.sock \(no such socket\), \/nowhere\/b\.sock \(no such socket\)\. Start /,
    );
  });
});
