import { createHash } from 'node:crypto';
import { buildTestApp, type TestApp } from '../../testing/buildTestApp';
import type { TestMember } from '../../testing/factories';
import { reasonsOf, startLab } from '../workshop/testbed';
import { askToSave, buildFurnishedWorkshop, buildImage, proveRealName, publishImage, saveAll, stateOfImage } from './imageWorld';

describe('images of a member', () => {
  let test: TestApp;
  let member: TestMember;
  let stranger: TestMember;
  beforeAll(async () => {
    test = await buildTestApp();
  });
  beforeEach(async () => {
    member = await test.buildMember({ levelFlag: 3 });
    stranger = await test.buildMember();
  });
  afterAll(() => test.close());

  const save = (workshopId: string, others: object = {}, headers: Record<string, string> = {}) =>
    test.as(member).send('POST /gateway/workshop/saveImage', { body: { workshopId, name: 'Mine', tag: 'v1', ...others }, headers });
  const detail = async (imageId: string, who = member) =>
    (await test.as(who).send('GET /gateway/labImage/detail', { query: { imageId } })).data;
  const list = async (who = member) => (await test.as(who).send('GET /gateway/labImage/list')).data;
  const own = async (query: Record<string, string | number> = {}) =>
    (await test.as(member).send('GET /gateway/image/privateList', { query })).data;
  const community = async (query: Record<string, string | boolean> = {}, who = stranger) =>
    (await test.as(who).send('GET /gateway/image/communityList', { query })).data;

  it('are saved behind the answer and then hold the files, their checksum and where they are from', async () => {
    const workshopId = await buildFurnishedWorkshop(test, member, { 'a.txt': 'alpha', 'deep/b.txt': 'beta' }, { name: 'Source' });

    const asked = await save(workshopId, { name: ' Café ', description: ' for class \n two ' });
    expect(asked.data).toMatchObject({ name: 'Café', tag: 'v1', state: 'SAVING', description: 'for class \n two', isMine: true });
    expect((await own()).list).toMatchObject([{ state: 'SAVING', progress: { percent: null, detail: 'waiting to begin' } }]);
    expect((await list()).list).toEqual([]);
    await saveAll(test);

    const { imageId } = asked.data;
    const saved = await detail(imageId);
    const row = await stateOfImage(test, imageId);
    expect(saved).toMatchObject({
      state: 'READY',
      progress: null,
      files: 2,
      base: { imageId: 'shell', name: 'Shell', framework: 'shell' },
      workshop: { workshopId, name: 'Source', isThere: true },
      history: [],
      secretPaths: [],
      owner: member.username,
      isAvailable: true,
    });
    expect(saved.sha256).toBe(row.archiveSha256?.toString('hex'));
    expect(saved.sizeBytes).toBe(Number(row.archiveBytes));
    expect(await reasonsOf(test, workshopId)).toContain('IMAGE_SAVED');
    expect(await list()).toMatchObject({ list: [{ imageId }], saves: 'home', kept: 1, limit: 200 });
  });

  it('of a running lab are saved while it runs', async () => {
    const { workshopId } = await startLab(test, { member });
    const { imageId } = await askToSave(test, member, workshopId);
    await saveAll(test);

    expect((await stateOfImage(test, imageId)).state).toBe('READY');
  });

  it('are saved once for a key, however often it is asked', async () => {
    const workshopId = await buildFurnishedWorkshop(test, member);
    const headers = { 'idempotency-key': 'save-it-once' };
    const first = await save(workshopId, {}, headers);
    await saveAll(test);

    expect((await save(workshopId, {}, headers)).data).toEqual(first.data);
    expect((await own()).total).toBe(1);
    expect(await save(workshopId, { tag: 'v2' }, headers)).toFailWith('IDEMPOTENCY_CONFLICT');
  });

  it('are refused a second one of the same name and tag, in whatever letters', async () => {
    await buildImage(test, member, { name: 'Mine', tag: 'v1' });
    const other = await buildFurnishedWorkshop(test, member);

    expect(await save(other, { name: 'MINE' })).toFailWith('IMAGE_NAME_TAKEN');
    expect((await save(other, { name: 'MINE', tag: 'v2' })).envelope.success).toBe(true);
  });

  it('are refused while the workshop is being saved, is somebody else’s, or never ran', async () => {
    const workshopId = await buildFurnishedWorkshop(test, member);
    await save(workshopId);

    expect(await save(workshopId, { name: 'Again' })).toFailWith('IMAGE_STATE_CONFLICT');
    expect(await save(await buildFurnishedWorkshop(test, stranger))).toFailWith('NOT_FOUND');
    const { workshopId: unused } = await test.buildWorkshop({ memberId: member.memberId });
    expect(await save(unused, { name: 'Empty' })).toFailWith('NOTHING_TO_SAVE');
    const { workshopId: queued } = await startLab(test, { member, passes: 0 });
    expect(await save(queued, { name: 'Early' })).toFailWith('WORKSHOP_STATE_CONFLICT');
    await saveAll(test);
  });

  it('are refused while the engine is silent', async () => {
    const workshopId = await buildFurnishedWorkshop(test, member);
    test.engine.simulate.setReachable(false);
    const reply = await save(workshopId);
    const { saves } = await list();
    test.engine.simulate.setReachable(true);

    expect(reply).toFailWith('ENGINE_UNAVAILABLE');
    expect(saves).toBeNull();
  });

  it('are as many as the level keeps, those being saved counted, and the refusal names the level that keeps more', async () => {
    member = await test.buildMember();
    await buildImage(test, member);
    await askToSave(test, member, await buildFurnishedWorkshop(test, member));

    const reply = await save(await buildFurnishedWorkshop(test, member), { name: 'Third' });

    expect(reply).toFailWith('IMAGE_LIMIT');
    expect(reply.envelope.data).toEqual({ limit: 2, kept: 2, neededLevel: 1 });
    expect(reply.envelope.msg).toContain('2');
    await saveAll(test);
  });

  it('are searched by name, tag and description, and filtered by state', async () => {
    await buildImage(test, member, { name: 'Statistics 100%', tag: 'spring' });
    await askToSave(test, member, await buildFurnishedWorkshop(test, member), { name: 'Other' });

    expect((await own({ keyword: '100%' })).list).toMatchObject([{ name: 'Statistics 100%' }]);
    expect((await own({ keyword: 'SPRING' })).total).toBe(1);
    expect((await own({ keyword: '1__' })).total).toBe(0);
    expect((await own({ state: 'SAVING' })).list).toMatchObject([{ name: 'Other' }]);
    expect((await own({ pageSize: 1, current: 2 })).list).toMatchObject([{ name: 'Statistics 100%' }]);
    await saveAll(test);
  });

  it('are deleted, unless a workshop uses them, which is then named', async () => {
    const imageId = await buildImage(test, member);
    const { workshopId } = await test.buildWorkshop({ memberId: member.memberId, imageId, name: 'Uses it' });
    const remove = () => test.as(member).send('POST /gateway/labImage/delete', { body: { imageId } });

    const refused = await remove();
    expect(refused).toFailWith('IMAGE_IN_USE');
    expect(refused.envelope.data).toEqual({ workshops: [{ workshopId, name: 'Uses it' }] });
    expect(refused.envelope.msg).toContain('Uses it');
    expect((await detail(imageId)).usedBy).toEqual([{ workshopId, name: 'Uses it' }]);

    await test.as(member).send('POST /gateway/workshop/update', { body: { workshopId, imageId: 'shell' } });
    expect((await remove()).envelope.success).toBe(true);
    expect(await remove()).toFailWith('NOT_FOUND');
    expect((await own()).total).toBe(0);
  });

  it('that are being saved are cancelled, not deleted', async () => {
    const { imageId } = await askToSave(test, member, await buildFurnishedWorkshop(test, member));

    expect(await test.as(member).send('POST /gateway/labImage/delete', { body: { imageId } })).toFailWith('IMAGE_STATE_CONFLICT');
    expect((await test.as(member).send('POST /gateway/labImage/cancel', { body: { imageId } })).data).toEqual({ imageId });
    expect(await test.as(member).send('POST /gateway/labImage/cancel', { body: { imageId } })).toFailWith('NOT_FOUND');
    expect(await test.services.imageSaves.runOnce()).toBe(0);
    const ready = await buildImage(test, member);
    expect(await test.as(member).send('POST /gateway/labImage/cancel', { body: { imageId: ready } })).toFailWith(
      'IMAGE_STATE_CONFLICT',
    );
  });

  it('are shown to everybody once published by somebody with a proven name, and no longer when taken back', async () => {
    const imageId = await buildImage(test, member, { name: 'Shared' });
    const publish = (isPublished: boolean) =>
      test.as(member).send('POST /gateway/image/publish', { body: { imageId, isPublished } });

    const refused = await publish(true);
    expect(refused).toFailWith('REAL_NAME_REQUIRED');
    expect(refused.envelope.data).toEqual({ cause: 'PUBLISH_IMAGE' });
    expect(await test.as(stranger).send('GET /gateway/labImage/detail', { query: { imageId } })).toFailWith('NOT_FOUND');
    await publishImage(test, member, imageId);

    const seen = await detail(imageId, stranger);
    expect(seen).toMatchObject({
      name: 'Shared',
      isMine: false,
      workshop: null,
      secretPaths: [],
      owner: expect.stringMatching(/^s\*\*\*.$/),
    });
    expect(JSON.stringify(seen)).not.toContain(member.memberId);
    expect(JSON.stringify(await community())).not.toContain(member.username);
    await publish(false);
    expect(await test.as(stranger).send('GET /gateway/labImage/detail', { query: { imageId } })).toFailWith('NOT_FOUND');
  });

  it('with files that look secret are published only when each was accepted', async () => {
    const files = { '.ssh/id_rsa': 'key', 'work/.env': 'TOKEN=1', 'notes.txt': 'fine' };
    const imageId = await buildImage(test, member, { files });
    await proveRealName(test, member);
    const publish = (acceptedPaths: string[]) =>
      test.as(member).send('POST /gateway/image/publish', { body: { imageId, isPublished: true, acceptedPaths } });

    const refused = await publish(['.ssh/id_rsa']);
    expect(refused).toFailWith('IMAGE_HOLDS_SECRETS');
    expect(refused.envelope.data).toEqual({ paths: ['.ssh/id_rsa', 'work/.env'], isComplete: true });
    expect((await detail(imageId)).secretPaths).toEqual(['.ssh/id_rsa', 'work/.env']);
    expect((await publish(['.ssh/id_rsa', 'work/.env'])).data.publishedAt).not.toBeNull();
    expect((await detail(imageId, stranger)).secretPaths).toEqual([]);
  });

  it('that are not ready are not published', async () => {
    await proveRealName(test, member);
    const { imageId } = await askToSave(test, member, await buildFurnishedWorkshop(test, member));
    const reply = await test.as(member).send('POST /gateway/image/publish', { body: { imageId, isPublished: true } });

    expect(reply).toFailWith('IMAGE_STATE_CONFLICT');
    await saveAll(test);
  });

  it('get stars, one a member, and are sorted by them, by use and by age, and filtered by framework', async () => {
    const keyword = member.memberId.slice(-12);
    const first = await buildImage(test, member, { name: `A ${keyword}` });
    const workshopId = await buildFurnishedWorkshop(test, member, {}, { imageId: 'python-3' });
    const second = await buildImage(test, member, { name: `B ${keyword}`, workshopId });
    for (const imageId of [first, second]) await publishImage(test, member, imageId);
    const star = async (imageId: string, isStarred: boolean) =>
      (await test.as(stranger).send('POST /gateway/image/star', { body: { imageId, isStarred } })).data;
    const names = async (query: Record<string, string | boolean>) =>
      (await community({ keyword, ...query })).list.map(({ name }) => name[0]).join('');

    expect(await star(first, true)).toEqual({ imageId: first, isStarred: true, stars: 1 });
    expect((await star(first, true)).stars).toBe(1);
    expect(await names({})).toBe('AB');
    expect(await names({ sort: 'newest' })).toBe('BA');
    expect(await names({ isStarred: true })).toBe('A');
    expect(await names({ isStarred: false })).toBe('B');
    expect(await names({ framework: 'python' })).toBe('B');
    expect(await names({ framework: 'nobody-knows' })).toBe('');
    const body = { name: `Used ${keyword}`, specId: 'cpu-half', imageId: second };
    expect((await test.as(stranger).send('POST /gateway/workshop/create', { body })).data.image.name).toBe(`B ${keyword}:v1`);
    expect(await names({ sort: 'uses' })).toBe('BA');
    expect((await star(first, false)).stars).toBe(0);
  });

  it('of somebody else take no star, change or deletion', async () => {
    const imageId = await buildImage(test, member);
    const as = test.as(stranger);

    expect(await as.send('POST /gateway/image/star', { body: { imageId, isStarred: true } })).toFailWith('NOT_FOUND');
    await publishImage(test, member, imageId);
    expect(await as.send('POST /gateway/image/publish', { body: { imageId, isPublished: false } })).toFailWith('NOT_FOUND');
    expect(await as.send('POST /gateway/labImage/delete', { body: { imageId } })).toFailWith('NOT_FOUND');
    expect(await as.send('POST /gateway/labImage/cancel', { body: { imageId } })).toFailWith('NOT_FOUND');
  });

  describe('as a download', () => {
    const get = (imageId: string, headers: Record<string, string> = {}, who = member) =>
      test.app.inject({
        url: `/gateway/labImage/download?imageId=${imageId}`,
        headers: { cookie: `sessionId=${who.loginSessionId}; atelier=${who.loginSecret}`, ...headers },
      });

    it('are the very archive, as a file to be kept', async () => {
      const imageId = await buildImage(test, member, { name: '数据 “A”', tag: 'v1' });
      const reply = await get(imageId);

      const { sha256, sizeBytes } = await detail(imageId);
      expect(createHash('sha256').update(reply.rawPayload).digest('hex')).toBe(sha256);
      expect(reply.headers).toMatchObject({
        'content-type': 'application/gzip',
        'content-length': String(sizeBytes),
        'accept-ranges': 'bytes',
        etag: `"${sha256}"`,
        'x-content-type-options': 'nosniff',
        'content-disposition': `attachment; filename="_A_-v1.tar.gz"; filename*=UTF-8''%E6%95%B0%E6%8D%AE%20%E2%80%9CA%E2%80%9D-v1.tar.gz`,
      });
    });

    it('come in the parts asked for', async () => {
      const imageId = await buildImage(test, member);
      const whole = (await get(imageId)).rawPayload;
      const part = await get(imageId, { range: 'bytes=2-5' });

      expect(part.statusCode).toBe(206);
      expect(part.headers['content-range']).toBe(`bytes 2-5/${whole.length}`);
      expect(part.rawPayload.equals(whole.subarray(2, 6))).toBe(true);
      expect((await get(imageId, { range: 'bytes=-4' })).rawPayload.equals(whole.subarray(-4))).toBe(true);
      expect((await get(imageId, { range: 'bytes=0-1', 'if-range': '"another"' })).statusCode).toBe(200);
      expect((await get(imageId, { range: `bytes=${whole.length}-` })).statusCode).toBe(416);
    });

    it('are refused of what is not ready or not there', async () => {
      const { imageId } = await askToSave(test, member, await buildFurnishedWorkshop(test, member));

      expect((await get(imageId)).statusCode).toBe(409);
      expect((await get(imageId, {}, stranger)).statusCode).toBe(404);
      await saveAll(test);
    });
  });

  it('tell what they were made from, and of others’ only what is published', async () => {
    const first = await buildImage(test, member, { name: 'First' });
    await publishImage(test, member, first);
    const workshopId = await buildFurnishedWorkshop(test, stranger, {}, { imageId: first });
    const second = await buildImage(test, stranger, { workshopId, name: 'Second' });

    expect((await detail(second, stranger)).history).toMatchObject([
      { imageId: first, name: 'First', isMine: false, isThere: true },
    ]);
    await test.as(member).send('POST /gateway/image/publish', { body: { imageId: first, isPublished: false } });
    expect((await detail(second, stranger)).history).toMatchObject([{ name: '', tag: '', savedAt: null, isThere: false }]);
  });
});
