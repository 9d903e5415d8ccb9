import { v7 as uuidv7 } from 'uuid';
import { buildTestApp, type TestApp } from '../../testing/buildTestApp';
import { advance } from '../../testing/testDatabase';
import { brokenInvariants, getView, type Lab, pass, reasonsOf, sessionOf, startLab, stateOf } from '../workshop/testbed';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Runs the lab on, meter and leases with it, in steps the lease allows. */
async function runOn(test: TestApp, ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= 4 * MINUTE) {
    await advance(test.db, Math.min(left, 4 * MINUTE));
    await pass(test);
    await test.services.meterNotices.noteTick(await test.services.metering.tick());
    await pass(test);
  }
}

describe('reconciliation', () => {
  let test: TestApp;
  let lab: Lab;
  beforeEach(async () => {
    test = await buildTestApp();
    await advance(test.db, 0);
    lab = await startLab(test);
    await advance(test.db, MINUTE);
    await pass(test);
  });
  afterEach(async () => {
    expect(await brokenInvariants(test)).toEqual([]);
    await test.close();
  });

  const stop = () => test.as(lab.member).send('POST /gateway/workshop/stop', { body: { workshopId: lab.workshopId } });
  const reasons = () => reasonsOf(test, lab.workshopId);

  it('earns its member the points of a first lab once it runs, and a second run earns none', async () => {
    const earned = async () => (await test.services.points.balanceOf(test.db, lab.member.memberId)).points;
    expect(await earned()).toBe(50n);

    await stop();
    await pass(test, 2);
    await test.as(lab.member).send('POST /gateway/workshop/start', { body: { workshopId: lab.workshopId } });
    await pass(test, 2);

    expect(await stateOf(test, lab.workshopId)).toBe('RUNNING');
    expect(await earned()).toBe(50n);
  });

  it('keeps a lab running whose points could not be written, and the next run earns them', async () => {
    const member = await test.buildMember();
    jest.spyOn(test.services.pointsActions, 'reportDone').mockRejectedValueOnce(new Error('no books'));
    const second = await startLab(test, { member });
    await pass(test, 2);
    expect(await stateOf(test, second.workshopId)).toBe('RUNNING');
    expect((await test.services.points.balanceOf(test.db, member.memberId)).points).toBe(0n);

    await test.as(member).send('POST /gateway/workshop/stop', { body: { workshopId: second.workshopId } });
    await pass(test, 2);
    await test.as(member).send('POST /gateway/workshop/start', { body: { workshopId: second.workshopId } });
    await pass(test, 2);

    expect((await test.services.points.balanceOf(test.db, member.memberId)).points).toBe(50n);
  });

  it('loses a lab after ten seconds of silence, stops its meter, and finds it again', async () => {
    test.engine.simulate.setReachable(false);
    await pass(test);
    expect(await stateOf(test, lab.workshopId)).toBe('RUNNING');
    await advance(test.db, 11_000);
    await pass(test, 3);

    expect(await getView(test, lab.member, lab.workshopId)).toMatchObject({
      state: 'LOST',
      stateReason: 'The compute engine cannot be reached. Nothing is charged until it is seen again.',
      session: { runningMs: MINUTE, stopsAt: null },
    });
    expect((await reasons()).filter((reason) => reason === 'ENGINE_UNREACHABLE')).toHaveLength(1);
    expect(await sessionOf(test, lab.sessionId)).toMatchObject({ segmentFromAt: null, endedAt: null });

    test.engine.simulate.setReachable(true);
    await pass(test, 2);
    expect(await stateOf(test, lab.workshopId)).toBe('RUNNING');
    expect((await reasons()).at(-1)).toBe('SEEN_AGAIN');
  });

  it('gives a lab up after a day of silence and charges what was seen', async () => {
    test.engine.simulate.setReachable(false);
    await pass(test);
    await advance(test.db, 11_000);
    await pass(test);
    await advance(test.db, 24 * HOUR + 1_000);
    await pass(test);

    expect(await getView(test, lab.member, lab.workshopId)).toMatchObject({
      state: 'FAILED',
      failure: { code: 'ENGINE_LOST', isRetryable: true },
      lastSession: { stopReason: 'ENGINE_LOST', runningMs: MINUTE },
    });
    test.engine.simulate.setReachable(true);
    await pass(test, 3);
    expect(await stateOf(test, lab.workshopId)).toBe('FAILED');
  });

  it('lets a member stop a lab that is lost, and stops it for good when the engine is back', async () => {
    test.engine.simulate.setReachable(false);
    await pass(test);
    await advance(test.db, 11_000);
    await pass(test);

    expect((await stop()).data).toMatchObject({ state: 'STOPPED', lastSession: { runningMs: MINUTE } });
    test.engine.simulate.setReachable(true);
    await pass(test, 3);

    expect((await test.engine.list()).labs).toEqual([]);
    expect(await sessionOf(test, lab.sessionId)).toMatchObject({ observedMs: BigInt(MINUTE), stopReason: 'MEMBER' });
  });

  it('believes a lab gone only after two listings without it', async () => {
    test.engine.simulate.vanish(lab.ref);
    await pass(test);
    expect(await stateOf(test, lab.workshopId)).toBe('RUNNING');

    await pass(test);

    expect(await getView(test, lab.member, lab.workshopId)).toMatchObject({
      state: 'FAILED',
      failure: { code: 'VANISHED' },
      lastSession: { stopReason: 'VANISHED', runningMs: MINUTE },
    });
  });

  it('takes no absence from a silent engine', async () => {
    test.engine.simulate.vanish(lab.ref);
    await pass(test);
    test.engine.simulate.setReachable(false);
    await pass(test, 5);
    expect(await stateOf(test, lab.workshopId)).toBe('RUNNING');

    test.engine.simulate.setReachable(true);
    await pass(test);

    expect(await stateOf(test, lab.workshopId)).toBe('FAILED');
  });

  it('stops orphans, forgets them and bills nobody', async () => {
    await stop();
    await pass(test, 2);
    const balance = (await test.as(lab.member).send('GET /gateway/account/remainDcu')).data;
    const orphan = { ...specOf(test, lab), ref: `ws-${lab.workshopId}-g9`, sessionId: uuidv7() };
    await test.engine.ensureStarted(orphan);
    const older = { ...orphan, ref: `ws-${lab.workshopId}-g1x`, sessionId: lab.sessionId };
    await test.engine.ensureStarted(older);

    await advance(test.db, MINUTE);
    await pass(test, 2);

    expect((await test.engine.list()).labs).toEqual([]);
    expect((await test.as(lab.member).send('GET /gateway/account/remainDcu')).data).toEqual(balance);
  });

  it('leaves the labs of another installation alone', async () => {
    const foreign = { ...specOf(test, lab), ref: 'ws-foreign-g1', sessionId: uuidv7(), installationId: uuidv7() };
    await test.engine.ensureStarted(foreign);

    await pass(test, 3);

    expect((await test.engine.list()).labs).toContainEqual(expect.objectContaining({ ref: 'ws-foreign-g1', state: 'running' }));
  });

  it('starts a new run only when the earlier one has left the home', async () => {
    test.engine.simulate.setReachable(false);
    await pass(test);
    await advance(test.db, 11_000);
    await pass(test);
    await stop();
    test.engine.simulate.setReachable(true);
    await test.as(lab.member).send('POST /gateway/workshop/start', { body: { workshopId: lab.workshopId } });

    await pass(test);
    expect(await getView(test, lab.member, lab.workshopId)).toMatchObject({
      state: 'QUEUED',
      stateReason: 'Waiting until the earlier run has ended.',
    });
    expect(test.engine.simulate.startCount()).toBe(1);

    await pass(test, 3);
    expect(await stateOf(test, lab.workshopId)).toBe('RUNNING');
    expect(test.engine.simulate.startCount()).toBe(2);
  });

  it('ends a lab that ran out of memory with the reason in words', async () => {
    test.engine.simulate.runOutOfMemory(lab.ref);
    await pass(test);

    expect(await getView(test, lab.member, lab.workshopId)).toMatchObject({
      state: 'FAILED',
      failure: { code: 'OUT_OF_MEMORY', isRetryable: true, hint: expect.stringContaining('more memory') },
    });
    expect(await sessionOf(test, lab.sessionId)).toMatchObject({ stopReason: 'OUT_OF_MEMORY', exitCode: 137 });
    expect((await test.engine.list()).labs).toEqual([]);
  });

  it('lets the engine forget a lab only when its end is booked, so that its last word is not lost', async () => {
    await startLab(test, { member: lab.member });
    await advance(test.db, MINUTE);
    test.engine.simulate.endLab(lab.ref, 'exited', 0);
    // The member's stop comes between the loop's look and its booking.
    const record = test.services.metering.recordSightings;
    jest.spyOn(test.services.metering, 'recordSightings').mockImplementationOnce(async (sightings) => {
      await record(sightings);
      await stop();
    });

    await pass(test);
    expect(await stateOf(test, lab.workshopId)).toBe('STOPPING');
    await pass(test);

    expect(await getView(test, lab.member, lab.workshopId)).toMatchObject({
      state: 'STOPPED',
      lastSession: { stopReason: 'MEMBER', runningMs: 2 * MINUTE },
    });
  });

  it('carries leases to the engine, so that a lab with balance runs on', async () => {
    await runOn(test, 30 * MINUTE);

    const [listed] = (await test.engine.list()).labs;
    expect(listed).toMatchObject({ state: 'running', runningMs: 31 * MINUTE });
    expect(BigInt(listed?.leaseLimitMs ?? 0)).toBe((await sessionOf(test, lab.sessionId)).leaseLimitMs);
    expect(await stateOf(test, lab.workshopId)).toBe('RUNNING');
  });

  it('warns once and then stops a lab at the member’s maximum hours', async () => {
    const short = await startLab(test, { member: lab.member, maxHours: 1 });
    await runOn(test, 55 * MINUTE);
    expect((await reasonsOf(test, short.workshopId)).filter((reason) => reason === 'WARNING')).toHaveLength(1);
    await runOn(test, 5 * MINUTE);
    await pass(test, 2);

    expect(await getView(test, short.member, short.workshopId)).toMatchObject({
      state: 'STOPPED',
      lastSession: { stopReason: 'MAX_HOURS', runningMs: HOUR },
    });
    expect(await stateOf(test, lab.workshopId)).toBe('RUNNING');
  });

  it('forces a stop that hangs', async () => {
    await stop();
    const kindly = jest.spyOn(test.engine, 'stop').mockResolvedValue();
    await pass(test);
    await advance(test.db, 2 * MINUTE + 1_000);
    await pass(test, 2);
    expect(kindly).toHaveBeenLastCalledWith(lab.ref, { graceMs: 0 });
    expect((await reasons()).filter((reason) => reason === 'STOP_FORCED')).toHaveLength(1);

    kindly.mockRestore();
    await pass(test, 2);

    expect(await stateOf(test, lab.workshopId)).toBe('STOPPED');
  });
});

function specOf(test: TestApp, lab: Lab): Parameters<TestApp['engine']['ensureStarted']>[0] {
  return {
    ref: lab.ref,
    sessionId: lab.sessionId,
    workshopId: lab.workshopId,
    memberId: lab.member.memberId,
    installationId: test.installation.id,
    image: { imageId: 'shell', reference: null, commands: ['bash'] },
    cpuCores: 1,
    memoryBytes: 1_073_741_824,
    diskBytes: 1_073_741_824,
    processes: 64,
    hostname: 'lab',
    leaseLimitMs: 10 * MINUTE,
    env: {},
    mounts: [],
    network: 'none',
  };
}
