import { EngineRefused, type LabSpec } from '../computeEngine';
import type { EngineUnderTest } from '../computeEngine.suite';
import { buildLabSpec, endLab, findLab, startLab, waitForState, waitUntil } from './labFixtures';
import { TerminalProbe } from './terminalProbe';

/** Starting, leases, stopping and what stays afterwards. */
export function describeLife(subject: () => EngineUnderTest): void {
  describe('starting', () => describeStarting(subject));
  describe('the lease', () => describeLease(subject));
  describe('stopping', () => describeStopping(subject));
}

function describeStarting(subject: () => EngineUnderTest): void {
  it('starts a lab once, however often it is asked', async () => {
    const { engine } = subject();
    const spec = buildLabSpec();

    await Promise.all([engine.ensureStarted(spec), engine.ensureStarted(spec), engine.ensureStarted(spec)]);

    const { ref, sessionId, workshopId, installationId, leaseLimitMs } = spec;
    const lab = await waitForState(engine, ref, 'running');
    expect(lab).toMatchObject({ ref, sessionId, workshopId, installationId, leaseLimitMs, endReason: null, exitCode: null });
    expect((await engine.list()).labs.filter((each) => each.ref === ref)).toHaveLength(1);
    await endLab(engine, ref);
  });

  it('never starts a ref again that has ended, forgotten or not', async () => {
    const { engine } = subject();
    const spec = await startLab(engine);
    const ended = await endLab(engine, spec.ref);

    await engine.ensureStarted(spec);
    expect(await findLab(engine, spec.ref)).toEqual(ended);

    await engine.forget(spec.ref);
    await expect(engine.ensureStarted(spec)).rejects.toThrow(EngineRefused);
    expect(await findLab(engine, spec.ref)).toBeUndefined();
  });

  it('starts twenty labs at the same time', async () => {
    const { engine } = subject();
    const specs = Array.from({ length: 20 }, () => buildLabSpec({ cpuCores: 0.1, memoryBytes: 64 * 1024 ** 2 }));

    await Promise.all(specs.map((spec) => engine.ensureStarted(spec)));

    const running = await Promise.all(specs.map((spec) => waitForState(engine, spec.ref, 'running')));
    expect(new Set(running.map((lab) => lab.ref)).size).toBe(20);
    await Promise.all(specs.map((spec) => endLab(engine, spec.ref)));
  });

  it('refuses more than the host has, and says so', async () => {
    const { engine } = subject();
    const { maxCpuCores, maxMemoryBytes } = await engine.capabilities();

    for (const excess of [{ cpuCores: maxCpuCores + 1 }, { memoryBytes: maxMemoryBytes + 1 }]) {
      await expect(engine.ensureStarted(buildLabSpec(excess))).rejects.toMatchObject({ name: 'EngineRefused', reason: 'capacity' });
    }
  });

  it('names the engine instance in every listing, and every lab it has', async () => {
    const { engine } = subject();
    const specs = await Promise.all([startLab(engine), startLab(engine)]);

    const listing = await engine.list();

    expect(listing.instanceId).toBe(engine.instanceId);
    expect(listing.labs.map((lab) => lab.ref)).toEqual(expect.arrayContaining(specs.map((spec) => spec.ref)));
    await Promise.all(specs.map((spec) => endLab(engine, spec.ref)));
  });

  it('hints at a change', async () => {
    const { engine } = subject();
    let hints = 0;
    const unsubscribe = engine.onChange(() => {
      hints += 1;
    });

    const spec = await startLab(engine);
    await waitUntil(
      () => hints > 0,
      5000,
      () => 'no hint came',
    );
    unsubscribe();
    await endLab(engine, spec.ref);
  });
}

