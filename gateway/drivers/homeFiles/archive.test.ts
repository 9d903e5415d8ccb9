import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { pack } from 'tar-stream';
import { isLinkFine } from './archive';
import { besideName } from './paths';
import { type HomeFolderSubject, openHomeFolder, readText, WORKSHOP } from './testing/homeFolder';

const LIMITS = { bytes: 1024 ** 2, entries: 50 };

type Entry = Parameters<ReturnType<typeof pack>['entry']>[0];

async function tarGz(entries: [Entry, string?][]): Promise<Buffer> {
  const tar = pack();
  for (const [header, content = ''] of entries) tar.entry(header, content);
  tar.finalize();
  const pieces: Buffer[] = [];
  for await (const piece of tar) if (Buffer.isBuffer(piece)) pieces.push(piece);
  return gzipSync(Buffer.concat(pieces));
}

describe('a home as an archive', () => {
  let home: HomeFolderSubject;
  beforeEach(() => {
    home = openHomeFolder();
  });
  afterEach(() => home.close());

  const unpack = (bytes: Buffer, limits = LIMITS) =>
    home.files.unpack(WORKSHOP, Readable.from([bytes], { objectMode: false }), limits);

  it('comes back as it was: bytes, permissions, times and the links that stay in it', async () => {
    home.shell(
      'mkdir -p src/deep; echo run > src/run.sh; chmod 755 src/run.sh; printf "%0300d" 0 > src/deep/中文🙂.txt; mkdir void',
    );
    home.shell(
      'ln -s run.sh src/again; ln -s /usr/bin/python3 python; ln -s /etc/passwd out; touch -d 2020-01-01T00:00:00Z src/run.sh',
    );
    const packed = await home.files.pack(WORKSHOP);
    const archive = await buffer(packed.stream);
    expect(packed.counts()).toEqual({ files: 2, leftOut: 1 });
    const other = openHomeFolder();

    const told = await other.files.unpack(WORKSHOP, Readable.from([archive], { objectMode: false }), LIMITS);

    expect(told).toMatchObject({ files: 2, bytes: 304 });
    expect((await other.files.list(WORKSHOP, '')).entries.map(({ name, target }) => [name, target])).toEqual([
      ['src', null],
      ['void', null],
      ['python', '/usr/bin/python3'],
    ]);
    expect(await readText(other.files, 'src/deep/中文🙂.txt')).toHaveLength(300);
    expect((await other.files.stat(WORKSHOP, 'src/run.sh')).modifiedAtMs).toBe(Date.UTC(2020, 0, 1));
    other.shell('test -x src/run.sh && test "$(cat src/again)" = run');
    await other.close();
  });

  it.each<{ what: string; header: Entry }>([
    { what: 'an absolute name', header: { name: '/etc/cron.d/x' } },
    { what: 'a name that climbs', header: { name: 'a/../../x' } },
    { what: 'a link that climbs', header: { name: 'a/link', type: 'symlink', linkname: '../../x' } },
    { what: 'a link elsewhere', header: { name: 'link', type: 'symlink', linkname: '/etc/passwd' } },
    { what: 'a link by way of programs', header: { name: 'link', type: 'symlink', linkname: '/usr/../etc/passwd' } },
    { what: 'a hard link', header: { name: 'hard', type: 'link', linkname: 'a.txt' } },
    { what: 'a device', header: { name: 'zero', type: 'character-device', devmajor: 1, devminor: 5 } },
    { what: 'a pipe', header: { name: 'pipe', type: 'fifo' } },
  ])('is refused with $what', async ({ header }) => {
    await expect(unpack(await tarGz([[header, header.type ? undefined : 'x']]))).rejects.toMatchObject({
      problem: 'ARCHIVE_REFUSED',
    });
  });

  it('is refused as a bomb: of bytes, of entries, of headers', async () => {
    const zeros = '0'.repeat(2 * LIMITS.bytes);
    const many = Array.from({ length: 60 }, (_one, index): [Entry, string] => [{ name: `f${index}` }, '']);

    await expect(unpack(await tarGz([[{ name: 'zeros' }, zeros]]))).rejects.toMatchObject({ problem: 'ARCHIVE_REFUSED' });
    await expect(unpack(await tarGz(many))).rejects.toMatchObject({ problem: 'ARCHIVE_REFUSED' });
    await expect(unpack(gzipSync(Buffer.alloc(50 * 1024 ** 2)))).rejects.toMatchObject({ problem: 'ARCHIVE_REFUSED' });
    await expect(unpack(Buffer.from('no archive at all'))).rejects.toMatchObject({ problem: 'ARCHIVE_REFUSED' });
    const whole = await tarGz([[{ name: 'whole.txt' }, 'x'.repeat(5_000)]]);
    await expect(unpack(whole.subarray(0, whole.length - 12))).rejects.toMatchObject({ problem: 'ARCHIVE_REFUSED' });
  });

  it('writes through no link that lies where it unpacks', async () => {
    home.shell('true');
    symlinkSync(home.outside, join(home.directory, 'out'));
    symlinkSync(join(home.outside, 'secret'), join(home.directory, 'file'));

    await expect(unpack(await tarGz([[{ name: 'out/x' }, 'x']]))).rejects.toBeInstanceOf(Error);
    await unpack(await tarGz([[{ name: 'file' }, 'mine']]));

    expect(readFileSync(join(home.directory, 'file'), 'utf8')).toBe('mine');
    expect(() => readFileSync(join(home.outside, 'secret'))).toThrow('ENOENT');
    expect(() => readFileSync(join(home.outside, 'x'))).toThrow('ENOENT');
  });
});

it.each<[string, string, boolean]>([
  ['a/b', '../c', true],
  ['a/b', '../../c', false],
  ['a', '/home/lab/x', true],
  ['a', '/home/lab/../x', false],
  ['a', '/home/labs', false],
  ['a', '/usr/bin/python3', true],
  ['a', '/proc/self/root', false],
  ['a', '', false],
])('a link at %s to %s stays within: %s', (path, target, isFine) => {
  expect(isLinkFine(path, target)).toBe(isFine);
});

it.each([
  ['notes.txt', 'notes (2).txt'],
  ['data.tar.gz', 'data (2).tar.gz'],
  ['.bashrc', '.bashrc (2)'],
  ['folder', 'folder (2)'],
])('the name beside %s is %s', (name, beside) => {
  expect(besideName(name, 2)).toBe(beside);
});
