import { buildTestApp, type TestApp } from '../../testing/buildTestApp';
import type { TestMember } from '../../testing/factories';
import { advance } from '../../testing/testDatabase';
import { brokenInvariants, getView, type Lab, pass, reasonsOf, sessionOf, startLab, stateOf } from './testbed';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

describe('POST /gateway/workshop/extend', () => {
  let test: TestApp;
  let lab: Lab;
  beforeEach(async () => {
    test = await buildTestApp();
    await advance(test.db, 0);
    lab = await startLab(test, { member: await test.buildMember({ levelFlag: 1 }), maxHours: 1 });
  });
  afterEach(async () => {
    expect(await brokenInvariants(test)).toEqual([]);
    await test.close();
  });

  const extend = (hours?: number, member: TestMember | null = lab.member) =>
    test.as(member).send('POST /gateway/workshop/extend', { body: { workshopId: lab.workshopId, ...(hours ? { hours } : {}) } });

  async function runOn(ms: number): Promise<void> {
    for (let left = ms; left > 0; left -= 4 * MINUTE) {
      await advance(test.db, Math.min(left, 4 * MINUTE));
      await pass(test);
      await test.services.meterNotices.noteTick(await test.services.metering.tick());
      await pass(test);
    }
  }

  it('lets the run go on past its maximum, says so, and warns again before the new end', async () => {
    await runOn(52 * MINUTE);
    const before = await getView(test, lab.member, lab.workshopId);
    expect(before.session).toMatchObject({ stopsCause: 'MAX_HOURS', extendableHours: 23 });

    const { session } = (await extend(1)).data;

    expect(session).toMatchObject({ extendableHours: 22 });
    expect(Date.parse(session?.stopsAt ?? '') - Date.parse(before.session?.stopsAt ?? '')).toBe(HOUR);
    await runOn(16 * MINUTE);
    expect(await stateOf(test, lab.workshopId)).toBe('RUNNING');
    await runOn(HOUR);
    expect(await getView(test, lab.member, lab.workshopId)).toMatchObject({
      state: 'STOPPED',
      lastSession: { stopReason: 'MAX_HOURS', runningMs: expect.any(Number) },
    });
    const timeline = (await reasonsOf(test, lab.workshopId)).filter((reason) =>
      ['WARNING', 'EXTENDED', 'MAX_HOURS'].includes(reason),
    );
    expect(timeline).toEqual(['WARNING', 'EXTENDED', 'WARNING', 'MAX_HOURS']);
  });

  it('refuses more than the level allows, naming what is left and the level that allows more', async () => {
    await extend(20);

    const refused = await extend(4);

    expect(refused).toFailWith('EXTENSION_LIMIT');
    expect(refused.envelope).toMatchObject({
      data: { cause: 'LEVEL_MAX_HOURS', extendableHours: 3, levelMaxHours: 24, neededLevel: 2 },
      msg: 'At most 3 more hours can be added to this run. Level 2 allows more.',
    });
    expect((await extend(3)).data.session?.extendableHours).toBe(0);
    expect(await sessionOf(test, lab.sessionId)).toMatchObject({ extendedMs: BigInt(23 * HOUR) });
  });

  it('names no level where there is none above', async () => {
    const own = await startLab(test, { maxHours: 168 });

    const refused = await test
      .as(own.member)
      .send('POST /gateway/workshop/extend', { body: { workshopId: own.workshopId, hours: 1 } });

    expect(refused.envelope).toMatchObject({ data: { neededLevel: null }, msg: 'At most 0 more hours can be added to this run.' });
  });

  it('or not, a maximum set below what has run is warned of before it stops the lab', async () => {
    await extend(5);
    await runOn(90 * MINUTE);
    expect(await stateOf(test, lab.workshopId)).toBe('RUNNING');
    await test.db.updateTable('labSession').set({ extendedMs: 0n }).where('id', '=', lab.sessionId).execute();

    await runOn(8 * MINUTE);
    expect(await stateOf(test, lab.workshopId)).toBe('RUNNING');
    expect((await reasonsOf(test, lab.workshopId)).at(-1)).toBe('WARNING');
    await runOn(8 * MINUTE);
    await pass(test, 2);

    expect(await stateOf(test, lab.workshopId)).toBe('STOPPED');
  });

  it('is for its owner, while it runs, in whole hours', async () => {
    expect(await extend(1, null)).toFailWith('UNAUTHORIZED');
    expect(await extend(1, await test.buildMember())).toFailWith('NOT_FOUND');
    expect(await extend(25)).toFailWith('INVALID_INPUT');
    await test.as(lab.member).send('POST /gateway/workshop/stop', { body: { workshopId: lab.workshopId } });

    expect(await extend(1)).toFailWith('WORKSHOP_STATE_CONFLICT');
    await pass(test, 2);
    expect(await extend(1)).toFailWith('WORKSHOP_STATE_CONFLICT');
  });

  it('either comes before a stop or is refused, never both undone', async () => {
    const stop = () => test.as(lab.member).send('POST /gateway/workshop/stop', { body: { workshopId: lab.workshopId } });

    const [extended, stopped] = await Promise.all([extend(1), stop()]);

    expect(stopped.envelope.success).toBe(true);
    const { extendedMs } = await sessionOf(test, lab.sessionId);
    expect(extendedMs).toBe(extended.envelope.success ? BigInt(HOUR) : 0n);
    await pass(test, 2);
    expect(await stateOf(test, lab.workshopId)).toBe('STOPPED');
  });

  it('in the last moment wins over the loop that had seen the limit reached', async () => {
    await runOn(56 * MINUTE);
    await advance(test.db, 5 * MINUTE);
    // The loop has read what is wished and what runs, and decides when the member extends.
    const seen = jest.spyOn(test.services.membership, 'getRights').mockImplementationOnce(async (...asked) => {
      await extend(1);
      return test.services.membership.getRights(...asked);
    });
    await pass(test);

    expect(seen).toHaveBeenCalled();
    expect(await stateOf(test, lab.workshopId)).toBe('RUNNING');
  });
});

