import { createTestClock } from '../../testing/testClock';
import { describeComputeEngine } from './computeEngine.suite';
import { createSimulatedEngine } from './simulatedEngine';
import { buildLabSpec, findLab, startLab } from './testing/labFixtures';
import { TerminalProbe } from './testing/terminalProbe';

const claims = {
  isolation: 'none',
  cpuLimit: 'none',
  memoryLimit: 'none',
  diskLimit: 'none',
  network: 'none',
  survivesGatewayRestart: false,
  hasImages: false,
  saveImage: 'home',
} as const;

function build() {
  const clock = createTestClock();
  let nowMs = 0;
  clock.set(new Date(clock.nowMs()));
  const engine = createSimulatedEngine({ clock: { nowMs: () => clock.nowMs(), monotonicMs: () => nowMs } });
  const passMs = (ms: number) => {
    nowMs += ms;
  };
  return { engine, passMs };
}

describeComputeEngine('the simulated engine', claims, async () => {
  const { engine, passMs } = build();
  await engine.open();
  return {
    engine,
    passTime: async (ms) => passMs(ms),
    engineBytes: async () => process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers,
    homes: null,
    hiddenPaths: [],
    close: () => engine.close(),
  };
});

describe('what tests may do to the simulated engine', () => {
  it('cuts it off and brings it back, labs running on meanwhile', async () => {
    const { engine, passMs } = build();
    const spec = await startLab(engine);
    const shell = await TerminalProbe.ready(engine, spec.ref);

    engine.simulate.setReachable(false);
    await expect(engine.list()).rejects.toMatchObject({ name: 'EngineUnreachable' });
    expect(await shell.closed).toBeNull();
    expect((await engine.health()).isHealthy).toBe(false);
    passMs(5000);
    engine.simulate.setReachable(true);

    expect(await findLab(engine, spec.ref)).toMatchObject({ state: 'running', runningMs: 5000 });
  });

  it('ends a lab for every reason an engine knows', async () => {
    const { engine } = build();
    const [short, dead] = await Promise.all([startLab(engine), startLab(engine)]);

    engine.simulate.runOutOfMemory(short.ref);
    engine.simulate.dieAndRestart();

    expect(await findLab(engine, short.ref)).toMatchObject({ state: 'ended', endReason: 'out_of_memory' });
    expect(await findLab(engine, dead.ref)).toMatchObject({ state: 'ended', endReason: 'engine_died' });
  });

  it('holds starts until they are let go, and refuses them by name', async () => {
    const { engine } = build();
    const spec = buildLabSpec();
    engine.simulate.holdStarts(true);
    await engine.ensureStarted(spec);
    expect(await findLab(engine, spec.ref)).toMatchObject({ state: 'starting', runningMs: 0 });
    engine.simulate.holdAt(spec.ref, 'pulling', { percent: 40, detail: 'layer 2 of 5' });
    expect(await findLab(engine, spec.ref)).toMatchObject({ state: 'pulling', progress: { percent: 40 } });
    engine.simulate.finishStart(spec.ref);
    expect(await findLab(engine, spec.ref)).toMatchObject({ state: 'running', progress: null });

    engine.simulate.refuseStarts('unsandboxed');

    await expect(engine.ensureStarted(buildLabSpec())).rejects.toMatchObject({ reason: 'unsandboxed' });
    expect(engine.simulate.startCount()).toBe(1);
  });

  it('lets a lab vanish and commands be missing', async () => {
    const { engine } = build();
    const spec = await startLab(engine);

    engine.simulate.vanish(spec.ref);
    engine.simulate.setMissingCommands(['python3']);

    expect((await engine.list()).labs).toEqual([]);
    expect(await engine.missingCommands(['bash', 'python3'])).toEqual(['python3']);
  });
});
