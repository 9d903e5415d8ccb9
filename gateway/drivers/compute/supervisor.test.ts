import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, lstatSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { readJournal } from './supervisor/journal';
import { findSocketPath, supervisorPaths } from './supervisor/paths';
import { readProcess } from './supervisor/procTree';
import { protocolVersion } from './supervisor/protocol';
import { greetSupervisor } from './supervisorClient';
import { supervisorCommand } from './supervisorProcess';
import { buildLabSpec, endLab, findLab, startLab, waitForState, waitUntil } from './testing/labFixtures';
import {
  endProcess,
  findProcesses,
  openProcessFixture,
  type ProcessFixture,
  type ProcessFixtureOptions,
} from './testing/processFixture';
import { TerminalProbe } from './testing/terminalProbe';

// Real processes on a machine that may be busy; what is awaited has time-outs of its own.
jest.setTimeout(60_000);

const mebibyte = 1024 ** 2;
let fixture: ProcessFixture | null = null;

async function open(options: ProcessFixtureOptions = {}): Promise<ProcessFixture> {
  fixture = await openProcessFixture(options);
  return fixture;
}

afterEach(async () => {
  const closing = fixture;
  fixture = null;
  await closing?.close();
});

describe('a gateway that is killed', () => {
  it('changes nothing for a running lab, which the next gateway adopts with its time and its terminal', async () => {
    const { engine, dataDir } = await open({ settings: { idleExitMs: 5000 } });
    const command = ['-r', require.resolve('esbuild-register'), join(__dirname, 'testing', 'gatewayChild.ts'), dataDir];
    const child = spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'inherit'] });
    const [line] = await once(child.stdout, 'data');
    const ref = String(line).trim();
    const before = await findLab(engine, ref);
    await engine.close();

    child.kill('SIGKILL');
    await once(child, 'exit');
    const next = await fixture?.connect();
    if (!next) throw new Error('no fixture');

    const after = await findLab(next, ref);
    expect(after).toMatchObject({ state: 'running', sessionId: before?.sessionId });
    expect(after?.runningMs).toBeGreaterThanOrEqual(before?.runningMs ?? Number.POSITIVE_INFINITY);
    const shell = await TerminalProbe.open(next, ref);
    expect(await shell.run('echo $WORD')).toBe('survived\n');
    await endLab(next, ref);
  });
});

describe('a supervisor that is killed', () => {
  it.each(['auto', 'none'] as const)(
    'takes its labs with it, and the next one reports them as journaled (isolation %s)',
    async (isolation) => {
      const { engine, supervisorPid, dataDir } = await open({ settings: { isolation } });
      const spec = await startLab(engine);
      const shell = await TerminalProbe.ready(engine, spec.ref);
      const marker = `0.${Date.now()}`;
      await shell.run(`(setsid sleep 3600${marker} >/dev/null 2>&1 &)`);
      await waitUntil(
        () => findProcesses(`sleep\x003600${marker}`).length === 1,
        10_000,
        () => 'the orphan did not start',
      );
      await new Promise((resolve) => setTimeout(resolve, 1300));
      const truth = await findLab(engine, spec.ref);

      await endProcess(await supervisorPid(), 'SIGKILL');
      await waitUntil(
        () =>
          engine.list().then(
            () => true,
            () => false,
          ),
        15_000,
        () => 'no new supervisor came',
      );

      const died = await waitForState(engine, spec.ref, 'ended');
      expect(died).toMatchObject({ endReason: 'engine_died', exitCode: null, sessionId: spec.sessionId });
      expect(died.runningMs).toBeGreaterThanOrEqual(truth?.runningMs ?? Number.POSITIVE_INFINITY);
      expect(died.runningMs).toBeLessThanOrEqual((truth?.runningMs ?? 0) + 1200);
      expect(findProcesses(`sleep\x003600${marker}`)).toEqual([]);
      expect(findProcesses(spec.hostname)).toEqual([]);
      await engine.ensureStarted(spec);
      expect(await findLab(engine, spec.ref)).toEqual(died);
      expect(await shell.closed).toBeNull();
      expect(dataDir).toBe(fixture?.dataDir);
    },
  );

  it('hits no later process that has the number of one of its own', async () => {
    const { engine, supervisorPid, dataDir } = await open();
    const spec = await startLab(engine);
    const bystander = spawn('sleep', ['60']);
    await endProcess(await supervisorPid(), 'SIGKILL');
    await engine.close();
    const { journal } = supervisorPaths(dataDir);
    const reused = { type: 'process', ref: spec.ref, process: { pid: bystander.pid, startTicks: 1 } };
    writeFileSync(journal, `${readFileSync(journal, 'utf8')}${JSON.stringify(reused)}\n{"type":"se`);

    const next = await fixture?.connect();

    expect(await next?.list()).toMatchObject({ labs: [{ ref: spec.ref, endReason: 'engine_died' }] });
    expect(readProcess(bystander.pid ?? -1)?.state).toMatch(/[SR]/);
    bystander.kill();
    await once(bystander, 'exit');
  });
});

