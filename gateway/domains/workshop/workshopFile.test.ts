import type { ErrorName } from '../../contract/errors';
import { buildTestApp, type TestApp } from '../../testing/buildTestApp';
import type { TestMember } from '../../testing/factories';
import { pass, sessionOf, startLab } from './testbed';

describe('the files of a workshop', () => {
  let test: TestApp;
  let member: TestMember;
  let workshopId: string;
  beforeAll(async () => {
    test = await buildTestApp();
  });
  beforeEach(async () => {
    member = await test.buildMember({ levelFlag: 1 });
    ({ workshopId } = await test.buildWorkshop({ memberId: member.memberId, specId: 'cpu-1' }));
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => test.close());

  const upload = (path: string, text: string, query: object = {}, as: TestMember | null = member) =>
    test.as(as).send('POST /gateway/workshop/upload', {
      query: { workshopId, path, ...query },
      body: Buffer.from(text),
      headers: { 'content-type': 'application/octet-stream' },
    });
  const list = (path = '', as: TestMember | null = member) =>
    test.as(as).send('GET /gateway/workshop/files', { query: { workshopId, path } });
  const read = (path: string) => test.as(member).send('GET /gateway/workshop/file', { query: { workshopId, path } });
  const download = (path: string, headers = {}) =>
    test.as(member).send('GET /gateway/workshop/download', { query: { workshopId, path }, headers });
  const save = (path: string, text: string, version: string | null) =>
    test.as(member).send('POST /gateway/workshop/saveFile', { body: { workshopId, path, text, version } });
  const post = (call: 'makeFolder' | 'renameFile' | 'deleteFiles', fields: object) =>
    test.as(member).send(`POST /gateway/workshop/${call}`, { body: { workshopId, ...fields } });

  it('are none before the first start, and can be put there all the same', async () => {
    expect((await list()).data).toMatchObject({ entries: [], isHomeThere: false, isCut: false, usedBytes: 0 });

    expect((await upload('course/notes.txt', 'first')).data).toMatchObject({ path: 'course/notes.txt', sizeBytes: 5 });

    const { data } = await list();
    expect(data).toMatchObject({ isHomeThere: true, entries: [{ name: 'course', kind: 'folder' }] });
    expect(data.limitBytes).toBeGreaterThan(0);
    expect(data.memberLimitBytes).toBe(50 * 1024 ** 3);
    expect((await list('course')).data.entries).toMatchObject([{ name: 'notes.txt', kind: 'file', sizeBytes: 5, linksTo: null }]);
    const { diskBytes } = await test.db
      .selectFrom('workshop')
      .select('diskBytes')
      .where('id', '=', workshopId)
      .executeTakeFirstOrThrow();
    expect(Number(diskBytes)).toBe(data.usedBytes);
  });

  it('are read, saved over the version read, and never over another', async () => {
    await upload('a.py', 'print(1)');
    const { version, text } = (await read('a.py')).data;
    expect(text).toBe('print(1)');

    const [one, other] = await Promise.all([save('a.py', 'one', version), save('a.py', 'other', version)]);

    expect([one, other].filter((reply) => reply.envelope.success)).toHaveLength(1);
    expect([one, other].find((reply) => !reply.envelope.success)).toFailWith('FILE_CHANGED');
    expect(['one', 'other']).toContain((await read('a.py')).data.text);
    expect(await save('a.py', 'new', null)).toFailWith('FILE_EXISTS');
    expect((await save('b.py', 'new', null)).data.path).toBe('b.py');
    expect(await save('gone.py', 'text', version)).toFailWith('FILE_CHANGED');
  });

  it('are edited as text only where they are text and small', async () => {
    await upload('picture.png', '\u0089PNG\u0000');
    await upload('large.txt', 'x'.repeat(1024 ** 2 + 1));
    await upload('letters.txt', 'é 中文 🙂 עברית\n');

    expect(await read('picture.png')).toFailWith('FILE_NOT_TEXT');
    expect(await read('large.txt')).toFailWith('FILE_TOO_LARGE_TO_EDIT');
    expect((await read('letters.txt')).data.text).toBe('é 中文 🙂 עברית\n');
    expect(await save('wide.txt', '中'.repeat(400_000), null)).toFailWith('FILE_TOO_LARGE_TO_EDIT');
    expect(await read('none.txt')).toFailWith('FILE_NOT_FOUND');
  });

  it('meet others of their name as they are told', async () => {
    await upload('data.csv', 'old');

    expect(await upload('data.csv', 'new')).toFailWith('FILE_EXISTS');
    expect((await upload('data.csv', 'both', { onConflict: 'keepBoth' })).data.path).toBe('data (2).csv');
    expect((await upload('data.csv', 'new', { onConflict: 'replace' })).data.path).toBe('data.csv');

    expect((await read('data.csv')).data.text).toBe('new');
    expect((await read('data (2).csv')).data.text).toBe('both');
  });

  it('are renamed, moved and deleted, never over or out of anything', async () => {
    await upload('a.txt', 'a');
    await upload('b.txt', 'b');

    expect(await post('makeFolder', { path: 'kept' })).toMatchObject({ status: 200, data: { path: 'kept' } });
    expect(await post('makeFolder', { path: 'kept' })).toFailWith('FILE_EXISTS');
    expect(await post('makeFolder', { path: 'none/here' })).toFailWith('FILE_NOT_FOUND');
    expect(await post('renameFile', { path: 'a.txt', to: 'b.txt' })).toFailWith('FILE_EXISTS');
    expect((await post('renameFile', { path: 'a.txt', to: 'kept/c.txt' })).data).toEqual({ path: 'kept/c.txt' });
    expect((await post('deleteFiles', { paths: ['b.txt', 'never.txt'] })).data).toEqual({ deleted: 2 });
    expect((await list()).data.entries.map(({ name }) => name)).toEqual(['kept']);
    expect((await read('kept/c.txt')).data.text).toBe('a');
  });

  it.each(['../up.txt', '/etc/passwd', 'a/../b', 'a//b', '.', 'a\nb', '\u202etxt.exe', 'x'.repeat(256)])(
    'have no such name as %j',
    async (path) => {
      expect(await upload(path, 'x')).toFailWith('FILE_NAME_INVALID');
      expect(await post('renameFile', { path: 'a.txt', to: path })).toFailWith('FILE_NAME_INVALID');
      expect((await list()).data.entries).toEqual([]);
    },
  );

  it('are downloaded whole, in part and as attachments that a browser only keeps', async () => {
    await upload('zahlen é"中.txt', '0123456789');

    const whole = await download('zahlen é"中.txt');
    expect(whole).toMatchObject({ status: 200, data: '0123456789' });
    expect(whole.headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-length': '10',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none';base-uri 'none';frame-ancestors 'none';sandbox",
      'content-disposition': `attachment; filename="zahlen _.txt"; filename*=UTF-8''zahlen%20%C3%A9%22%E4%B8%AD.txt`,
    });
    const part = await download('zahlen é"中.txt', { range: 'bytes=2-4' });
    expect(part).toMatchObject({ status: 206, envelope: { data: '234' } });
    expect(part.headers['content-range']).toBe('bytes 2-4/10');
    expect((await download('zahlen é"中.txt', { range: 'bytes=-3' })).envelope.data).toBe('789');
    expect(await download('zahlen é"中.txt', { range: 'bytes=10-' })).toFailWith('RANGE_NOT_SATISFIABLE');
    expect(await download('none')).toFailWith('FILE_NOT_FOUND');
    expect((await download('')).headers['content-disposition']).toMatch(/^attachment; filename=".*\.zip"/);
  });

  it('fit on the disk of the size and in the storage of the level, or are refused with what is free', async () => {
    const { list: specs } = (await test.as(member).send('GET /gateway/workshop/cpuSpec')).data;
    const limit = specs.find(({ specId }) => specId === 'cpu-1')?.diskBytes ?? 0;
    jest.spyOn(test.services.homes, 'usedBytes').mockResolvedValue(limit - 4);

    const refused = await upload('big.txt', '12345');

    expect(refused).toFailWith('FILE_QUOTA');
    expect(refused.envelope.data).toEqual({ freeBytes: 4, cause: 'DISK' });
    expect((await list()).data.entries).toEqual([]);
    expect((await upload('fits.txt', '1234')).envelope.success).toBe(true);
  });

  it('are there while it runs, the shell sees them, and looking at them is use', async () => {
    const lab = await startLab(test, { member });
    workshopId = lab.workshopId;
    const before = await sessionOf(test, lab.sessionId);

    await upload('hello.txt', 'from the page');

    expect(test.engine.simulate.homeFiles(workshopId)?.read('/home/lab/hello.txt')).toBe('from the page');
    const after = await sessionOf(test, lab.sessionId);
    expect(after.activeAt?.getTime() ?? 0).toBeGreaterThanOrEqual(before.activeAt?.getTime() ?? 0);
    expect(after.activeAt).not.toBeNull();
  });

  it('stay unseen by anybody else and while it is deleted', async () => {
    const stranger = await test.buildMember();
    await upload('secret.txt', 'mine');

    expect(await list('', stranger)).toFailWith('NOT_FOUND');
    expect(await upload('x', 'x', {}, stranger)).toFailWith('NOT_FOUND');
    expect(await list('', null)).toFailWith('UNAUTHORIZED');
    jest.spyOn(test.engine, 'deleteHome').mockRejectedValue(new Error('busy'));
    await test.as(member).send('POST /gateway/workshop/delete', { body: { workshopId } });
    expect(await list()).toFailWith('WORKSHOP_STATE_CONFLICT');
  });

  it.each<[ErrorName, object]>([
    ['UNSUPPORTED_MEDIA_TYPE', { headers: { 'content-type': 'application/json' }, body: {} }],
    ['UNSUPPORTED_MEDIA_TYPE', { headers: { 'content-type': 'text/plain' }, body: 'x' }],
    ['UNSUPPORTED_MEDIA_TYPE', {}],
  ])('are not uploaded as anything but bytes: %s', async (error, input) => {
    expect(await test.as(member).send('POST /gateway/workshop/upload', { query: { workshopId, path: 'a' }, ...input })).toFailWith(
      error,
    );
  });

  it('are said to be out of reach while the engine is', async () => {
    await pass(test);
    test.engine.simulate.setReachable(false);

    expect(await list()).toFailWith('FILES_UNAVAILABLE');
    test.engine.simulate.setReachable(true);
    expect((await list()).envelope.success).toBe(true);
  });
});
