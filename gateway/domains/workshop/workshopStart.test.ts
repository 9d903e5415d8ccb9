import { buildTestApp, type TestApp } from '../../testing/buildTestApp';
import type { TestMember } from '../../testing/factories';
import { advance } from '../../testing/testDatabase';
import { brokenInvariants, getView, pass, reasonsOf, startLab, stateOf } from './testbed';

describe('POST /gateway/workshop/start', () => {
  let test: TestApp;
  beforeEach(async () => {
    test = await buildTestApp();
  });
  afterEach(async () => {
    expect(await brokenInvariants(test)).toEqual([]);
    await test.close();
  });

  const start = (member: TestMember | null, workshopId: string, key?: string) =>
    test.as(member).send('POST /gateway/workshop/start', {
      body: { workshopId },
      headers: key ? { 'idempotency-key': key } : {},
    });

  it('starts exactly one lab of a hundred asked for with a balance for one', async () => {
    // 0.5 DCU an hour holds 83 333 micro-DCU for ten minutes.
    const member = await test.buildMember({ levelFlag: 3, remainDcuMicro: 120_000n });
    const made = Array.from({ length: 10 }, () => test.buildWorkshop({ memberId: member.memberId, specId: 'cpu-1' }));
    const ids = (await Promise.all(made)).map(({ workshopId }) => workshopId);

    const replies = await Promise.all(Array.from({ length: 100 }, (_, index) => start(member, ids[index % 10] ?? '')));

    const codes = replies.map((reply) => (reply.envelope.success ? 'started' : String(reply.envelope.code)));
    expect(codes.filter((code) => code === 'started')).toHaveLength(1);
    expect(codes.filter((code) => code === '25105' || code === '40002')).toHaveLength(99);
    const wallet = await test.db.selectFrom('wallet').selectAll().where('memberId', '=', member.memberId).executeTakeFirstOrThrow();
    expect(wallet).toMatchObject({ posted: 120_000n, held: 83_333n });
    await pass(test, 3);
    expect(test.engine.simulate.startCount()).toBe(1);
  });

  it('answers the same key with the first answer and starts once', async () => {
    const member = await test.buildMember();
    const { workshopId } = await test.buildWorkshop({ memberId: member.memberId });

    const [first, ...others] = await Promise.all([1, 2, 3, 4].map(() => start(member, workshopId, 'start-key-0001')));

    for (const other of others) expect(other.data).toEqual(first?.data);
    const other = await test.buildWorkshop({ memberId: member.memberId });
    expect(await start(member, other.workshopId, 'start-key-0001')).toFailWith('IDEMPOTENCY_CONFLICT');
  });

  it('repeats the first answer although nothing could start now, whatever the order of the fields', async () => {
    const member = await test.buildMember();
    const headers = { 'idempotency-key': 'start-key-0002' };
    const create = (body: unknown) => test.as(member).send('POST /gateway/workshop/create', { body, headers });
    const first = await create({ name: 'Once', specId: 'cpu-half', imageId: 'shell', startNow: true });
    const { workshopId } = await test.buildWorkshop({ memberId: member.memberId, specId: 'cpu-half' });
    await test.as(member).send('POST /gateway/workshop/stop', { body: { workshopId: first.data.workshopId } });
    const started = await start(member, workshopId, 'start-key-0003');

    test.engine.simulate.setReachable(false);

    expect((await create({ startNow: true, imageId: 'shell', specId: 'cpu-half', name: 'Once' })).data).toEqual(first.data);
    expect((await start(member, workshopId, 'start-key-0003')).data).toEqual(started.data);
    expect(await start(member, workshopId, 'start-key-0004')).toFailWith('ENGINE_UNAVAILABLE');
    test.engine.simulate.setReachable(true);
  });

  it('refuses without sign-in, for somebody else’s workshop and for none', async () => {
    const owner = await test.buildMember();
    const stranger = await test.buildMember();
    const { workshopId } = await test.buildWorkshop({ memberId: owner.memberId });

    expect(await start(null, workshopId)).toFailWith('UNAUTHORIZED');
    expect(await start(stranger, workshopId)).toFailWith('NOT_FOUND');
    expect(await start(stranger, '00000000-0000-4000-8000-000000000000')).toFailWith('NOT_FOUND');
    expect(await stateOf(test, workshopId)).toBe('STOPPED');
  });

  it('names a field that does not fit', async () => {
    const member = await test.buildMember();
    const send = (body: unknown) => test.as(member).send('POST /gateway/workshop/start', { body });

    for (const [body, field] of [
      [{}, 'body.workshopId'],
      [{ workshopId: 'x' }, 'body.workshopId'],
      [{ workshopId: '00000000-0000-4000-8000-000000000000', price: 0 }, 'body.price'],
    ] as const) {
      const reply = await send(body);
      expect(reply).toFailWith('INVALID_INPUT');
      expect(reply.envelope.data).toMatchObject({ fields: [expect.objectContaining({ field })] });
    }
  });

  it('refuses beyond what the level allows', async () => {
    const free = await test.buildMember();
    const big = await test.buildWorkshop({ memberId: free.memberId, specId: 'cpu-4' });
    const refused = await start(free, big.workshopId);
    expect(refused).toFailWith('MEMBER_NOT_MAX_LEVEL_CPU_LIMIT');
    expect(refused.envelope).toMatchObject({ data: { neededLevel: 1 }, msg: expect.stringContaining('Level 1') });

    await startLab(test, { member: free, specId: 'cpu-half' });
    const second = await test.buildWorkshop({ memberId: free.memberId });
    expect(await start(free, second.workshopId)).toFailWith('MEMBER_RUNNING_LABS_LIMIT');

    const top = await test.buildMember({ levelFlag: 3 });
    await startLab(test, { member: top, specId: 'cpu-64', passes: 0 });
    const more = await test.buildWorkshop({ memberId: top.memberId, specId: 'cpu-1' });
    expect(await start(top, more.workshopId)).toFailWith('MEMBER_MAX_LEVEL_CPU_LIMIT');
  });

  it('says how much of the balance is missing', async () => {
    const poor = await test.buildMember({ remainDcuMicro: 80_000n });
    const { workshopId } = await test.buildWorkshop({ memberId: poor.memberId, specId: 'cpu-1' });

    const reply = await start(poor, workshopId);

    expect(reply).toFailWith('MEMBER_DCU_LIMIT');
    expect(reply.envelope.data).toMatchObject({ cause: 'BALANCE', neededDcu: 0.083333, availableDcu: 0.08, missingDcu: 0.003333 });
  });

  it('refuses an image and an engine that are not there, with the reason', async () => {
    const member = await test.buildMember();
    const python = await test.buildWorkshop({ memberId: member.memberId, imageId: 'python-3' });
    test.engine.simulate.setMissingCommands(['python3']);
    const refused = await start(member, python.workshopId);
    expect(refused).toFailWith('IMAGE_UNAVAILABLE');
    expect(refused.envelope.msg).toContain('python3');

    test.engine.simulate.setReachable(false);
    expect(await start(member, python.workshopId)).toFailWith('ENGINE_UNAVAILABLE');
  });

  it('refuses a spec beyond the machine', async () => {
    const member = await test.buildMember({ levelFlag: 3 });
    const { workshopId } = await test.buildWorkshop({ memberId: member.memberId, specId: 'cpu-8' });
    const present = await test.engine.capabilities();
    jest.spyOn(test.engine, 'capabilities').mockResolvedValue({ ...present, maxCpuCores: 2 });

    const reply = await start(member, workshopId);

    expect(reply).toFailWith('SPEC_UNAVAILABLE');
    expect(reply.envelope.msg).toContain('2 CPU cores');
  });

  it('refuses a workshop whose machine is gone, and queues it where it lives', async () => {
    const member = await test.buildMember();
    const { workshopId } = await test.buildWorkshop({ memberId: member.memberId });
    const elsewhere = '00000000-0000-4000-8000-00000000e15e';
    await test.db.insertInto('engineInstance').values({ id: elsewhere, kind: 'simulated' }).execute();
    await test.db.updateTable('workshop').set({ engineInstanceId: elsewhere }).where('id', '=', workshopId).execute();

    expect((await start(member, workshopId)).data.state).toBe('QUEUED');
    await pass(test, 2);
    expect(test.engine.simulate.startCount()).toBe(0);

    await test.as(member).send('POST /gateway/workshop/stop', { body: { workshopId } });
    await advance(test.db, 61_000);
    expect(await start(member, workshopId)).toFailWith('ENGINE_ELSEWHERE');
  });

  it('fails in words when the engine refuses, charges nothing and may be tried again', async () => {
    test.engine.simulate.refuseStarts('capacity');
    const { member, workshopId } = await startLab(test);

    expect(await getView(test, member, workshopId)).toMatchObject({
      state: 'FAILED',
      failure: { code: 'ENGINE_CAPACITY', isRetryable: true, hint: expect.stringContaining('no room') },
      lastSession: { stopReason: 'START_FAILED', costDcu: 0 },
    });
    expect(await reasonsOf(test, workshopId)).toEqual(['START_REQUESTED', 'START_ACCEPTED', 'START_REFUSED']);

    test.engine.simulate.refuseStarts(null);
    await start(member, workshopId);
    await pass(test, 2);
    expect(await stateOf(test, workshopId)).toBe('RUNNING');
  });

  it('fails a start that is not ready after two minutes', async () => {
    test.engine.simulate.holdStarts(true);
    const { member, workshopId } = await startLab(test);
    expect(await stateOf(test, workshopId)).toBe('STARTING');

    await advance(test.db, 2 * 60_000 + 1_000);
    await pass(test, 3);

    expect(await getView(test, member, workshopId)).toMatchObject({
      state: 'FAILED',
      failure: { code: 'START_TIMEOUT' },
      lastSession: { costDcu: 0, stopReason: 'START_TIMEOUT' },
    });
  });
});
