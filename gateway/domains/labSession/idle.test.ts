import { inTransaction } from '../../db/client';
import { buildTestApp, type TestApp } from '../../testing/buildTestApp';
import { advance } from '../../testing/testDatabase';
import { cookieOf, openTab, takeTicket } from '../workshop/terminalClient';
import { brokenInvariants, getView, type Lab, pass, reasonsOf, sessionOf, startLab, stateOf } from '../workshop/testbed';

const MINUTE = 60_000;
/** Less than the minute after which a lab counts as not observed. */
const STEP_MS = 55_000;

describe('a lab with an idle limit of fifteen minutes', () => {
  let test: TestApp;
  let lab: Lab;
  /** What the lab uses of one core, in per cent, and its bytes a second. */
  let use = { cpu: 0, bytes: 0 };
  beforeAll(async () => {
    test = await buildTestApp();
    await advance(test.db, 0);
  });
  beforeEach(async () => {
    use = { cpu: 0, bytes: 0 };
    let [cpuMs, bytes, lastMs] = [0, 0, test.clock.nowMs()];
    jest.spyOn(test.engine, 'sample').mockImplementation(async (refs) => {
      const nowMs = test.clock.nowMs();
      cpuMs += ((nowMs - lastMs) * use.cpu) / 100;
      bytes += ((nowMs - lastMs) * use.bytes) / 1000;
      lastMs = nowMs;
      const counters = { cpuMsTotal: cpuMs, rxBytes: bytes, txBytes: 0 };
      return refs.map((ref) => ({ ref, sampledAtMs: nowMs, memoryBytes: 1, diskBytes: 0, processes: 1, ...counters }));
    });
    lab = await startLab(test);
    await test.as(lab.member).send('POST /gateway/workshop/update', { body: { workshopId: lab.workshopId, idleMinutes: 15 } });
    await liveOn(MINUTE);
  });
  afterEach(async () => {
    expect(await brokenInvariants(test)).toEqual([]);
    jest.restoreAllMocks();
    await test.as(lab.member).send('POST /gateway/workshop/stopAll');
    await pass(test, 2);
  });
  afterAll(() => test.close());

  async function liveOn(ms: number): Promise<void> {
    for (let left = ms; left > 0; left -= STEP_MS) {
      await advance(test.db, Math.min(left, STEP_MS));
      await pass(test);
      await test.services.workshopMetrics.sample();
      await test.services.meterNotices.noteTick(await test.services.metering.tick());
    }
    await pass(test);
  }

  const view = () => getView(test, lab.member, lab.workshopId);
  const state = () => stateOf(test, lab.workshopId);
  const warnings = async () => (await reasonsOf(test, lab.workshopId)).filter((reason) => reason === 'WARNING').length;

  it('is warned ten minutes before and stopped, with why', async () => {
    await liveOn(4 * MINUTE);
    expect(await view()).toMatchObject({ state: 'RUNNING', session: { stopsCause: 'IDLE', idleSince: expect.any(String) } });
    const { activeAt } = await sessionOf(test, lab.sessionId);
    expect(await warnings()).toBeLessThanOrEqual(1);
    await liveOn(2 * MINUTE);
    expect(await warnings()).toBe(1);

    await liveOn(10 * MINUTE);

    expect(await view()).toMatchObject({ state: 'STOPPED', lastSession: { stopReason: 'IDLE' } });
    const { endedAt } = await sessionOf(test, lab.sessionId);
    const idledMs = (endedAt?.getTime() ?? 0) - (activeAt?.getTime() ?? 0);
    expect([idledMs >= 15 * MINUTE, idledMs < 15 * MINUTE + 2 * STEP_MS]).toEqual([true, true]);
    expect((await reasonsOf(test, lab.workshopId)).slice(-3)).toEqual(['WARNING', 'STOP_REQUESTED', 'IDLE']);
  });

  it.each([
    ['a twentieth of a core', { cpu: 5, bytes: 0 }],
    ['ten kilobytes a second', { cpu: 0, bytes: 10_000 }],
  ])('runs on while it uses %s, and says nothing of idleness', async (_what, used) => {
    use = used;

    await liveOn(20 * MINUTE);

    expect(await view()).toMatchObject({ state: 'RUNNING', session: { idleSince: null, stopsCause: 'LEVEL_MAX_HOURS' } });
    expect(await warnings()).toBe(0);
    expect(test.engine.sample).toHaveBeenCalled();
  });

  it('writes down that it is used at most once a minute', async () => {
    use = { cpu: 50, bytes: 0 };
    const seen = new Set<number | undefined>();
    for (let second = 0; second < 60; second += 5) {
      await advance(test.db, 5_000);
      await test.services.workshopMetrics.sample();
      seen.add((await sessionOf(test, lab.sessionId)).activeAt?.getTime());
    }

    expect(seen.size).toBeLessThanOrEqual(2);
  });

  it('is warned again each time it falls idle, and not stopped for idleness it has left', async () => {
    await liveOn(8 * MINUTE);
    expect(await warnings()).toBe(1);
    use = { cpu: 80, bytes: 0 };
    await liveOn(MINUTE);
    use = { cpu: 0, bytes: 0 };

    await liveOn(8 * MINUTE);

    expect(await state()).toBe('RUNNING');
    expect(await warnings()).toBe(2);
  });

  it('counts anew when its member says so', async () => {
    await liveOn(12 * MINUTE);
    expect(
      (await test.as(lab.member).send('POST /gateway/workshop/extend', { body: { workshopId: lab.workshopId } })).data,
    ).toMatchObject({
      session: { idleSince: null },
    });

    await liveOn(8 * MINUTE);

    expect(await state()).toBe('RUNNING');
    expect(await reasonsOf(test, lab.workshopId)).toContain('EXTENDED');
    expect(await warnings()).toBe(2);
  });

  it('is not stopped for time nobody saw it: an engine away, a gateway away', async () => {
    await liveOn(8 * MINUTE);
    test.engine.simulate.setReachable(false);
    await pass(test);
    await advance(test.db, 11_000);
    await pass(test);
    await advance(test.db, 3 * MINUTE);
    expect(await state()).toBe('LOST');
    test.engine.simulate.setReachable(true);
    await pass(test, 2);
    await liveOn(8 * MINUTE);
    expect(await state()).toBe('RUNNING');

    // Nobody looks for seven minutes; then somebody does.
    await advance(test.db, 7 * MINUTE);
    await pass(test, 3);

    expect(await state()).toBe('RUNNING');
    expect((await view()).session?.idleSince).toBeNull();
  });

  it('runs on while a terminal is open, though nothing is typed', async () => {
    const { ticket } = await takeTicket(test, lab.member, lab.workshopId);
    const tab = await openTab(test, { ticket, cookie: cookieOf(lab.member) });
    await tab.said('ready');
    for (let minute = 0; minute < 20; minute += 1) {
      await liveOn(MINUTE);
      await test.services.terminalSockets.recheck();
    }
    expect(await state()).toBe('RUNNING');
    tab.socket.close();
    await tab.closed;

    await liveOn(17 * MINUTE);

    expect(await state()).toBe('STOPPED');
  });

  it('is used by whoever works with its files', async () => {
    await liveOn(8 * MINUTE);
    await test.services.labActivity.noteUse([lab.workshopId, lab.workshopId]);
    await liveOn(8 * MINUTE);

    expect(await state()).toBe('RUNNING');
  });

  it('is not stopped when it falls back into use between look and stop', async () => {
    await liveOn(13 * MINUTE);
    await advance(test.db, 2.5 * MINUTE);
    const sighted = jest.spyOn(test.services.metering, 'recordSightings').mockImplementationOnce(async () => undefined);
    const rights = jest.spyOn(test.services.membership, 'getRights').mockImplementationOnce(async (...asked) => {
      await test.services.labActivity.noteUse([lab.workshopId]);
      return test.services.membership.getRights(...asked);
    });
    await pass(test);

    expect(sighted).toHaveBeenCalled();
    expect(rights).toHaveBeenCalled();
    expect(await state()).toBe('RUNNING');
  });

  it('has no say over a workshop without a limit', async () => {
    await test.as(lab.member).send('POST /gateway/workshop/update', { body: { workshopId: lab.workshopId, idleMinutes: null } });
    await inTransaction(test.db, (tx) =>
      tx
        .updateTable('labSession')
        .set({ activeAt: new Date(0) })
        .execute(),
    );
    await pass(test);

    expect(await view()).toMatchObject({ state: 'RUNNING', idleMinutes: null, session: { stopsCause: 'LEVEL_MAX_HOURS' } });
  });
});
