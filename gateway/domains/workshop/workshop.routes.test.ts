import { v7 as uuidv7 } from 'uuid';
import type { Calls } from '../../contract/calls';
import { buildTestApp, type TestApp } from '../../testing/buildTestApp';
import type { TestMember } from '../../testing/factories';
import { pass, reasonsOf, startLab } from './testbed';

const NAMED = { name: 'Notebook', specId: 'cpu-1', imageId: 'shell' };

describe('the calls of workshops', () => {
  let test: TestApp;
  let member: TestMember;
  beforeAll(async () => {
    test = await buildTestApp();
  });
  beforeEach(async () => {
    member = await test.buildMember({ levelFlag: 1 });
  });
  afterAll(() => test.close());

  const create = (body: unknown, headers: Record<string, string> = {}) =>
    test.as(member).send('POST /gateway/workshop/create', { body, headers });
  const update = (body: unknown) => test.as(member).send('POST /gateway/workshop/update', { body });
  const page = (query: Record<string, string | number> = {}) => test.as(member).send('GET /gateway/workshop/page', { query });

  describe('create', () => {
    it('makes a stopped workshop with its name composed and trimmed', async () => {
      const reply = await create({ ...NAMED, name: '  Cafe\u0301 ', maxHours: 3 });

      expect(reply.data).toMatchObject({
        name: 'Café',
        state: 'STOPPED',
        maxHours: 3,
        spec: { specId: 'cpu-1', cpuCores: 1, dcuPerHour: 0.5 },
        image: { imageId: 'shell', name: 'Shell' },
        session: null,
        lastSession: null,
        failure: null,
        totalCostDcu: 0,
        cpuTrend: [],
      });
      expect(await reasonsOf(test, reply.data.workshopId)).toEqual(['CREATED']);
    });

    it('refuses a name the member has, whatever its case, and lets others have it', async () => {
      await create(NAMED);

      expect(await create({ ...NAMED, name: 'NOTEBOOK ' })).toFailWith('WORKSHOP_NAME_TAKEN');
      const other = await test.buildMember();
      expect((await test.as(other).send('POST /gateway/workshop/create', { body: NAMED })).status).toBe(200);
    });

    it('makes one workshop of the same key, sent twice at once', async () => {
      const headers = { 'idempotency-key': 'create-key-01' };

      const [one, two] = await Promise.all([create(NAMED, headers), create(NAMED, headers)]);

      expect(two.data).toEqual(one.data);
      expect(await create({ ...NAMED, name: 'Other' }, headers)).toFailWith('IDEMPOTENCY_CONFLICT');
      expect((await page()).data.total).toBe(1);
    });

    it('makes nothing when it cannot start as asked', async () => {
      member = await test.buildMember({ remainDcuMicro: 1_000n });

      expect(await create({ ...NAMED, startNow: true })).toFailWith('MEMBER_DCU_LIMIT');
      expect((await page()).data.total).toBe(0);
    });

    it('keeps at most fifty workshops a member', async () => {
      await Promise.all(Array.from({ length: 50 }, () => test.buildWorkshop({ memberId: member.memberId })));

      const reply = await create(NAMED);

      expect(reply).toFailWith('WORKSHOP_LIMIT');
      expect(reply.envelope.msg).toContain('50');
    });

    it.each([
      [{ ...NAMED, name: '' }, 'body.name'],
      [{ ...NAMED, name: '   ' }, 'body.name'],
      [{ ...NAMED, name: 'x'.repeat(41) }, 'body.name'],
      [{ ...NAMED, name: 'a\u0000b' }, 'body.name'],
      [{ ...NAMED, name: 7 }, 'body.name'],
      [{ ...NAMED, maxHours: 0 }, 'body.maxHours'],
      [{ ...NAMED, maxHours: 169 }, 'body.maxHours'],
      [{ ...NAMED, dcuPerHour: 0 }, 'body.dcuPerHour'],
      [{ ...NAMED, memberId: uuidv7() }, 'body.memberId'],
      [{ name: 'x', specId: 'cpu-1' }, 'body.imageId'],
    ])('names what does not fit: %j', async (body, field) => {
      const reply = await create(body);

      expect(reply).toFailWith('INVALID_INPUT');
      expect(reply.envelope.data).toMatchObject({ fields: expect.arrayContaining([expect.objectContaining({ field })]) });
    });

    it('refuses a spec and an image that nobody offers', async () => {
      expect(await create({ ...NAMED, specId: 'cpu-9000' })).toFailWith('SPEC_UNAVAILABLE');
      expect(await create({ ...NAMED, imageId: 'none' })).toFailWith('IMAGE_UNAVAILABLE');
    });
  });

  it.each(['a\u202eb', 'a\u200bb', '\u2066a', 'a\u0085b', '\ufeffa', 'a\u00adb', '\u200d', ' '])(
    'has no name with what cannot be seen: %j',
    async (name) => {
      const reply = await create({ ...NAMED, name });

      expect(reply).toFailWith('INVALID_INPUT');
      expect(reply.envelope.data).toMatchObject({ fields: [{ field: 'body.name' }] });
    },
  );

  it.each(['👩‍💻 lab', '学习 αβγ', 'é'])('has the name %s', async (name) => {
    expect((await create({ ...NAMED, name })).data.name).toBe(name);
  });

  describe('update', () => {
    it('renames, sets and clears the maximum hours, and changes the spec of a stopped workshop', async () => {
      const { workshopId } = (await create(NAMED)).data;

      const changed = await update({ workshopId, name: 'Renamed', maxHours: 2, specId: 'cpu-2' });
      expect(changed.data).toMatchObject({ name: 'Renamed', maxHours: 2, spec: { specId: 'cpu-2' } });
      expect((await update({ workshopId, maxHours: null })).data.maxHours).toBeNull();
      expect(await reasonsOf(test, workshopId)).toEqual(['CREATED', 'SPEC_CHANGED', 'UPDATED']);
    });

    it('asks for something to change, and tells the timeline nothing when it is so already', async () => {
      const { workshopId, name } = (await create(NAMED)).data;

      const empty = await update({ workshopId });
      expect(empty).toFailWith('INVALID_INPUT');
      expect(empty.envelope.data).toMatchObject({ fields: [{ field: 'body', message: 'must name something to change' }] });
      expect((await update({ workshopId, name, specId: NAMED.specId, maxHours: null })).data).toMatchObject({ name });
      expect(await reasonsOf(test, workshopId)).toEqual(['CREATED']);
    });

    it('keeps the spec of a running one, and renames it', async () => {
      const { workshopId } = await startLab(test, { member });

      expect(await update({ workshopId, specId: 'cpu-2' })).toFailWith('WORKSHOP_STATE_CONFLICT');
      expect((await update({ workshopId, name: 'Busy', specId: 'cpu-1' })).data).toMatchObject({ name: 'Busy', state: 'RUNNING' });
    });

    it('refuses a name that is taken and a spec that is none', async () => {
      await create(NAMED);
      const { workshopId } = (await create({ ...NAMED, name: 'Second' })).data;

      expect(await update({ workshopId, name: 'notebook' })).toFailWith('WORKSHOP_NAME_TAKEN');
      expect(await update({ workshopId, specId: 'none' })).toFailWith('SPEC_UNAVAILABLE');
    });
  });

  describe('page', () => {
    it('filters, sorts, pages and counts', async () => {
      for (const [name, specId] of [
        ['alpha', 'cpu-1'],
        ['Beta', 'cpu-2'],
        ['gamma 50%', 'cpu-1'],
      ])
        await create({ ...NAMED, name, specId });
      const names = async (query: Record<string, string | number>) => (await page(query)).data.list.map(({ name }) => name);

      expect(await names({ sortField: 'name', sortOrder: 'ascend' })).toEqual(['alpha', 'Beta', 'gamma 50%']);
      expect(await names({})).toEqual(['gamma 50%', 'Beta', 'alpha']);
      expect(await names({ specId: 'cpu-1', sortField: 'name' })).toEqual(['gamma 50%', 'alpha']);
      expect(await names({ keyword: 'BET' })).toEqual(['Beta']);
      expect(await names({ keyword: '%' })).toEqual(['gamma 50%']);
      expect(await names({ state: 'RUNNING' })).toEqual([]);
      expect((await page({ current: 2, pageSize: 2 })).data).toMatchObject({ total: 3, list: [{ name: 'alpha' }] });
      expect((await page({ current: 9 })).data).toEqual({ total: 3, list: [] });
    });

    it.each([
      ['pageSize', 101],
      ['current', 0],
      ['state', 'BROKEN'],
      ['sortField', 'memberId'],
      ['memberId', 'x'],
    ])('names %s = %s', async (name, value) => {
      const reply = await page({ [name]: value });

      expect(reply).toFailWith('INVALID_INPUT');
      expect(reply.envelope.data).toMatchObject({ fields: [expect.objectContaining({ field: `query.${name}` })] });
    });

    it('offers the filters that find something', async () => {
      await create(NAMED);
      await startLab(test, { member, specId: 'cpu-2' });

      const { data } = await test.as(member).send('GET /gateway/workshop/filterList');

      expect(data.states).toEqual([
        { state: 'STOPPED', count: 1 },
        { state: 'RUNNING', count: 1 },
      ]);
      expect(data.specs).toMatchObject([
        { specId: 'cpu-1', count: 1 },
        { specId: 'cpu-2', count: 1 },
      ]);
    });
  });

  it('tells the timeline newest first, a page at a time', async () => {
    const { workshopId } = await startLab(test, { member });
    await test.as(member).send('POST /gateway/workshop/stop', { body: { workshopId } });
    await pass(test, 2);

    const { data } = await test.as(member).send('GET /gateway/workshop/events', { query: { workshopId, pageSize: 2 } });

    expect(data.total).toBe(5);
    expect(data.list).toMatchObject([
      { from: 'STOPPING', to: 'STOPPED', reason: 'MEMBER', actor: 'system', evidence: { runningMs: expect.any(Number) } },
      { from: 'RUNNING', to: 'STOPPING', reason: 'STOP_REQUESTED', actor: 'member' },
    ]);
  });

  it('offers specs with price, level and whether this machine has them', async () => {
    const present = await test.engine.capabilities();
    const spy = jest.spyOn(test.engine, 'capabilities').mockResolvedValue({ ...present, maxCpuCores: 4 });
    const { list } = (await test.as(member).send('GET /gateway/workshop/cpuSpec')).data;
    spy.mockRestore();

    expect(list.find((spec) => spec.specId === 'cpu-half')).toMatchObject({
      dcuPerHour: 0.25,
      minimumLevel: 0,
      isAllowed: true,
      isAvailable: true,
      reason: '',
    });
    expect(list.find((spec) => spec.specId === 'cpu-8')).toMatchObject({
      minimumLevel: 1,
      isAllowed: true,
      isAvailable: false,
      reason: 'this machine has 4 CPU cores.',
    });
    expect(list.find((spec) => spec.specId === 'cpu-16')).toMatchObject({ isAllowed: false });
  });

  const targeted: [keyof Calls, 'query' | 'body', object?][] = [
    ['GET /gateway/workshop/get', 'query'],
    ['GET /gateway/workshop/events', 'query'],
    ['GET /gateway/workshop/metricsStatistics', 'query'],
    ['POST /gateway/workshop/update', 'body', { name: 'Mine' }],
    ['POST /gateway/workshop/start', 'body'],
    ['POST /gateway/workshop/stop', 'body'],
    ['POST /gateway/workshop/delete', 'body'],
    ['POST /gateway/workshop/terminal', 'body'],
  ];
  it.each(targeted)('%s answers for a foreign workshop like for a missing one', async (key, part, others = {}) => {
    const owner = await test.buildMember();
    const { workshopId } = await test.buildWorkshop({ memberId: owner.memberId });

    const foreign = await test.as(member).send(key, { [part]: { workshopId, ...others } });
    const missing = await test.as(member).send(key, { [part]: { workshopId: uuidv7(), ...others } });

    expect(foreign).toFailWith('NOT_FOUND');
    expect({ ...foreign.envelope, traceId: '' }).toEqual({ ...missing.envelope, traceId: '' });
    const junk = await test.as(member).send(key, { [part]: { workshopId: 'junk', ...others } });
    expect(junk.envelope.data).toMatchObject({ fields: [{ field: `${part}.workshopId` }] });
  });

  const all: [keyof Calls][] = [
    ...targeted.map(([key]): [keyof Calls] => [key]),
    ...([['GET /gateway/workshop/page'], ['GET /gateway/workshop/filterList'], ['GET /gateway/workshop/cpuSpec']] as [
      keyof Calls,
    ][]),
    ...([['POST /gateway/workshop/create'], ['GET /gateway/image/basicTree']] as [keyof Calls][]),
  ];
  it.each(all)('%s is for members only', async (key) => {
    expect(await test.as(null).send(key, key.startsWith('POST') ? { body: {} } : {})).toFailWith('UNAUTHORIZED');
  });

  it('speaks the member’s language', async () => {
    const headers = { 'accept-language': 'zh-CN' };
    const { list } = (await test.as(member).send('GET /gateway/workshop/cpuSpec', { headers })).data;

    expect(list[0]?.name).toBe('0.5 核 · 1 GB');
  });
});
