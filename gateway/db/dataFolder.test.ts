import { mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StartRefused } from '../startRefused';
import { openDataFolder } from './dataFolder';

describe('the data folder', () => {
  let root: string;
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'atelier-folder-'));
  });
  afterAll(() => rm(root, { recursive: true, force: true }));

  it('is made with its parents, for its owner alone, and found again', async () => {
    const dataDir = join(root, 'a', 'b', 'c');

    await openDataFolder(dataDir);
    await openDataFolder(dataDir);

    expect((await stat(dataDir)).mode & 0o777).toBe(0o700);
  });

  it('may be a link to a folder', async () => {
    await symlink(root, join(root, 'link'));

    await expect(openDataFolder(join(root, 'link'))).resolves.toBeUndefined();
  });

  it('is refused, in one sentence, where a file is', async () => {
    const file = join(root, 'file');
    await writeFile(file, '');

    await expect(openDataFolder(file)).rejects.toEqual(new StartRefused(`DATA_DIR cannot be used: ${file} is a file.`));
    await expect(openDataFolder(join(file, 'below'))).rejects.toThrow(/^DATA_DIR cannot be used: ENOTDIR/);
  });

  it('is refused where no folder can be made', async () => {
    await expect(openDataFolder('/proc/nope/deeper')).rejects.toThrow(/^DATA_DIR cannot be used: ENOENT/);
  });
});
