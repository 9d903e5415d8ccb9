import { readdirSync } from 'node:fs';
import type { LabSpec } from '../computeEngine';
import type { Claims, EngineUnderTest } from '../computeEngine.suite';
import { endLab, findLab, startLab, waitForState } from './labFixtures';
import { TerminalProbe } from './terminalProbe';

const mebibyte = 1024 ** 2;
/** Fills memory by a string that grows, with nothing but the shell. */
const overrun = 'x=0123456789abcdef; while :; do x=$x$x; done';
const forkBomb = 'bomb() { bomb | bomb & }; bomb 2>/dev/null';

/** Measuring, limits and isolation. A driver that claims nothing must have declared it, which the first test of the suite checks. */
export function describeLimits(subject: () => EngineUnderTest, claims: Claims): void {
  describe('measuring', () => describeSamples(subject));
  describe('limits', () => {
    describeMemory(subject, claims);
    describeDisk(subject, claims);
    describeProcesses(subject, claims);
  });
  describe('isolation', () => describeIsolation(subject, claims));
}

function describeSamples(subject: () => EngineUnderTest): void {
  it('samples running labs only, with counters that never fall', async () => {
    const { engine, passTime } = subject();
    const [busy, ended] = await Promise.all([startLab(engine), startLab(engine)]);
    await endLab(engine, ended.ref);
    const shell = await TerminalProbe.ready(engine, busy.ref);
    const [before] = await engine.sample([busy.ref]);

    await shell.run('for n in 1 2 3; do echo $n; done; echo worked');
    await passTime(60_000 / 100);
    const samples = await engine.sample([busy.ref, ended.ref, 'ws-unknown-g1']);

    expect(samples.map((sample) => sample.ref)).toEqual([busy.ref]);
    expect(samples[0]?.cpuMsTotal).toBeGreaterThanOrEqual(before?.cpuMsTotal ?? 0);
    expect(samples[0]?.memoryBytes).toBeGreaterThan(0);
    expect(samples[0]?.memoryBytes).toBeLessThan(busy.memoryBytes);
    expect(samples[0]?.processes).toBeGreaterThanOrEqual(1);
    await endLab(engine, busy.ref);
  });

  it('knows which commands are missing', async () => {
    expect(await subject().engine.missingCommands(['bash'])).toEqual([]);
  });
}

function describeMemory(subject: () => EngineUnderTest, { memoryLimit }: Claims): void {
  const isLimited = memoryLimit !== 'none';
  it(isLimited ? 'ends a lab that takes more memory than it has' : 'declares that it limits no memory', async () => {
    const { engine } = subject();
    if (!isLimited) {
      expect((await engine.capabilities()).memoryLimit).toBe('none');
      return;
    }
    const spec = await startLab(engine, { memoryBytes: 96 * mebibyte });
    const shell = await TerminalProbe.ready(engine, spec.ref);

    shell.type(`${overrun}\r`);

    expect(await waitForState(engine, spec.ref, 'ended')).toMatchObject({ endReason: 'out_of_memory' });
  });
}

function describeDisk(subject: () => EngineUnderTest, { diskLimit }: Claims): void {
  const isLimited = diskLimit !== 'none';
  it(
    isLimited ? 'ends a lab whose home outgrows its quota, and lets it start again to tidy up' : 'declares that it limits no disk',
    async () => {
      const { engine } = subject();
      if (!isLimited) {
        expect((await engine.capabilities()).diskLimit).toBe('none');
        return;
      }
      const spec = await startLab(engine, { diskBytes: 4 * mebibyte });
      const shell = await TerminalProbe.ready(engine, spec.ref);
      shell.type('for n in 1 2 3; do head -c 3000000 /dev/zero > big$n; done\r');
      expect(await waitForState(engine, spec.ref, 'ended')).toMatchObject({ endReason: 'disk_full' });

      const again = await startLab(engine, { workshopId: spec.workshopId, diskBytes: 4 * mebibyte });
      const tidying = await TerminalProbe.ready(engine, again.ref);
      expect(await tidying.run('rm big1 big2 big3; ls')).toBe('');
      expect(await findLab(engine, again.ref)).toMatchObject({ state: 'running' });
      await endLab(engine, again.ref);
    },
  );
}

