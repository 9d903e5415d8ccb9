import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MemberClient } from '../e2e/memberClient';
import { Secrets } from '../e2e/secrets';
import { findPostmaster } from './db/postmaster';
import { bundleProgram } from './testing/bundledGateway';
import { startChild } from './testing/childProcess';
import { type GatewayProcess, startGatewayProcess } from './testing/gatewayProcess';

const TRY_MS = 50;

let program: Awaited<ReturnType<typeof bundleProgram>>;
beforeAll(async () => {
  program = await bundleProgram('gateway/main.ts');
});
afterAll(() => program.remove());

describe('the gateway as a process', () => {
  let dataDir: string;
  let gateway: GatewayProcess;
  const postmaster = () => findPostmaster(join(dataDir, 'postgres', 'data'));

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'atelier-main-'));
    gateway = await startGatewayProcess(dataDir, program);
  });
  afterAll(async () => {
    await gateway.end('SIGTERM');
    await rm(dataDir, { recursive: true, force: true });
  });

  async function isReady(): Promise<boolean> {
    return (await fetch(`${gateway.origin}/readyz`)).ok;
  }

  it('is alive and ready once it says so', async () => {
    expect((await fetch(`${gateway.origin}/healthz`)).status).toBe(200);
    expect(await (await fetch(`${gateway.origin}/readyz`)).json()).toEqual({ status: 'ready', database: true, engine: true });
  });

  it('gives an empty installation a demo member, whose password is said once and kept in a file', async () => {
    const file = join(dataDir, 'demo-account.txt');
    const [, password = ''] = /^Sign in as demo with password (\S+) \(kept in .*\)$/m.exec(gateway.output()) ?? [];
    expect(await readFile(file, 'utf8')).toBe(`username: demo\npassword: ${password}\n`);
    expect((await stat(file)).mode & 0o777).toBe(0o600);

    const demo = new MemberClient(gateway.origin, async () => '', new Secrets());
    const { user } = await demo.call('POST /gateway/user/login', { body: { type: 'password', username: 'demo', password } });

    expect(user).toMatchObject({ userName: 'demo', remainDcu: 100, levelFlag: 0 });
  });

  it('keeps a second one off its data folder, in one sentence, and is not disturbed', async () => {
    const second = startChild(program.entry, {
      DATA_DIR: dataDir,
      PORT: '0',
      COMPUTE_ENGINE: 'simulated',
      LOG_LEVEL: 'silent',
    });

    expect(await second.exited).toBe(1);
    expect(second.output()).toBe(`Another gateway is running on ${dataDir}; stop it first or set another DATA_DIR.`);
    expect(await isReady()).toBe(true);
  });

  it('starts its PostgreSQL again when that is killed', async () => {
    const before = postmaster();
    if (!before) throw new Error('no server runs');

    process.kill(before, 'SIGKILL');

    while ([null, before].includes(postmaster()) || !(await isReady())) await new Promise((resolve) => setTimeout(resolve, TRY_MS));
    expect(postmaster()).not.toBe(before);
  });

  it('leaves its PostgreSQL running when killed, and the next one goes on with it', async () => {
    const before = postmaster();

    await gateway.end('SIGKILL');
    expect(postmaster()).toBe(before);
    gateway = await startGatewayProcess(dataDir, program);

    expect(postmaster()).toBe(before);
    expect(await isReady()).toBe(true);
    expect(gateway.output()).toContain(`Sign in as demo with the password in ${join(dataDir, 'demo-account.txt')}`);
  });

  it('stops with its PostgreSQL on SIGTERM and says nothing of an error', async () => {
    const code = await gateway.end('SIGTERM');

    expect(code).toBe(0);
    expect(postmaster()).toBeNull();
    gateway = await startGatewayProcess(dataDir, program);
  });
});

describe('a gateway asked to stop before it is ready', () => {
  let dataDir: string;
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'atelier-main-'));
  });
  afterAll(() => rm(dataDir, { recursive: true, force: true }));

  const start = (env: Record<string, string>) =>
    startChild(program.entry, { DATA_DIR: dataDir, PORT: '0', COMPUTE_ENGINE: 'simulated', LOG_LEVEL: 'info', ...env });

  it.each(['SIGTERM', 'SIGINT'] as const)('ends at once on %s while its database does not answer', async (signal) => {
    const mute = createServer();
    await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve));
    const address = mute.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const reached = once(mute, 'connection');
    const child = start({ DATABASE_URL: `postgresql://somebody@127.0.0.1:${port}/nothing` });
    await reached;
    const askedMs = performance.now();

    expect(await child.end(signal)).toBe(0);

    expect(performance.now() - askedMs).toBeLessThan(5_000);
    mute.close();
  });

  it('stops the PostgreSQL it was starting', async () => {
    const child = start({});
    while (findPostmaster(join(dataDir, 'postgres', 'data')) === null) await new Promise((resolve) => setTimeout(resolve, TRY_MS));

    expect(await child.end('SIGTERM')).toBe(0);

    expect(child.output()).not.toContain('Atelier is ready');
    expect(findPostmaster(join(dataDir, 'postgres', 'data'))).toBeNull();
  });
});

describe('a gateway that cannot start', () => {
  let dataDir: string;
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'atelier-main-'));
  });
  afterAll(() => rm(dataDir, { recursive: true, force: true }));

  async function refusal(env: Record<string, string>): Promise<string> {
    const child = startChild(program.entry, {
      DATA_DIR: dataDir,
      PORT: '0',
      COMPUTE_ENGINE: 'simulated',
      LOG_LEVEL: 'silent',
      ...env,
    });
    expect(await child.exited).toBe(1);
    return child.output();
  }

  it('names the setting it does not understand', async () => {
    expect(await refusal({ COMPUTE_ENGINE: 'magic' })).toBe(
      'COMPUTE_ENGINE is magic; it must be one of process, container, simulated.',
    );
  });

  it('says which sockets it tried when no container engine answers, and the way out', async () => {
    const output = await refusal({ COMPUTE_ENGINE: 'container', DOCKER_HOST: `unix://${dataDir}/none.sock` });

    expect(output).toBe(
      `No container engine answers; tried ${dataDir}/none.sock (no such socket). Start Docker or Podman (for example ` +
        '"podman system service --time=0"), or name its socket with DOCKER_HOST=unix:///path.',
    );
  });

  it('says that its database cannot be reached, without the password', async () => {
    const output = await refusal({ DATABASE_URL: 'postgresql://somebody:secret@127.0.0.1:1/nothing' });

    expect(output).toMatch(/^The database cannot be used: connect ECONNREFUSED 127\.0\.0\.1:1\.$/);
  });

  it('does not take a demo password anybody guesses', async () => {
    expect(await refusal({ DEMO_PASSWORD: 'demo' })).toBe('DEMO_PASSWORD must have 8 to 128 characters.');
  });

  it('says that its port is taken, and stops the PostgreSQL it started', async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const address = taken.address();
    const port = typeof address === 'object' && address ? String(address.port) : '';

    expect(await refusal({ PORT: port })).toBe(`Port ${port} is taken on 127.0.0.1; stop what uses it or set PORT.`);

    expect(findPostmaster(join(dataDir, 'postgres', 'data'))).toBeNull();
    expect(await readFile(join(dataDir, 'gateway.id'), 'utf8')).toHaveLength(36);
    taken.close();
  });
});