describe('one supervisor a DATA_DIR', () => {
  it('refuses a second instance', async () => {
    const { dataDir, engine } = await open();
    const [program = '', ...args] = supervisorCommand();

    const second = spawn(program, [...args, JSON.stringify({ dataDir })], { stdio: 'ignore' });

    expect(await once(second, 'exit')).toEqual([75, null]);
    expect((await engine.health()).isHealthy).toBe(true);
  });

  it('keeps its folder, socket, journal and log to its owner', async () => {
    const { dataDir, engine } = await open();
    await endLab(engine, (await startLab(engine)).ref);
    const paths = supervisorPaths(dataDir);
    const modeOf = (path: string) => (lstatSync(path).mode & 0o777).toString(8);

    expect([dataDir, paths.folder, paths.homes].map(modeOf)).toEqual(['700', '700', '700']);
    expect([findSocketPath(paths) ?? '', paths.journal, paths.log, paths.instance].map(modeOf)).toEqual([
      '600',
      '600',
      '600',
      '600',
    ]);
  });

  it('finds a short place for its socket when the path of DATA_DIR is too long', async () => {
    const { dataDir, engine } = await open({ subfolder: join('x'.repeat(90), 'data') });
    const path = findSocketPath(supervisorPaths(dataDir)) ?? '';

    expect(Buffer.byteLength(path)).toBeLessThan(104);
    expect(path.startsWith(dataDir)).toBe(false);
    await endLab(engine, (await startLab(engine)).ref);
    await fixture?.close();
    fixture = null;
    expect(existsSync(path)).toBe(false);
  });

  it('leaves when nobody needs it, with nothing behind', async () => {
    const { dataDir, engine, supervisorPid } = await open({ settings: { idleExitMs: 100 } });
    const spec = await startLab(engine);
    const pid = await supervisorPid();
    await endLab(engine, spec.ref);

    await engine.close();

    await waitUntil(
      () => readProcess(pid) === null || readProcess(pid)?.state === 'Z',
      10_000,
      () => 'it stayed',
    );
    expect(findProcesses(dataDir)).toEqual([]);
    expect(existsSync(findSocketPath(supervisorPaths(dataDir)) ?? '')).toBe(false);
  });
});

describe('another version of the protocol', () => {
  it('is told apart by the supervisor, which drains when asked: no new labs, the living ones run on', async () => {
    const { dataDir, engine, supervisorPid } = await open({ settings: { idleExitMs: 60_000 } });
    const spec = await startLab(engine);
    const pid = await supervisorPid();

    const foreign = await greetSupervisor(dataDir, { protocol: protocolVersion + 1, channel: 'drain' });
    expect(foreign.welcome).toMatchObject({ protocol: protocolVersion, livingLabs: 1, isDraining: true });

    await expect(engine.ensureStarted(buildLabSpec())).rejects.toMatchObject({ name: 'EngineRefused' });
    expect(await findLab(engine, spec.ref)).toMatchObject({ state: 'running' });
    await engine.stop(spec.ref, { graceMs: 0 });
    await waitUntil(
      () => readProcess(pid) === null || readProcess(pid)?.state === 'Z',
      10_000,
      () => 'it did not leave',
    );
  });

  it('is said clearly by the gateway, which asks the other to drain', async () => {
    const { dataDir, engine, supervisorPid } = await open();
    await engine.close();
    await endProcess(await supervisorPid());
    const heard: string[] = [];
    const old = createServer((socket) => {
      socket.once('data', (line) => {
        heard.push(JSON.parse(String(line)).channel);
        socket.end(
          `${JSON.stringify({ protocol: 99, instanceId: engine.instanceId, supervisorPid: 4711, livingLabs: 3, isDraining: false })}\n`,
        );
      });
    });
    await new Promise<void>((resolve) => old.listen(findSocketPath(supervisorPaths(dataDir)) ?? '', resolve));

    await expect(fixture?.connect()).rejects.toThrow(/speaks protocol 99, this gateway 2; it was asked to drain: its 3 labs/);

    expect(heard).toContain('drain');
    await new Promise((resolve) => old.close(resolve));
  });
});

