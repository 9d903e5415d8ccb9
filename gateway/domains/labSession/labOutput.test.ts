import { buildTestApp, type TestApp } from '../../testing/buildTestApp';
import type { TestMember } from '../../testing/factories';
import { advance } from '../../testing/testDatabase';
import { brokenInvariants, getView, type Lab, pass, sessionOf, startLab, stateOf } from '../workshop/testbed';

describe('what a run printed', () => {
  let test: TestApp;
  let lab: Lab;
  beforeEach(async () => {
    test = await buildTestApp();
    await advance(test.db, 0);
    lab = await startLab(test);
  });
  afterEach(async () => {
    test.engine.simulate.setReachable(true);
    expect(await brokenInvariants(test)).toEqual([]);
    await test.close();
  });

  const ask = (query: object = {}, member: TestMember | null = lab.member) =>
    test.as(member).send('GET /gateway/workshop/logs', { query: { workshopId: lab.workshopId, ...query } });
  const logs = async (query: object = {}) => (await ask(query)).data;
  const download = (query: object = {}, member: TestMember | null = lab.member) =>
    test.as(member).send('GET /gateway/workshop/logsDownload', { query: { workshopId: lab.workshopId, ...query } });
  const stop = async () => {
    await test.as(lab.member).send('POST /gateway/workshop/stop', { body: { workshopId: lab.workshopId } });
    await pass(test, 2);
  };

  async function print(command: string): Promise<void> {
    const terminal = await test.engine.openTerminal(lab.ref, { terminalId: 'main', cols: 80, rows: 24 });
    const printed = new Promise<void>((resolve) => {
      let text = '';
      terminal.onData((chunk) => {
        text += Buffer.from(chunk).toString();
        if (text.includes('PRINTED')) resolve();
      });
    });
    terminal.write(Buffer.from(`${command} PRINTED\r`));
    await printed;
    terminal.detach();
  }

  it('is shown live, without control sequences, and kept when it ends', async () => {
    await print('echo grün');
    const live = await logs();
    expect(live).toMatchObject({ sessionId: lab.sessionId, isLive: true, isCut: false, endedAt: null });
    expect(live.text).toContain('grün PRINTED');
    expect(live.text).not.toContain('\u001b');

    await stop();

    const kept = await logs();
    expect(kept).toMatchObject({ sessionId: lab.sessionId, isLive: false, endedAt: expect.stringMatching(/Z$/) });
    expect(kept.text).toContain('grün PRINTED');
    expect((await test.engine.list()).labs).toEqual([]);
    expect((await getView(test, lab.member, lab.workshopId)).lastSession?.hasOutput).toBe(true);
  });

  it('is that of the run named, of the present one without', async () => {
    await print('echo first');
    await stop();
    await test.as(lab.member).send('POST /gateway/workshop/start', { body: { workshopId: lab.workshopId } });

    expect(await logs()).toMatchObject({ isLive: true, text: '' });
    expect((await logs({ sessionId: lab.sessionId })).text).toContain('first PRINTED');
  });

  it('comes as a file', async () => {
    await print('echo filed');

    const file = await download();

    expect(file.headers).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'content-disposition': `attachment; filename="lab-${lab.sessionId}.txt"`,
      'x-content-type-options': 'nosniff',
    });
    expect(file.data).toContain('filed PRINTED');
  });

  it('is nothing where nothing ran yet', async () => {
    const { workshopId } = await test.buildWorkshop({ memberId: lab.member.memberId });

    expect(await logs({ workshopId })).toEqual({ sessionId: null, text: '', isCut: false, isLive: false, endedAt: null });
    expect((await download({ workshopId })).data).toBe('');
  });

  it('is cut to its last quarter of a megabyte, and says so', async () => {
    const long = Buffer.from(`${'x'.repeat(99)}\n`.repeat(3_000));
    jest.spyOn(test.engine, 'output').mockImplementation(async (_ref, { tailBytes }) => long.subarray(-tailBytes));
    await stop();

    const { text, isCut } = await logs();

    expect(isCut).toBe(true);
    expect(text.length).toBeGreaterThan(262_000);
    expect(text.split('\n').every((line) => line === '' || line.length === 99)).toBe(true);
  });

  it('is asked for by its member alone, and only where its engine can be asked', async () => {
    const stranger = await test.buildMember();
    const foreign = await startLab(test, { member: stranger });
    for (const send of [ask, download]) {
      expect(await send({}, null)).toFailWith('UNAUTHORIZED');
      expect(await send({}, stranger)).toFailWith('NOT_FOUND');
      expect(await send({ sessionId: foreign.sessionId })).toFailWith('NOT_FOUND');
      test.engine.simulate.setReachable(false);
      expect(await send()).toFailWith('ENGINE_UNAVAILABLE');
      test.engine.simulate.setReachable(true);
    }
    const elsewhere = { id: '00000000-0000-4000-8000-000000000001', kind: 'simulated' } as const;
    await test.db.insertInto('engineInstance').values(elsewhere).execute();
    const mine = test.db.updateTable('labSession').where('id', '=', lab.sessionId);
    await mine.set({ engineInstanceId: elsewhere.id }).execute();
    for (const send of [ask, download]) expect(await send()).toFailWith('ENGINE_ELSEWHERE');
    await mine.set({ engineInstanceId: test.engine.instanceId }).execute();
  });

  it('that cannot be read holds no end up', async () => {
    jest.spyOn(test.engine, 'output').mockRejectedValue(new Error('a broken disk'));

    await stop();

    expect(await stateOf(test, lab.workshopId)).toBe('STOPPED');
    expect((await test.engine.list()).labs).toEqual([]);
    expect(await logs()).toMatchObject({ text: '', isLive: false });
  });

  it('is kept by the gateway after the one that died between booking and keeping', async () => {
    await print('echo survived');
    const keep = jest.spyOn(test.services.labOutputs, 'keep').mockRejectedValueOnce(new Error('killed here'));
    await stop();
    expect(keep).toHaveBeenCalled();

    await pass(test, 2);

    expect((await logs()).text).toContain('survived PRINTED');
    expect((await test.engine.list()).labs).toEqual([]);
  });
});