function describeLease(subject: () => EngineUnderTest): void {
  it('stops a lab when its run time reaches the lease, and counts no more than that', async () => {
    const { engine, passTime } = subject();
    const spec = await startLab(engine, { leaseLimitMs: 700 });

    await passTime(800);

    expect(await waitForState(engine, spec.ref, 'ended')).toMatchObject({ endReason: 'lease', runningMs: 700, leaseLimitMs: 700 });
  });

  it('lets a lab run on when its lease is extended, and ignores a shorter one', async () => {
    const { engine, passTime } = subject();
    const spec = await startLab(engine, { leaseLimitMs: 700 });

    await engine.extendLease(spec.ref, 60_000);
    await engine.extendLease(spec.ref, 100);
    await passTime(900);

    const lab = await findLab(engine, spec.ref);
    expect(lab).toMatchObject({ state: 'running', leaseLimitMs: 60_000 });
    expect(lab?.runningMs).toBeGreaterThanOrEqual(900);
    await endLab(engine, spec.ref);
  });

  it('counts run time that never falls and is final once ended', async () => {
    const { engine, passTime } = subject();
    const spec = await startLab(engine);
    const seen: number[] = [];
    for (let turn = 0; turn < 5; turn += 1) {
      await passTime(30);
      seen.push((await findLab(engine, spec.ref))?.runningMs ?? -1);
    }
    const ended = await endLab(engine, spec.ref);
    await passTime(50);

    expect(seen).toEqual([...seen].sort((left, right) => left - right));
    expect(seen.at(-1)).toBeGreaterThanOrEqual((seen[0] ?? 0) + 120);
    expect(ended.runningMs).toBeGreaterThanOrEqual(seen.at(-1) ?? 0);
    expect((await findLab(engine, spec.ref))?.runningMs).toBe(ended.runningMs);
  });
}

function describeStopping(subject: () => EngineUnderTest): void {
  const restart = async (spec: LabSpec) => startLab(subject().engine, { workshopId: spec.workshopId });

  it('stops a lab however often it is asked, and an unknown one is done', async () => {
    const { engine } = subject();
    const spec = await startLab(engine);

    await Promise.all([engine.stop(spec.ref, { graceMs: 500 }), engine.stop(spec.ref, { graceMs: 500 })]);

    expect(await waitForState(engine, spec.ref, 'ended')).toMatchObject({ endReason: 'stopped' });
    await engine.stop(spec.ref, { graceMs: 0 });
    await engine.stop('ws-unknown-g1', { graceMs: 0 });
  });

  it('keeps the home over stop and start, until it is deleted', async () => {
    const { engine } = subject();
    const first = await startLab(engine);
    await (await TerminalProbe.ready(engine, first.ref)).run('echo kept > note.txt');
    await endLab(engine, first.ref);

    const second = await restart(first);
    const shell = await TerminalProbe.ready(engine, second.ref);
    expect(await shell.run('cat note.txt')).toBe('kept\n');
    await expect(engine.deleteHome(first.workshopId)).rejects.toThrow(EngineRefused);
    await endLab(engine, second.ref);
    await engine.deleteHome(first.workshopId);
    await engine.deleteHome(first.workshopId);

    const third = await restart(first);
    expect(await (await TerminalProbe.ready(engine, third.ref)).run('cat note.txt')).toContain('No such file');
    await endLab(engine, third.ref);
  });

  it('closes the terminals of a lab that ends', async () => {
    const { engine } = subject();
    const spec = await startLab(engine);
    const shell = await TerminalProbe.ready(engine, spec.ref);

    await endLab(engine, spec.ref);

    await shell.closed;
    await expect(engine.openTerminal(spec.ref, { terminalId: 'main', cols: 80, rows: 24 })).rejects.toThrow(EngineRefused);
  });

  it('lists an ended lab until it is forgotten, and forgets no living one', async () => {
    const { engine } = subject();
    const spec = await startLab(engine);

    await engine.forget(spec.ref);
    expect(await findLab(engine, spec.ref)).toMatchObject({ state: 'running' });

    await endLab(engine, spec.ref);
    await engine.forget(spec.ref);
    await engine.forget(spec.ref);
    expect(await findLab(engine, spec.ref)).toBeUndefined();
  });
}
