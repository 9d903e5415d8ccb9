import { buildTestApp, type TestApp } from '../../testing/buildTestApp';
import { advance } from '../../testing/testDatabase';
import { brokenInvariants, getView, pass, reasonsOf, startLab } from '../workshop/testbed';

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

  it('tells of a new price and wakes the loop for new leases', async () => {
    const { workshopId, sessionId, member } = await startLab(test);
    let kicks = 0;
    const stopListening = test.services.wakeUp.onKick(() => {
      kicks += 1;
    });
    const report = await test.services.metering.tick();

    await test.services.meterNotices.noteTick({
      ...report,
      leases: [{ sessionId, engineInstanceId: test.engine.instanceId, engineRef: 'r', leaseLimitMs: 1 }],
      rateChanges: [
        ...[
          {
            sessionId,
            workshopId,
            memberId: member.memberId,
            fromMicroPerHour: 500_000n,
            toMicroPerHour: 400_000n,
            priceVersion: 2,
          },
        ],
      ],
    });
    stopListening();

    const { list } = (await test.as(member).send('GET /gateway/workshop/events', { query: { workshopId } })).data;
    expect(list[0]).toMatchObject({ reason: 'PRICE_CHANGED', evidence: { fromDcuPerHour: 0.5, dcuPerHour: 0.4 }, actor: 'system' });
    expect(kicks).toBe(1);
  });
});