describe('hostile and careless members', () => {
  it('does not let typing into a shell that reads nothing hold anybody else up', async () => {
    const { engine } = await open();
    const [deaf, other] = await Promise.all([startLab(engine), startLab(engine)]);
    const shell = await TerminalProbe.ready(engine, deaf.ref);
    shell.type('stty raw -echo; sleep 30\r');
    await shell.waitFor(/sleep 30/);

    const before = (await fixture?.supervisorResidentBytes()) ?? 0;
    // Far more than a collector may leave lying about, so that what is kept shows.
    const flood = Buffer.alloc(192 * mebibyte, 'x');
    shell.stream.write(flood);

    const neighbour = await TerminalProbe.ready(engine, other.ref);
    const beganMs = performance.now();
    expect(await neighbour.run('echo quick')).toBe('quick\n');
    expect(performance.now() - beganMs).toBeLessThan(2000);
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(await fixture?.supervisorResidentBytes()).toBeLessThan(before + 64 * mebibyte);
    shell.stream.detach();
  });

  it('cuts off a reader that takes nothing, for the sake of the others', async () => {
    const { engine } = await open({ settings: { stuckReaderMs: { beside: 300, alone: 60_000 } } });
    const { ref } = await startLab(engine);
    const stuck = await TerminalProbe.ready(engine, ref);
    const reading = await TerminalProbe.open(engine, ref);

    stuck.stream.pause();
    reading.type('seq 1000000; echo all $((1+1))\r');

    await reading.waitFor(/all 2\n/, 20_000);
    stuck.stream.resume();
    expect(await stuck.closed).toBeNull();
  });

  it('deletes a home without following the links in it', async () => {
    const { engine, dataDir } = await open();
    const spec = await startLab(engine);
    await endLab(engine, spec.ref);
    const { homes } = supervisorPaths(dataDir);
    const outside = join(dataDir, 'outside');
    mkdirSync(outside);
    writeFileSync(join(outside, 'precious'), 'kept');
    symlinkSync(outside, join(homes, spec.workshopId, 'link'));

    await engine.deleteHome(spec.workshopId);

    expect(existsSync(join(homes, spec.workshopId))).toBe(false);
    expect(readFileSync(join(outside, 'precious'), 'utf8')).toBe('kept');
    await expect(engine.deleteHome('../outside')).rejects.toMatchObject({ name: 'EngineRefused' });
  });

  it('refuses labs it cannot isolate unless that is allowed', async () => {
    const { engine } = await open({ settings: { isolation: 'none' }, isUnsandboxedAllowed: async () => false });

    await expect(engine.ensureStarted(buildLabSpec())).rejects.toMatchObject({ reason: 'unsandboxed' });
  });

  it('writes down every sighting before it reports it', async () => {
    const { engine, dataDir } = await open();
    const spec = await startLab(engine);

    for (let turn = 0; turn < 50; turn += 1) {
      const told = await findLab(engine, spec.ref);
      const journaled = (await readJournal(supervisorPaths(dataDir).journal)).labs.get(spec.ref);

      expect(journaled?.runningMs).toBeGreaterThanOrEqual(told?.runningMs ?? Number.POSITIVE_INFINITY);
      expect(journaled).toMatchObject({ spec, end: null });
    }
  });
});
