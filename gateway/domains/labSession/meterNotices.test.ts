import { sql } from 'kysely';
import { buildTestApp, type TestApp } from '../../testing/buildTestApp';
import { advance } from '../../testing/testDatabase';
import { brokenInvariants, getView, type Lab, pass, reasonsOf, startLab } from '../workshop/testbed';

const MINUTE = 60_000;

describe('what the meter tells', () => {
  let test: TestApp;
  beforeEach(async () => {
    test = await buildTestApp();
    await advance(test.db, 0);
  });
  afterEach(async () => {
    expect(await brokenInvariants(test)).toEqual([]);
    await test.close();
  });

  async function runOn(minutes: number): Promise<void> {
    for (let passed = 0; passed < minutes; passed += 1) {
      await advance(test.db, MINUTE);
      await pass(test);
      await test.services.meterNotices.noteTick(await test.services.metering.tick());
      await pass(test);
    }
  }

  it('warns on the timeline when the balance runs short, and names the balance when it is used up', async () => {
    // 40 minutes of half a DCU an hour.
    const member = await test.buildMember({ levelFlag: 1, remainDcuMicro: 333_334n });
    const { workshopId } = await startLab(test, { member });

    await runOn(39);
    const running = await getView(test, member, workshopId);
    expect(running).toMatchObject({ state: 'RUNNING', session: { stopsCause: 'BALANCE' } });
    expect((await reasonsOf(test, workshopId)).filter((reason) => reason === 'RUNWAY_LOW')).toHaveLength(2);
    await runOn(3);

    expect(await getView(test, member, workshopId)).toMatchObject({
      state: 'STOPPED',
      // To the last micro-DCU: 11 ms more than the forty minutes.
      lastSession: { stopReason: 'BALANCE_EXHAUSTED', runningMs: 40 * MINUTE + 11, costDcu: 0.333334 },
    });
    expect(await test.as(member).send('POST /gateway/workshop/start', { body: { workshopId } })).toFailWith('MEMBER_DCU_LIMIT');
    expect(test.engine.simulate.startCount()).toBe(1);
  });

  it('tells of a new price before it applies and when it does', async () => {
    const { workshopId, sessionId, member } = await startLab(test);
    await runOn(1);
    // As if the lab had been started a day ago at half of today's price.
    await sql`update lab_session set price_version = 0, price_fixed_until = app_now() where id = ${sessionId}`.execute(test.db);

    await runOn(1);
    const first = (await eventsOf(member, workshopId))[0];
    expect(first).toMatchObject({
      reason: 'PRICE_CHANGE_ANNOUNCED',
      evidence: { fromDcuPerHour: 0.5, dcuPerHour: 0.5, appliesInMs: 30 * MINUTE },
    });
    await runOn(29);
    expect(await reasonsOf(test, workshopId)).not.toContain('PRICE_CHANGED');
    await runOn(1);

    expect((await eventsOf(member, workshopId))[0]).toMatchObject({
      reason: 'PRICE_CHANGED',
      evidence: { fromDcuPerHour: 0.5, dcuPerHour: 0.5 },
      actor: 'system',
    });
    const reasons = await reasonsOf(test, workshopId);
    expect(reasons.filter((reason) => reason.startsWith('PRICE'))).toHaveLength(2);
  });

  it('leaves no warning that is counted as told and is not on the timeline', async () => {
    const member = await test.buildMember({ levelFlag: 1, remainDcuMicro: 333_334n });
    const { workshopId, sessionId } = await startLab(test, { member });
    await sql
      .raw(`create function refuse() returns trigger language plpgsql as 'begin raise exception ''no'' using errcode = ''check_violation''; end';
      create trigger refuse before insert on workshop_event for each row when (new.reason = 'RUNWAY_LOW') execute function refuse()`)
      .execute(test.db);
    await runOn(11);
    const warnedOf = async () =>
      (await sql<{ ms: bigint | null }>`select warned_runway_ms as ms from lab_session where id = ${sessionId}`.execute(test.db))
        .rows;
    expect(await warnedOf()).toEqual([{ ms: null }]);
    await sql`drop function refuse cascade`.execute(test.db);
    await runOn(1);

    expect(await warnedOf()).toEqual([{ ms: BigInt(30 * MINUTE) }]);
    expect(await reasonsOf(test, workshopId)).toContain('RUNWAY_LOW');
  });

  it('wakes the loop for new leases', async () => {
    const { sessionId } = await startLab(test);
    let kicks = 0;
    const stopListening = test.services.wakeUp.onKick(() => {
      kicks += 1;
    });
    const report = await test.services.metering.tick();
    const lease = { sessionId, engineInstanceId: test.engine.instanceId, engineRef: 'r', leaseLimitMs: 1 };

    await test.services.meterNotices.noteTick({ ...report, leases: [lease] });
    await test.services.meterNotices.noteTick({ ...report, leases: [] });
    stopListening();

    expect(kicks).toBe(1);
  });

  async function eventsOf(member: Lab['member'], workshopId: string) {
    return (await test.as(member).send('GET /gateway/workshop/events', { query: { workshopId } })).data.list;
  }
});