function describeProcesses(subject: () => EngineUnderTest, { isolation, memoryLimit }: Claims): void {
  // A real shell's processes; the simulated one, which isolates and limits nothing, has none to multiply.
  const isReal = isolation !== 'none' || memoryLimit !== 'none';
  it(isReal ? 'contains a fork bomb' : 'declares that nothing real runs in it', async () => {
    const { engine } = subject();
    if (!isReal) {
      expect(await engine.capabilities()).toMatchObject({ isolation: 'none', memoryLimit: 'none' });
      return;
    }
    // Without isolation the kernel counts a user's processes all over the host, so the limit is set that much higher.
    const others = isolation === 'none' ? readdirSync('/proc').filter((name) => /^\d+$/.test(name)).length : 0;
    const [bombed, beside] = await Promise.all([startLab(engine, { processes: 40 }), startLab(engine)]);
    const shell = await TerminalProbe.ready(engine, bombed.ref);
    const neighbour = await TerminalProbe.ready(engine, beside.ref);

    shell.type(`${forkBomb}\r`);
    let most = 0;
    for (let turn = 0; turn < 5; turn += 1) {
      expect(await neighbour.run('echo unharmed')).toBe('unharmed\n');
      most = Math.max(most, (await engine.sample([bombed.ref]))[0]?.processes ?? 0);
    }

    expect(most).toBeLessThan(60 + others);
    await Promise.all([endLab(engine, bombed.ref), endLab(engine, beside.ref)]);
  });
}

function describeIsolation(subject: () => EngineUnderTest, { isolation, network }: Claims): void {
  const isIsolated = isolation !== 'none';
  it(
    isIsolated ? 'shows nothing of the host, of the gateway or of other labs' : 'declares that labs are not isolated',
    async () => {
      const { engine, hiddenPaths } = subject();
      if (!isIsolated) {
        expect((await engine.capabilities()).isolation).toBe('none');
        return;
      }
      const specs = await Promise.all([startLab(engine), startLab(engine)]);
      const shell = await TerminalProbe.ready(engine, specs[0].ref);
      const neighbour = await TerminalProbe.ready(engine, specs[1].ref);
      await neighbour.run('echo secret > /tmp/private; echo secret > ~/private');
      await neighbour.run('sleep 9876 &');

      for (const path of [...hiddenPaths, '/root', '/etc/shadow']) expect(await shell.run(`ls ${path}`)).toContain('No such file');
      expect(await shell.run('ls -A ~ /tmp /home')).not.toContain('private');
      expect(await shell.run('ps ax')).not.toContain('9876');
      expect(await shell.run('cat /proc/*/environ 2>/dev/null | tr "\\0" "\\n" | grep -ci data_dir')).toBe('0\n');
      expect(await shell.run('touch /usr/x /etc/x /dev/x /x; echo done')).toMatch(/^(touch: cannot touch[^\n]*\n){4}done/);
      expect(await shell.run('ls /proc/self/fd > fds; cat fds')).toBe('0\n1\n2\n3\n');
      expect(await shell.run('grep -E "^(CapEff|NoNewPrivs)" /proc/self/status')).toMatch(/CapEff:\t0+\nNoNewPrivs:\t1\n/);
      expect(await shell.run('unshare -Ur true; echo $?')).toContain('1\n');
      await Promise.all(specs.map((spec: LabSpec) => endLab(engine, spec.ref)));
    },
  );

  const isOffline = isIsolated && network === 'none';
  it(isOffline ? 'gives a lab no network but its own loopback' : 'declares which network a lab has', async () => {
    const { engine } = subject();
    if (!isOffline) {
      expect((await engine.capabilities()).network).toBe(network);
      return;
    }
    const spec = await startLab(engine);
    const shell = await TerminalProbe.ready(engine, spec.ref);

    expect(await shell.run('tail -n +3 /proc/net/dev | cut -d: -f1 | tr -d " "')).toBe('lo\n');
    expect(await shell.run('(exec 3<>/dev/tcp/192.0.2.1/80) 2>&1 | tail -1')).toContain('unreachable');
    await endLab(engine, spec.ref);
  });
}
