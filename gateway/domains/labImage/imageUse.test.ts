import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { buildTestApp, type TestApp } from '../../testing/buildTestApp';
import type { TestMember } from '../../testing/factories';
import { getView, pass, reasonsOf, stateOf } from '../workshop/testbed';
import { buildImage, publishImage, readHome, stateOfImage, writeHome } from './imageWorld';

const FILES = { 'notes.txt': 'from the image', 'deep/er/data.csv': '1,2,3' };

describe('a workshop made from an image', () => {
  let test: TestApp;
  let member: TestMember;
  let other: TestMember;
  let imageId: string;
  beforeAll(async () => {
    test = await buildTestApp();
  });
  beforeEach(async () => {
    member = await test.buildMember({ levelFlag: 3 });
    other = await test.buildMember({ levelFlag: 3 });
    imageId = await buildImage(test, member, { files: FILES, name: 'Course' });
  });
  afterAll(() => test.close());

  const create = (who: TestMember, others: object = {}) =>
    test
      .as(who)
      .send('POST /gateway/workshop/create', { body: { name: 'From it', specId: 'cpu-half', imageId, startNow: true, ...others } });
  const act = (who: TestMember, key: 'POST /gateway/workshop/start' | 'POST /gateway/workshop/stop', workshopId: string) =>
    test.as(who).send(key, { body: { workshopId } });

  it('has its files at the first start, its name on the page and its base at the engine', async () => {
    const { workshopId, image } = (await create(member)).data;
    expect(image).toEqual({ imageId, name: 'Course:v1' });
    await pass(test);
    expect(await stateOf(test, workshopId)).toBe('PULLING');
    await pass(test);

    expect((await getView(test, member, workshopId)).state).toBe('RUNNING');
    expect(readHome(test, workshopId, 'notes.txt')).toBe('from the image');
    expect(readHome(test, workshopId, 'deep/er/data.csv')).toBe('1,2,3');
    expect((await stateOfImage(test, imageId)).uses).toBe(1);
  });

  it('keeps what its owner did with the files at every later start', async () => {
    const { workshopId } = (await create(member)).data;
    await pass(test, 2);
    await writeHome(test, workshopId, { 'notes.txt': 'changed' });
    await act(member, 'POST /gateway/workshop/stop', workshopId);
    await pass(test, 2);
    await act(member, 'POST /gateway/workshop/start', workshopId);
    await pass(test, 2);

    expect(await stateOf(test, workshopId)).toBe('RUNNING');
    expect(readHome(test, workshopId, 'notes.txt')).toBe('changed');
  });

  it('that was lived in takes no files of another image it is changed to', async () => {
    const { workshopId } = (await create(member, { imageId: 'shell' })).data;
    await pass(test, 2);
    await writeHome(test, workshopId, { 'notes.txt': 'mine' });
    await act(member, 'POST /gateway/workshop/stop', workshopId);
    await pass(test, 2);
    await test.as(member).send('POST /gateway/workshop/update', { body: { workshopId, imageId } });
    await act(member, 'POST /gateway/workshop/start', workshopId);
    await pass(test, 2);

    expect(await stateOf(test, workshopId)).toBe('RUNNING');
    expect(readHome(test, workshopId, 'notes.txt')).toBe('mine');
  });

  it('of somebody else needs it to be published, then and at no time after', async () => {
    const refused = await create(other);
    expect(refused).toFailWith('IMAGE_UNAVAILABLE');
    expect(refused.envelope.msg).toContain('no longer published');
    await publishImage(test, member, imageId);
    const { workshopId } = (await create(other)).data;
    await test.as(member).send('POST /gateway/image/publish', { body: { imageId, isPublished: false } });
    await pass(test, 2);

    expect(readHome(test, workshopId, 'notes.txt')).toBe('from the image');
  });

  it('starts as before after somebody else deleted the image, even the first time', async () => {
    await publishImage(test, member, imageId);
    const ran = (await create(other)).data.workshopId;
    const waits = (await create(other, { name: 'Waits', startNow: false })).data.workshopId;
    await pass(test, 2);
    await act(other, 'POST /gateway/workshop/stop', ran);
    await pass(test, 2);

    await test.as(member).send('POST /gateway/labImage/delete', { body: { imageId } });
    await test.services.imageSaves.sweep();
    for (const workshopId of [ran, waits]) await act(other, 'POST /gateway/workshop/start', workshopId);
    await pass(test, 2);

    for (const workshopId of [ran, waits]) {
      expect(await getView(test, other, workshopId)).toMatchObject({ state: 'RUNNING', image: { name: 'Course:v1' } });
      expect(readHome(test, workshopId, 'notes.txt')).toBe('from the image');
    }
    await test.services.imageSaves.sweep();
    expect((await stateOfImage(test, imageId)).archiveKey).toBeNull();
    expect(await create(other, { name: 'Too late' })).toFailWith('IMAGE_UNAVAILABLE');
  });

  it('fails with a sentence where the archive is lost, and starts from another image', async () => {
    const { archiveKey } = await stateOfImage(test, imageId);
    const { workshopId } = (await create(member)).data;
    await rm(join(test.config.dataDir, 'objects', String(archiveKey)));
    await pass(test, 2);

    const view = await getView(test, member, workshopId);
    expect(view).toMatchObject({ state: 'FAILED', failure: { code: 'IMAGE_FILES', isRetryable: true } });
    expect(view.failure?.hint).toContain('another image');
    await test.as(member).send('POST /gateway/workshop/update', { body: { workshopId, imageId: 'shell' } });
    await act(member, 'POST /gateway/workshop/start', workshopId);
    await pass(test, 2);
    expect(await stateOf(test, workshopId)).toBe('RUNNING');
  });

  it('of which there never was an image is refused', async () => {
    for (const unknown of ['nobody-knows', '01a1feb6-81a4-74d3-b05f-6186d564c386', "'; drop table workshop; --"]) {
      expect(await create(member, { imageId: unknown })).toFailWith('IMAGE_UNAVAILABLE');
    }
  });

  it('is told in its timeline when it is saved again, and the new image names the old one', async () => {
    const { workshopId } = (await create(member)).data;
    await pass(test, 2);
    const second = await buildImage(test, member, { workshopId, name: 'Second' });

    const { data } = await test.as(member).send('GET /gateway/labImage/detail', { query: { imageId: second } });
    expect(data.history).toMatchObject([{ imageId, name: 'Course', tag: 'v1', isMine: true, isThere: true }]);
    expect(data.base.imageId).toBe('shell');
    expect(await reasonsOf(test, workshopId)).toContain('IMAGE_SAVED');
  });
});

