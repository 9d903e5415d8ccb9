import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { createTestDatabase, type TestDatabase } from '../testing/testDatabase';
import { lockDataFolder } from './dataFolderLock';

const log = pino({ level: 'silent' });
const neverLost = () => {
  throw new Error('lost');
};

describe('the lock of a data folder', () => {
  let root: string;
  let dataDir: string;
  let one: TestDatabase;
  let other: TestDatabase;
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'atelier-lock-'));
    dataDir = await mkdtemp(join(root, 'data-'));
    [one, other] = await Promise.all([createTestDatabase(), createTestDatabase()]);
  });
  afterAll(async () => {
    await Promise.all([one.drop(), other.drop()]);
    await rm(root, { recursive: true, force: true });
  });

  const lock = (folder: string, database: TestDatabase) => lockDataFolder(folder, async () => database.url, log, neverLost);

  it('keeps a gateway on another database off the folder, by whatever path, until it is released', async () => {
    const link = join(root, 'link');
    await symlink(dataDir, link);
    const held = await lock(dataDir, one);

    await expect(lock(link, other)).rejects.toThrow(
      `Another gateway is running on ${link}; stop it first or set another DATA_DIR.`,
    );
    await held.release();

    await (await lock(link, other)).release();
  });

  it('does not touch the database of a folder in use', async () => {
    const held = await lock(dataDir, one);
    const reach = jest.fn(async () => other.url);

    await expect(lockDataFolder(dataDir, reach, log, neverLost)).rejects.toThrow('Another gateway is running');

    expect(reach).not.toHaveBeenCalled();
    await held.release();
  });

  it('lets go of the folder when the database cannot be had', async () => {
    const lost = async () => Promise.reject(new Error('no database'));
    await expect(lockDataFolder(dataDir, lost, log, neverLost)).rejects.toThrow('no database');

    await (await lock(dataDir, one)).release();
  });
});
