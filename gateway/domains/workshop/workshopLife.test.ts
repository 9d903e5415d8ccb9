import { EngineRefused } from '../../drivers/compute/computeEngine';
import { buildTestApp, type TestApp } from '../../testing/buildTestApp';
import { advance } from '../../testing/testDatabase';
import { brokenInvariants, getView, pass, reasonsOf, sessionOf, startLab, stateOf } from './testbed';

describe('the life of a workshop', () => {
  let test: TestApp;
  beforeEach(async () => {
    test = await buildTestApp();
  });
  afterEach(async () => {
    expect(await brokenInvariants(test)).toEqual([]);
    await test.close();
  });

  it('goes from made to running to stopped and again, charged by the observed millisecond', async () => {
    const member = await test.buildMember({ levelFlag: 1, remainDcuMicro: 5_000_000n });
    await advance(test.db, 0);
    const body = { name: 'First steps', specId: 'cpu-1', imageId: 'shell', startNow: true };
    const made = await test.as(member).send('POST /gateway/workshop/create', { body });
    expect(made.data).toMatchObject({ name: 'First steps', state: 'QUEUED', session: { runningMs: 0, costDcu: 0, stopsAt: null } });
    const { workshopId } = made.data;

    await pass(test, 2);
    await advance(test.db, 90_000);
    await pass(test);
    const running = await getView(test, member, workshopId);
    // 0.5 DCU an hour for 90 s.
    expect(running).toMatchObject({ state: 'RUNNING', session: { runningMs: 90_000, costDcu: 0.0125, stopsCause: 'BALANCE' } });

    const stopping = await test.as(member).send('POST /gateway/workshop/stop', { body: { workshopId } });
    expect(stopping.data.state).toBe('STOPPING');
    await pass(test, 2);
    const stopped = await getView(test, member, workshopId);
    expect(stopped).toMatchObject({
      state: 'STOPPED',
      session: null,
      lastSession: { runningMs: 90_000, costDcu: 0.0125, stopReason: 'MEMBER' },
      totalCostDcu: 0.0125,
    });
    expect(await reasonsOf(test, workshopId)).toEqual([
      'CREATED',
      'START_REQUESTED',
      'START_ACCEPTED',
      'SEEN_RUNNING',
      'STOP_REQUESTED',
      'MEMBER',
    ]);
    expect((await test.as(member).send('GET /gateway/account/remainDcu')).data.remainDcu).toBe(4.9875);

    await test.as(member).send('POST /gateway/workshop/start', { body: { workshopId } });
    await pass(test, 2);
    expect(await stateOf(test, workshopId)).toBe('RUNNING');
    expect(test.engine.simulate.startCount()).toBe(2);
  });

  it('ends at once, free of charge, when stopped before an engine heard of it', async () => {
    const { member, workshopId, sessionId } = await startLab(test, { passes: 0 });

    const reply = await test.as(member).send('POST /gateway/workshop/stop', { body: { workshopId } });

    expect(reply.data).toMatchObject({ state: 'STOPPED', session: null, lastSession: { stopReason: 'CANCELLED', costDcu: 0 } });
    expect(await sessionOf(test, sessionId)).toMatchObject({ heldMicro: 0n, chargedMicro: 0n });
    await pass(test, 2);
    expect(test.engine.simulate.startCount()).toBe(0);
  });

  it('is deleted with its home, and its name is free again', async () => {
    const { member, workshopId } = await startLab(test);
    const { name } = await getView(test, member, workshopId);
    const refused = await test.as(member).send('POST /gateway/workshop/delete', { body: { workshopId } });
    expect(refused).toFailWith('WORKSHOP_STATE_CONFLICT');
    await test.as(member).send('POST /gateway/workshop/stop', { body: { workshopId } });
    await pass(test, 2);

    const deleting = await test.as(member).send('POST /gateway/workshop/delete', { body: { workshopId } });
    expect(deleting.data.state).toBe('DELETING');
    expect(await test.as(member).send('POST /gateway/workshop/start', { body: { workshopId } })).toFailWith(
      'WORKSHOP_STATE_CONFLICT',
    );
    await pass(test);

    expect(await test.as(member).send('GET /gateway/workshop/get', { query: { workshopId } })).toFailWith('NOT_FOUND');
    const body = { name, specId: 'cpu-1', imageId: 'shell' };
    expect((await test.as(member).send('POST /gateway/workshop/create', { body })).status).toBe(200);
  });

  it('stays DELETING with its reason while the home cannot be deleted, refuses a start, and tries again', async () => {
    const member = await test.buildMember();
    const { workshopId } = await test.buildWorkshop({ memberId: member.memberId });
    const refusing = jest.spyOn(test.engine, 'deleteHome').mockRejectedValue(new EngineRefused('engine_error', 'busy'));
    const send = (key: 'POST /gateway/workshop/delete' | 'POST /gateway/workshop/start') =>
      test.as(member).send(key, { body: { workshopId } });
    await send('POST /gateway/workshop/delete');
    await pass(test, 3);

    expect(await getView(test, member, workshopId)).toMatchObject({
      state: 'DELETING',
      stateReason: 'The files could not be deleted yet. This is tried again by itself.',
    });
    expect(await send('POST /gateway/workshop/start')).toFailWith('WORKSHOP_STATE_CONFLICT');
    expect(await reasonsOf(test, workshopId)).toEqual(['DELETE_REQUESTED', 'DELETE_FAILED']);
    refusing.mockRestore();
    expect((await send('POST /gateway/workshop/delete')).status).toBe(200);
    await pass(test);

    expect(await stateOf(test, workshopId)).toBe('DELETED');
  });
});
