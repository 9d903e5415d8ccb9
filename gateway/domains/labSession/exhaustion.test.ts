import { microFromDcu } from '../../dcu';
import { buildTestApp, type TestApp } from '../../testing/buildTestApp';
import { advance } from '../../testing/testDatabase';
import { brokenInvariants, type Lab, pass, sessionOf, startLab } from '../workshop/testbed';

const MINUTE = 60_000;
const STEP_MS = 55_000;
const IDLE_MINUTES = 20;
const RATE_DCU = 0.25;
/** Ten labs of a member burn 2.5 DCU an hour. */
const BALANCE_DCU = 1.5;
const LASTS_MS = (BALANCE_DCU / (10 * RATE_DCU)) * 60 * MINUTE;

/** The timeline of a lab: when each reason was written, oldest first. */
async function timelineOf({ db }: TestApp, { workshopId }: Lab): Promise<{ reason: string; cause: unknown; atMs: number }[]> {
  const rows = await db
    .selectFrom('workshopEvent')
    .select(['reason', 'evidence', 'at'])
    .where('workshopId', '=', workshopId)
    .orderBy('at')
    .orderBy('id')
    .execute();
  return rows.map(({ reason, evidence, at }) => ({ reason, cause: evidence.cause, atMs: at.getTime() }));
}

describe('fifty labs at once', () => {
  let test: TestApp;
  beforeEach(async () => {
    test = await buildTestApp();
    await advance(test.db, 0);
  });
  afterEach(() => test.close());

  /** Ten labs each of so many members. */
  async function startTens(members: number, options: { remainDcuMicro: bigint; idleMinutes: number | null }): Promise<Lab[]> {
    const labs: Lab[] = [];
    for (let index = 0; index < members; index += 1) {
      const member = await test.buildMember({ levelFlag: 3, remainDcuMicro: options.remainDcuMicro });
      for (let lab = 0; lab < 10; lab += 1) labs.push(await startLab(test, { member, specId: 'cpu-half', passes: 0 }));
    }
    await test.db
      .updateTable('workshop')
      .set({ idleMinutes: options.idleMinutes })
      .where(
        'id',
        'in',
        labs.map(({ workshopId }) => workshopId),
      )
      .execute();
    return labs;
  }

  /** A quarter of a lab's core is used by those who work, nothing by those who are idle. */
  function simulateUse(labs: readonly Lab[]): void {
    const busy = new Set(labs.map(({ ref }) => ref));
    const startedMs = test.clock.nowMs();
    jest.spyOn(test.engine, 'sample').mockImplementation(async (refs) => {
      const cpuMs = (test.clock.nowMs() - startedMs) * 0.25;
      const same = { sampledAtMs: test.clock.nowMs(), memoryBytes: 1, diskBytes: 0, processes: 1, rxBytes: null, txBytes: null };
      return refs.map((ref) => ({ ref, cpuMsTotal: busy.has(ref) ? cpuMs : 0, ...same }));
    });
  }

  it('that run out of balance or of use are each warned, stopped in time and never billed past it', async () => {
    const poor = await startTens(3, { remainDcuMicro: microFromDcu(String(BALANCE_DCU)), idleMinutes: null });
    const idle = await startTens(2, { remainDcuMicro: microFromDcu('100'), idleMinutes: IDLE_MINUTES });
    simulateUse(poor);
    const startedMs = test.clock.nowMs();

    for (let passedMs = 0; passedMs < LASTS_MS + 5 * MINUTE; passedMs += STEP_MS) {
      await pass(test);
      await test.services.workshopMetrics.sample();
      await test.services.meterNotices.noteTick(await test.services.metering.tick());
      await pass(test);
      await advance(test.db, STEP_MS);
    }
    await pass(test, 2);

    expect(test.engine.simulate.startCount()).toBe(50);
    for (const lab of poor) {
      const { stopReason, endedAt, chargedMicro, observedMs } = await sessionOf(test, lab.sessionId);
      const lasted = (endedAt?.getTime() ?? 0) - startedMs;
      expect({ stopReason, isInTime: lasted > LASTS_MS - 2 * STEP_MS && lasted < LASTS_MS + 2 * STEP_MS }).toEqual({
        stopReason: 'BALANCE_EXHAUSTED',
        isInTime: true,
      });
      expect(chargedMicro).toBeLessThanOrEqual((observedMs * microFromDcu(String(RATE_DCU))) / 3_600_000n);
      const warnedMs = (await timelineOf(test, lab))
        .filter(({ reason }) => reason === 'RUNWAY_LOW')
        .map(({ atMs }) => atMs - startedMs);
      expect(warnedMs).toHaveLength(2);
      expect(LASTS_MS - (warnedMs[1] ?? 0)).toBeGreaterThan(3 * MINUTE);
    }
    for (const lab of idle) {
      const { stopReason, observedMs } = await sessionOf(test, lab.sessionId);
      expect({ stopReason, isBilledToItsEnd: Number(observedMs) < (IDLE_MINUTES + 3) * MINUTE }).toEqual({
        stopReason: 'IDLE',
        isBilledToItsEnd: true,
      });
      const timeline = await timelineOf(test, lab);
      const atOf = (wanted: string) => timeline.find(({ reason }) => reason === wanted)?.atMs ?? 0;
      expect(timeline.filter(({ reason }) => reason === 'WARNING')).toMatchObject([{ cause: 'IDLE' }]);
      expect(atOf('STOP_REQUESTED') - atOf('WARNING')).toBeGreaterThan(8 * MINUTE);
    }
    const broke = await test.db
      .selectFrom('wallet')
      .select(['posted', 'held'])
      .where('memberId', 'in', [...new Set(poor.map(({ member }) => member.memberId))])
      .where('asset', '=', 'DCU')
      .execute();
    expect(broke).toHaveLength(3);
    for (const { posted, held } of broke) {
      expect(held).toBe(0n);
      // What is left is less than a second of one lab.
      expect(Number(posted)).toBeLessThan(70 * 10);
      expect(Number(posted)).toBeGreaterThanOrEqual(0);
    }
    expect((await test.engine.list()).labs).toEqual([]);
    expect(await brokenInvariants(test)).toEqual([]);
  }, 120_000);
});
