import { execFile } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { ArchiveBroken, readTarNames } from './tarNames';

const run = promisify(execFile);
const LONG = `${'long-folder-name/'.repeat(12)}${'x'.repeat(120)}`;

async function namesOf(source: Readable): Promise<string[]> {
  const names: string[] = [];
  for await (const { path, isFile } of readTarNames(source)) names.push(`${path}${isFile ? '' : ' (no file)'}`);
  return names;
}

describe('the names of an archive', () => {
  let folder: string;
  let home: string;
  let archive: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'atelier-tar-'));
    home = join(folder, 'home');
    archive = join(folder, 'home.tar.gz');
    await mkdir(join(home, LONG, '..'), { recursive: true });
    await writeFile(join(home, 'notes.txt'), 'a'.repeat(70_000));
    await writeFile(join(home, '数据.csv'), '');
    await writeFile(join(home, LONG), 'deep');
    await symlink('/etc/passwd', join(home, 'link'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it.each(['gnu', 'pax', 'posix'])('are those tar wrote as %s', async (format) => {
    await run('tar', ['-C', home, `--format=${format}`, '-czf', archive, '.']);

    const names = await namesOf(createReadStream(archive));

    expect(names).toEqual(expect.arrayContaining(['./notes.txt', './数据.csv', `./${LONG}`, './link (no file)', './ (no file)']));
    expect(names.filter((name) => !name.endsWith('(no file)'))).toHaveLength(3);
  });

  it('are none of an empty archive', async () => {
    expect(await namesOf(Readable.from([gzipSync(Buffer.alloc(1024))]))).toEqual([]);
  });

  it.each([
    ['that was cut', () => truncate(archive, 300).then(() => createReadStream(archive))],
    ['of nothing', async () => Readable.from([])],
    ['that is none', async () => Readable.from(['not compressed at all'])],
    ['without end', async () => Readable.from([gzipSync(Buffer.from('half a block'))])],
    ['whose sizes are no numbers', async () => Readable.from([gzipSync(Buffer.alloc(1024, 'z'))])],
  ])('are refused of an archive %s', async (_what, open) => {
    await run('tar', ['-C', home, '-czf', archive, '.']);

    await expect(open().then(namesOf)).rejects.toThrow(ArchiveBroken);
  });
});