describe('at the same moment', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await buildTestApp();
  });
  afterAll(() => test.close());

  it('two saves under one name make one image', async () => {
    const member = await test.buildMember({ levelFlag: 3 });
    const ids = [0, 1].map(async () => (await test.buildWorkshop({ memberId: member.memberId })).workshopId);
    const replies = await Promise.all(
      (await Promise.all(ids)).map(async (workshopId) => {
        await test.engine.makeHome(workshopId);
        return test.as(member).send('POST /gateway/workshop/saveImage', { body: { workshopId, name: 'One', tag: 'v1' } });
      }),
    );

    expect(replies.map(({ envelope }) => envelope.code).sort()).toEqual([0, 40102]);
  });

  it('the last free place goes to one of two saves', async () => {
    const member = await test.buildMember();
    await buildImage(test, member);
    const workshopIds = [await newHome(member), await newHome(member)];
    const replies = await Promise.all(
      workshopIds.map((workshopId, index) =>
        test.as(member).send('POST /gateway/workshop/saveImage', { body: { workshopId, name: `Place ${index}`, tag: 'v1' } }),
      ),
    );

    expect(replies.map(({ envelope }) => envelope.code).sort()).toEqual([0, 40101]);
  });

  it('deleting an image and making a workshop from it never leaves a workshop without its files', async () => {
    for (let round = 0; round < 5; round += 1) {
      const member = await test.buildMember({ levelFlag: 3 });
      const imageId = await buildImage(test, member, { files: FILES });
      const body = { name: 'Raced', specId: 'cpu-half', imageId };
      const [made, gone] = await Promise.all([
        test.as(member).send('POST /gateway/workshop/create', { body }),
        test.as(member).send('POST /gateway/labImage/delete', { body: { imageId } }),
      ]);

      expect([made.envelope.success, gone.envelope.success].filter(Boolean)).toHaveLength(1);
      expect([made.envelope.code, gone.envelope.code].sort()).toEqual(made.envelope.success ? [0, 40103] : [0, 40004]);
    }
  });

  it('publishing and deleting an image leaves none that is published and gone', async () => {
    for (let round = 0; round < 5; round += 1) {
      const member = await test.buildMember({ levelFlag: 3 });
      const imageId = await buildImage(test, member);
      await test.db.updateTable('member').set({ isRealName: true }).where('id', '=', member.memberId).execute();
      await Promise.all([
        test.as(member).send('POST /gateway/image/publish', { body: { imageId, isPublished: true } }),
        test.as(member).send('POST /gateway/labImage/delete', { body: { imageId } }),
      ]);

      expect(await stateOfImage(test, imageId)).toMatchObject({ state: 'DELETED', publishedAt: null });
    }
  });

  it('ten stars of one member are one, and those of ten members ten', async () => {
    const owner = await test.buildMember({ levelFlag: 3 });
    const imageId = await buildImage(test, owner);
    await publishImage(test, owner, imageId);
    const members = await Promise.all(Array.from({ length: 10 }, () => test.buildMember()));
    const star = (who: TestMember) => test.as(who).send('POST /gateway/image/star', { body: { imageId, isStarred: true } });
    await Promise.all(Array.from({ length: 10 }, () => star(owner)));
    expect((await stateOfImage(test, imageId)).stars).toBe(1);

    await Promise.all(members.map(star));
    expect((await stateOfImage(test, imageId)).stars).toBe(11);
  });

  async function newHome({ memberId }: TestMember): Promise<string> {
    const { workshopId } = await test.buildWorkshop({ memberId });
    await test.engine.makeHome(workshopId);
    return workshopId;
  }
});
