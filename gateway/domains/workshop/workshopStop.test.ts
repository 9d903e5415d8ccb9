import { inTransaction } from '../../db/client';
import { buildTestApp, type TestApp } from '../../testing/buildTestApp';
import type { TestMember } from '../../testing/factories';
import { advance } from '../../testing/testDatabase';
import { brokenInvariants, getView, pass, reasonsOf, sessionOf, startLab, stateOf } from './testbed';

const MINUTE = 60_000;

describe('ending a run', () => {
  let test: TestApp;
  beforeEach(async () => {
    test = await buildTestApp();
    await advance(test.db, 0);
  });
  afterEach(async () => {
    test.engine.simulate.setReachable(true);
    expect(await brokenInvariants(test)).toEqual([]);
    await test.close();
  });

  const stop = (member: TestMember | null, workshopId: string, isForced = false) =>
    test.as(member).send('POST /gateway/workshop/stop', { body: { workshopId, isForced } });
  const stopAll = (member: TestMember | null) => test.as(member).send('POST /gateway/workshop/stopAll');

  it('by force gives no grace and is told as that', async () => {
    const { member, workshopId } = await startLab(test);
    const stopped = jest.spyOn(test.engine, 'stop');
    await advance(test.db, MINUTE);

    expect((await stop(member, workshopId, true)).data.state).toBe('STOPPING');
    await pass(test, 2);

    expect(stopped).toHaveBeenCalledWith(expect.anything(), { graceMs: 0 });
    expect(await getView(test, member, workshopId)).toMatchObject({
      state: 'STOPPED',
      lastSession: { stopReason: 'FORCED', runningMs: MINUTE },
    });
    expect((await reasonsOf(test, workshopId)).slice(-2)).toEqual(['STOP_FORCED', 'FORCED']);
  });

  it('by force helps where an ordinary stop takes its time, and no second ordinary one does', async () => {
    const { member, workshopId } = await startLab(test);
    const stopped = jest.spyOn(test.engine, 'stop').mockResolvedValue();
    await stop(member, workshopId);
    await pass(test);
    expect(stopped).toHaveBeenLastCalledWith(expect.anything(), { graceMs: 10_000 });
    expect(await stop(member, workshopId)).toFailWith('WORKSHOP_STATE_CONFLICT');
    stopped.mockRestore();
    const forced = jest.spyOn(test.engine, 'stop');

    expect((await stop(member, workshopId, true)).data.state).toBe('STOPPING');
    await pass(test, 2);

    expect(forced).toHaveBeenCalledWith(expect.anything(), { graceMs: 0 });
    expect(await getView(test, member, workshopId)).toMatchObject({ state: 'STOPPED', lastSession: { stopReason: 'FORCED' } });
    expect((await reasonsOf(test, workshopId)).filter((reason) => reason === 'STOP_FORCED')).toHaveLength(1);
  });

  it('by force ends at once what the engine cannot reach', async () => {
    const { member, workshopId } = await startLab(test);
    test.engine.simulate.setReachable(false);
    await pass(test);
    await advance(test.db, 11_000);
    await pass(test);
    expect(await stateOf(test, workshopId)).toBe('LOST');

    expect((await stop(member, workshopId, true)).data).toMatchObject({ state: 'STOPPED', lastSession: { stopReason: 'FORCED' } });
  });

  it('is refused by force where nothing runs, and for anybody else', async () => {
    const { member, workshopId } = await startLab(test);
    expect(await stop(null, workshopId, true)).toFailWith('UNAUTHORIZED');
    expect(await stop(await test.buildMember(), workshopId, true)).toFailWith('NOT_FOUND');
    await stop(member, workshopId);
    await pass(test, 2);

    expect(await stop(member, workshopId, true)).toFailWith('WORKSHOP_STATE_CONFLICT');
  });

  it('before it ran cancels it, free of charge, also while its image is fetched', async () => {
    test.engine.simulate.holdStarts(true);
    const { member, workshopId, sessionId, ref } = await startLab(test);
    const progress = { percent: 40, detail: 'layer 2 of 5' };
    test.engine.simulate.holdAt(ref, 'pulling', progress);
    await pass(test);
    expect(await getView(test, member, workshopId)).toMatchObject({ session: { progress, startedAt: null } });

    await stop(member, workshopId);
    await pass(test, 2);

    expect(await getView(test, member, workshopId)).toMatchObject({
      state: 'STOPPED',
      lastSession: { stopReason: 'CANCELLED', costDcu: 0 },
    });
    expect(await sessionOf(test, sessionId)).toMatchObject({ chargedMicro: 0n, heldMicro: 0n });
    expect((await reasonsOf(test, workshopId)).at(-1)).toBe('CANCELLED');
  });

  it('says how far it is until it runs', async () => {
    test.engine.simulate.holdStarts(true);
    const { member, workshopId, ref } = await startLab(test);
    test.engine.simulate.holdAt(ref, 'queued', { percent: null, detail: 'two before it' });
    await pass(test);
    expect((await getView(test, member, workshopId)).session?.progress).toEqual({ percent: null, detail: 'two before it' });

    test.engine.simulate.finishStart(ref);
    await pass(test, 2);

    expect(await getView(test, member, workshopId)).toMatchObject({ state: 'RUNNING', session: { progress: null } });
  });

  it('of everything stops every lab of the member and nobody else’s', async () => {
    const [first, other] = [await startLab(test), await startLab(test)];
    const { member } = first;
    const second = await startLab(test, { member });
    const queued = await startLab(test, { member, passes: 0 });
    await test.buildWorkshop({ memberId: member.memberId });

    expect(await stopAll(null)).toFailWith('UNAUTHORIZED');
    expect((await stopAll(member)).data).toEqual({ stopping: 3 });
    await pass(test, 2);

    for (const { workshopId } of [first, second, queued]) expect(await stateOf(test, workshopId)).toBe('STOPPED');
    expect(await stateOf(test, other.workshopId)).toBe('RUNNING');
    expect((await stopAll(member)).data).toEqual({ stopping: 0 });
  });

  it('of everything stops a lab whose start was on its way before it', async () => {
    const member = await test.buildMember();
    const { workshopId } = await test.buildWorkshop({ memberId: member.memberId });
    const waiting = async (wanted: number) => {
      const sent = `select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      for (;;) if ((await test.pool.query<{ n: number }>(sent)).rows[0]?.n === wanted) return;
    };

    const [started, stopped] = await inTransaction(test.db, async (tx) => {
      await test.services.ledger.lockWallet(tx, member.memberId);
      const start = test.as(member).send('POST /gateway/workshop/start', { body: { workshopId } });
      await waiting(1);
      const stop = stopAll(member);
      await waiting(2);
      return [() => start, () => stop];
    });

    expect((await started()).envelope.success).toBe(true);
    expect((await stopped()).data).toEqual({ stopping: 1 });
    expect(await stateOf(test, workshopId)).toBe('STOPPED');
  });

  it('of everything against starts leaves each lab stopped or started after it, none between', async () => {
    const member = await test.buildMember({ levelFlag: 3 });
    const made = Array.from({ length: 6 }, () => test.buildWorkshop({ memberId: member.memberId, specId: 'cpu-half' }));
    const ids = (await Promise.all(made)).map(({ workshopId }) => workshopId);
    const start = (workshopId: string) => test.as(member).send('POST /gateway/workshop/start', { body: { workshopId } });

    const [stopped, ...started] = await Promise.all([stopAll(member), ...ids.map(start)]);

    expect(started.every(({ envelope }) => envelope.success)).toBe(true);
    await pass(test, 3);
    const states = await Promise.all(ids.map((workshopId) => stateOf(test, workshopId)));
    expect(states.filter((state) => state === 'STOPPED')).toHaveLength(stopped.data.stopping);
    expect(states.filter((state) => state === 'RUNNING')).toHaveLength(ids.length - stopped.data.stopping);
  });
});