describe('settings of a workshop', () => {
  let test: TestApp;
  let member: TestMember;
  beforeEach(async () => {
    test = await buildTestApp();
    await advance(test.db, 0);
    member = await test.buildMember({ levelFlag: 3 });
    await provideNetwork('egress');
  });
  afterEach(() => test.close());

  async function provideNetwork(network: 'none' | 'egress'): Promise<void> {
    jest.restoreAllMocks();
    const able = await test.engine.capabilities();
    jest.spyOn(test.engine, 'capabilities').mockResolvedValue({ ...able, network });
  }
  const create = (change: object = {}) =>
    test
      .as(member)
      .send('POST /gateway/workshop/create', { body: { name: 'Set up', specId: 'cpu-1', imageId: 'shell', ...change } });
  const update = (workshopId: string, change: object) =>
    test.as(member).send('POST /gateway/workshop/update', { body: { workshopId, ...change } });
  const proveName = () => test.db.updateTable('member').set({ isRealName: true }).where('id', '=', member.memberId).execute();
  const setup = { idleMinutes: 45, env: { SEED: '7', EMPTY: '' }, network: 'egress', maxHours: 2 };

  it('reach the lab and the run that can be copied', async () => {
    await proveName();
    const made = (await create({ ...setup, startNow: true })).data;
    const started = jest.spyOn(test.engine, 'ensureStarted');
    await pass(test, 2);

    expect(made).toMatchObject(setup);
    expect(started).toHaveBeenCalledWith(expect.objectContaining({ env: setup.env, network: 'egress' }));
    expect((await sessionOf(test, made.session?.sessionId ?? '')).setup).toEqual(setup);
  });

  it('say before that a network needs a real name and an engine that has one', async () => {
    expect(await create(setup)).toFailWith('REAL_NAME_REQUIRED');
    const { workshopId } = (await create()).data;
    const refused = await update(workshopId, { network: 'egress' });
    expect(refused).toFailWith('REAL_NAME_REQUIRED');
    expect(refused.envelope.data).toMatchObject({ cause: 'LAB_NETWORK' });

    await proveName();
    await provideNetwork('none');

    expect(await update(workshopId, { network: 'egress' })).toFailWith('ENGINE_NO_NETWORK');
    expect((await test.as(member).send('GET /gateway/workshop/cpuSpec')).data.network).toEqual({
      isAvailable: false,
      reason: 'labs have no network on this machine.',
    });
  });

  it('refuse variables that are not the member’s to set, by name', async () => {
    const many = Object.fromEntries(Array.from({ length: 33 }, (_, index) => [`A${index}`, '1']));
    for (const env of [
      { PATH: '/' },
      { LD_PRELOAD: 'x' },
      { '1A': 'x' },
      { 'A-B': 'x' },
      { A: 'x'.repeat(4097) },
      { A: 'a\nb' },
      { A: 1 },
      many,
    ])
      expect(await create({ env })).toFailWith('INVALID_INPUT');
    const { envelope } = await create({ env: { HOME: '/tmp' } });
    expect(envelope.data).toMatchObject({ fields: [{ field: 'body.env.HOME', message: 'is set by the lab itself' }] });
    expect((await create({ env: { A: 'ünï ✓ \t"quoted"' } })).data.env).toEqual({ A: 'ünï ✓ \t"quoted"' });
  });

  it('of what runs wait until it is stopped; the idle limit does not, and counts anew', async () => {
    const { workshopId, session } = (await create({ startNow: true })).data;
    await pass(test, 2);
    for (const change of [{ env: { A: '1' } }, { imageId: 'python-3' }, { network: 'egress' }, { specId: 'cpu-half' }])
      expect((await update(workshopId, change)).envelope.success).toBe(false);
    const at = await advance(test.db, 50_000);

    expect((await update(workshopId, { idleMinutes: 15 })).data.idleMinutes).toBe(15);

    expect((await sessionOf(test, session?.sessionId ?? '')).activeAt).toEqual(at);
    await test.as(member).send('POST /gateway/workshop/stop', { body: { workshopId } });
    await pass(test, 2);
    expect((await update(workshopId, { env: { A: '1' }, imageId: 'python-3', idleMinutes: null })).data).toMatchObject({
      env: { A: '1' },
      image: { imageId: 'python-3' },
      idleMinutes: null,
      isHomeThere: true,
    });
    const { list } = (await test.as(member).send('GET /gateway/workshop/events', { query: { workshopId } })).data;
    expect(list[0]).toMatchObject({
      reason: 'SPEC_CHANGED',
      evidence: { imageId: 'python-3', fromImageId: 'shell', variables: 1, idleMinutes: 0 },
    });
  });

  it('take no image that is not offered', async () => {
    const { workshopId } = (await create()).data;

    expect(await update(workshopId, { imageId: 'nobodys' })).toFailWith('IMAGE_UNAVAILABLE');
    expect((await update(workshopId, { imageId: 'shell', env: {} })).envelope.success).toBe(true);
    expect(await reasonsOf(test, workshopId)).toEqual(['CREATED']);
  });

  it('start nothing else than what was asked for, changed between look and lock', async () => {
    const { workshopId } = (await create()).data;
    const { missingCommands } = test.engine;
    jest.spyOn(test.engine, 'missingCommands').mockImplementationOnce(async (commands) => {
      await test.db.updateTable('workshop').set({ imageId: 'python-3' }).where('id', '=', workshopId).execute();
      return missingCommands(commands);
    });

    expect(await test.as(member).send('POST /gateway/workshop/start', { body: { workshopId } })).toFailWith(
      'WORKSHOP_STATE_CONFLICT',
    );
  });
});