describe('what a run used', () => {
  let test: TestApp;
  beforeEach(async () => {
    test = await buildTestApp();
    await advance(test.db, 0);
  });
  afterEach(() => test.close());

  /** A run on the two-core size that used so much of one core and of memory at every look, for so many minutes. */
  async function run(use: { cpuPercent: number; memoryBytes: number; minutes: number }): Promise<Lab> {
    const lab = await startLab(test, { specId: 'cpu-2' });
    let cpuMs = 0;
    jest.spyOn(test.engine, 'sample').mockImplementation(async (refs) => {
      cpuMs += 15_000 * (use.cpuPercent / 100);
      const counters = { cpuMsTotal: cpuMs, rxBytes: null, txBytes: null, processes: 1, diskBytes: 0 };
      return refs.map((ref) => ({ ref, sampledAtMs: test.clock.nowMs(), memoryBytes: use.memoryBytes, ...counters }));
    });
    for (let second = 0; second < use.minutes * 60; second += 15) {
      await advance(test.db, 15_000);
      if (second % 60 === 0) {
        await pass(test);
        await test.services.meterNotices.noteTick(await test.services.metering.tick());
        await pass(test);
      }
      await test.services.workshopMetrics.sample();
    }
    await test.as(lab.member).send('POST /gateway/workshop/stop', { body: { workshopId: lab.workshopId } });
    await pass(test, 2);
    return lab;
  }

  it('becomes advice for a smaller size, which is gone once it is taken', async () => {
    const { member, workshopId, sessionId } = await run({ cpuPercent: 20, memoryBytes: 300_000_000, minutes: 16 });

    const { lastSession } = await getView(test, member, workshopId);
    expect(lastSession?.advice).toMatchObject({
      kind: 'SMALLER',
      specId: 'cpu-half',
      evidence: { cpuP95Percent: 20, memoryPeakBytes: 300_000_000, minutes: 16 },
    });
    expect(await sessionOf(test, sessionId)).toMatchObject({ cpuP95Percent: 20, memoryPeakBytes: 300_000_000n });
    const taken = { workshopId, specId: lastSession?.advice?.specId };
    const updated = await test.as(member).send('POST /gateway/workshop/update', { body: taken });
    expect(updated.data).toMatchObject({ spec: { specId: 'cpu-half' }, lastSession: { advice: null } });
    const { list } = (await test.as(member).send('GET /gateway/session/page')).data;
    expect(list[0]?.advice).toMatchObject({ kind: 'SMALLER' });
  });

  it('says nothing of a run of a few looks', async () => {
    const { member, workshopId } = await run({ cpuPercent: 20, memoryBytes: 300_000_000, minutes: 10 });

    expect((await getView(test, member, workshopId)).lastSession?.advice).toBeNull();
  });

  it('is a series of its whole life, also when the workshop has run again', async () => {
    const { member, workshopId, sessionId } = await run({ cpuPercent: 50, memoryBytes: 300_000_000, minutes: 5 });
    await advance(test.db, 3_600_000);

    const query = { workshopId, sessionId };
    const { series, cpuCores } = (await test.as(member).send('GET /gateway/workshop/metricsStatistics', { query })).data;

    expect(cpuCores).toBe(2);
    expect(series.at).toHaveLength(60);
    expect(series.cpuPercent.filter((percent) => percent !== null)).toHaveLength(19);
    expect(new Set(series.cpuPercent)).toEqual(new Set([25, null]));
    const foreign = { query: { sessionId } };
    expect(await test.as(await test.buildMember()).send('GET /gateway/workshop/metricsStatistics', foreign)).toFailWith(
      'NOT_FOUND',
    );
  });
});
