import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import pino from 'pino';
import { createLocalObjectStorage } from '../../drivers/storage/localObjectStorage';
import { objectKeyOf } from '../../drivers/storage/objectKey';
import { buildTestApp, type TestApp } from '../../testing/buildTestApp';
import type { TestMember } from '../../testing/factories';
import { advance } from '../../testing/testDatabase';
import { reasonsOf } from '../workshop/testbed';
import { sumStoredBytes } from '../workshop/workshop.repository';
import { createWorkshopStateService } from '../workshop/workshopState.service';
import { createImageSaveService, type ImageSaveDeps } from './imageSave.service';
import { askToSave, buildFurnishedWorkshop, buildImage, saveAll, stateOfImage } from './imageWorld';

describe('saving an image', () => {
  let test: TestApp;
  let member: TestMember;
  beforeAll(async () => {
    test = await buildTestApp();
  });
  beforeEach(async () => {
    member = await test.buildMember({ levelFlag: 3 });
  });
  afterAll(() => test.close());

  const storage = () => createLocalObjectStorage({ folder: join(test.config.dataDir, 'objects'), clock: test.clock });
  const objects = async () =>
    (await readdir(join(test.config.dataDir, 'objects'), { recursive: true, withFileTypes: true }).catch(() => [])).filter(
      (entry) => entry.isFile(),
    );

  /** A second saver, as another gateway would be, with something of it replaced. */
  function saver(others: Partial<ImageSaveDeps>) {
    const { db, engine, services } = test;
    const own = {
      db,
      engine,
      storage: storage(),
      homes: services.homes,
      wallets: services.ledger,
      memberships: services.membership,
    };
    const states = createWorkshopStateService();
    return createImageSaveService({ ...own, states, storedBytes: sumStoredBytes, log: pino({ level: 'silent' }), ...others });
  }

  /** Homes whose archive begins and never ends. */
  function stuckHomes() {
    const stream = new PassThrough();
    stream.write('begun');
    return { ...test.services.homes, pack: async () => ({ stream, counts: () => ({ files: 0, leftOut: 0 }) }) };
  }

  async function until(isTrue: () => Promise<boolean>): Promise<void> {
    while (!(await isTrue())) await new Promise((resolve) => setTimeout(resolve, 20));
  }

  it('that a crash interrupted is begun anew by whoever claims it once the claim has run out, and leaves one archive', async () => {
    const { imageId } = await askToSave(test, member, await buildFurnishedWorkshop(test, member));
    const before = (await objects()).length;
    const crashed = saver({ homes: stuckHomes() });
    await crashed.runOnce();
    await until(async () => (await objects()).length > before);
    // What a crash of that gateway leaves: a claim nobody renews, and a temporary file.
    await test.db.updateTable('labImage').set({ claimId: null }).where('id', '=', imageId).execute();
    await crashed.drain();

    expect(await test.services.imageSaves.runOnce()).toBe(0);
    await advance(test.db, 31_000);
    await saveAll(test);

    expect(await stateOfImage(test, imageId)).toMatchObject({ state: 'READY', attempts: 2 });
    expect((await objects()).length).toBe(before + 1);
  });

  it('stops within a moment of being cancelled and keeps nothing', async () => {
    const workshopId = await buildFurnishedWorkshop(test, member);
    const { imageId } = await askToSave(test, member, workshopId);
    const before = (await objects()).length;
    const busy = saver({ homes: stuckHomes() });
    await busy.runOnce();
    await until(async () => (await objects()).length > before);

    await test.as(member).send('POST /gateway/labImage/cancel', { body: { imageId } });
    await busy.drain();
    await busy.sweep();

    expect((await stateOfImage(test, imageId)).state).toBe('DELETED');
    expect((await objects()).length).toBe(before);
    expect(await reasonsOf(test, workshopId)).toContain('IMAGE_FAILED');
  });

  it('ended by a shutdown is begun anew at once, and the attempt does not count', async () => {
    const { imageId } = await askToSave(test, member, await buildFurnishedWorkshop(test, member));
    const before = (await objects()).length;
    const stopping = saver({ homes: stuckHomes() });
    await stopping.runOnce();
    await until(async () => (await objects()).length > before);
    await stopping.close();

    expect((await objects()).length).toBe(before);
    await saveAll(test);
    expect(await stateOfImage(test, imageId)).toMatchObject({ state: 'READY', attempts: 1 });
  });

  it('that fails again and again is given up with a sentence, and can be deleted', async () => {
    const workshopId = await buildFurnishedWorkshop(test, member);
    const { imageId } = await askToSave(test, member, workshopId);
    const failing = saver({ homes: { ...test.services.homes, pack: () => Promise.reject(new Error('no agent')) } });
    for (let attempt = 0; attempt < 3; attempt += 1) {
      await failing.runOnce();
      await failing.drain();
      await advance(test.db, 31_000);
    }

    const { data } = await test.as(member).send('GET /gateway/image/privateList');
    expect(data.list).toMatchObject([
      { imageId, state: 'FAILED', failure: { code: 'INTERRUPTED', hint: expect.stringContaining('again') } },
    ]);
    expect(await reasonsOf(test, workshopId)).toContain('IMAGE_FAILED');
    expect((await test.as(member).send('POST /gateway/labImage/delete', { body: { imageId } })).envelope.success).toBe(true);
  });

  it('of a workshop whose home is gone says so', async () => {
    const workshopId = await buildFurnishedWorkshop(test, member);
    const { imageId } = await askToSave(test, member, workshopId);
    await test.engine.deleteHome(workshopId);
    await saveAll(test);

    expect(await stateOfImage(test, imageId)).toMatchObject({ state: 'FAILED', failureCode: 'HOME_GONE' });
  });

  it('of more than the level keeps is given up and leaves nothing', async () => {
    member = await test.buildMember();
    const workshopId = await buildFurnishedWorkshop(test, member);
    const { imageId } = await askToSave(test, member, workshopId);
    const before = (await objects()).length;
    await test.db
      .updateTable('workshop')
      .set({ diskBytes: 5n * 1024n ** 3n - 10n })
      .where('id', '=', workshopId)
      .execute();
    await saveAll(test);

    expect(await stateOfImage(test, imageId)).toMatchObject({ state: 'FAILED', failureCode: 'STORAGE_LIMIT' });
    expect((await objects()).length).toBe(before);
  });

  it('counts to the level’s storage, so that a full one takes no further image and no further workshop', async () => {
    member = await test.buildMember();
    const imageId = await buildImage(test, member);
    await test.db
      .updateTable('labImage')
      .set({ archiveBytes: 5n * 1024n ** 3n })
      .where('id', '=', imageId)
      .execute();

    const body = { name: 'More', specId: 'cpu-half', imageId: 'shell' };
    expect(await test.as(member).send('POST /gateway/workshop/create', { body })).toFailWith('MEMBER_STORAGE_LIMIT');
    const workshopId = await buildFurnishedWorkshop(test, member);
    const save = { workshopId, name: 'More', tag: 'v1' };
    expect(await test.as(member).send('POST /gateway/workshop/saveImage', { body: save })).toFailWith('MEMBER_STORAGE_LIMIT');
  });

  it('is removed from the storage once it is deleted and no home is still to be filled from it', async () => {
    const imageId = await buildImage(test, member);
    const { archiveKey } = await stateOfImage(test, imageId);
    const body = { name: 'Waits', specId: 'cpu-half', imageId };
    const { workshopId } = (await test.as(member).send('POST /gateway/workshop/create', { body })).data;
    // As somebody else's workshop: one's own would refuse the deletion.
    const stranger = await test.buildMember();
    await test.db.updateTable('workshop').set({ memberId: stranger.memberId }).where('id', '=', workshopId).execute();
    await test.as(member).send('POST /gateway/labImage/delete', { body: { imageId } });
    await test.services.imageSaves.sweep();
    await (await storage().open(objectKeyOf(archiveKey ?? ''))).destroy();

    await test.as(stranger).send('POST /gateway/workshop/update', { body: { workshopId, imageId: 'shell' } });
    await test.services.imageSaves.sweep();
    await expect(storage().open(objectKeyOf(archiveKey ?? ''))).rejects.toThrow('no object');
    expect((await stateOfImage(test, imageId)).archiveKey).toBeNull();
  });
});
