import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { type HomeFilesProblem, listedMost } from './homeFiles';
import { type HomeFolderSubject, openHomeFolder, readText, WORKSHOP } from './testing/homeFolder';

const MEGABYTE = 1024 ** 2;
const isRoot = process.getuid?.() === 0;
const bytes = (text: string) => Readable.from([Buffer.from(text)], { objectMode: false });
const plain = { onConflict: 'refuse', limitBytes: 64 * MEGABYTE } as const;
const failing = (problem: HomeFilesProblem) => expect.objectContaining({ name: 'HomeFilesError', problem });

function countAgents(): number {
  const told = execFileSync('ps', ['axww', '-o', 'ppid=,args='], { encoding: 'utf8' });
  return told.split('\n').filter((line) => line.trim().startsWith(`${process.pid} `) && line.includes('readFileSync(3')).length;
}

async function agentsGone(): Promise<void> {
  const deadline = performance.now() + 5_000;
  while (countAgents() > 0 && performance.now() < deadline) await wait(20);
  expect(countAgents()).toBe(0);
}

describe.each([
  ['in a sandbox', true],
  ['without one', false],
])('the files of a home, by an agent %s', (_how, isSandboxed) => {
  let home: HomeFolderSubject;
  beforeAll(async () => {
    home = openHomeFolder({ isSandboxed });
    home.shell('mkdir inner');
    writeFileSync(join(home.outside, 'secret.txt'), 'secret');
    chmodSync(join(home.outside, 'secret.txt'), 0o666);
    chmodSync(home.outside, 0o777);
  });
  afterAll(() => home.close());

  const write = (path: string, text: string, options: object = {}) =>
    home.files.write(WORKSHOP, path, bytes(text), { ...plain, ...options });
  const hasPart = () => readdirSync(home.directory).some((name) => name.endsWith('.part'));
  const names = async (path = '') => (await home.files.list(WORKSHOP, path)).entries.map(({ name }) => name);

  it.each(['../outside/secret.txt', '/etc/passwd', 'inner/../../outside', 'a//b', './a', 'inner/..', 'a\0b'])(
    'takes no path out of it: %j',
    async (path) => {
      await expect(home.files.stat(WORKSHOP, path)).rejects.toEqual(failing('NAME_INVALID'));
      await expect(home.files.list(WORKSHOP, path)).rejects.toEqual(failing('NAME_INVALID'));
      await expect(write(path, 'x')).rejects.toEqual(failing('NAME_INVALID'));
      await expect(home.files.rename(WORKSHOP, 'inner', path)).rejects.toEqual(failing('NAME_INVALID'));
      await expect(home.files.delete(WORKSHOP, [path])).rejects.toEqual(failing('NAME_INVALID'));
    },
  );

  it('shows links and follows none', async () => {
    home.shell(`ln -s /etc/passwd direct; ln -s ${home.outside} folder; ln -s inner within`);

    expect((await home.files.list(WORKSHOP, '')).entries).toContainEqual(
      expect.objectContaining({ name: 'direct', kind: 'link', target: '/etc/passwd' }),
    );
    await expect(readText(home.files, 'direct')).resolves.toBe('');
    await expect(home.files.read(WORKSHOP, 'direct', { start: 0, end: 10 })).rejects.toEqual(failing('FORBIDDEN'));
    await expect(home.files.list(WORKSHOP, 'folder')).rejects.toEqual(failing('FORBIDDEN'));
    await expect(write('folder/new.txt', 'x')).rejects.toEqual(failing('FORBIDDEN'));
    await expect(write('within/new.txt', 'x')).rejects.toEqual(failing('FORBIDDEN'));
    await expect(write('direct', 'x', { onConflict: 'replace' })).rejects.toEqual(failing('EXISTS'));
    await home.files.delete(WORKSHOP, ['direct', 'folder', 'within']);
    expect(readdirSync(home.outside)).toEqual(['secret.txt']);
    expect(existsSync(join(home.directory, 'inner'))).toBe(true);
  });

  it('is not led out by a folder that is swapped for a link again and again', async () => {
    home.shell('mkdir swapped; echo mine > swapped/secret.txt; mkdir kept; echo mine > kept/secret.txt');
    const [swapped, aside] = [join(home.directory, 'swapped'), join(home.directory, 'aside')];
    let isLink = false;
    const swapping = setInterval(() => {
      if (isLink) {
        unlinkSync(swapped);
        renameSync(aside, swapped);
      } else {
        renameSync(swapped, aside);
        symlinkSync(home.outside, swapped);
      }
      isLink = !isLink;
    }, 1);
    const seen = new Set<string>();
    for (let round = 0; round < 100; round += 1) {
      const text = await home.files.read(WORKSHOP, 'swapped/secret.txt', { start: 0, end: 3 }).then(
        async (stream) => (await buffer(stream)).toString(),
        () => 'refused',
      );
      seen.add(text);
      // Unlike a write it makes no folder on the way, which would stand in the way of the swapping.
      await home.files.makeFolder(WORKSHOP, `swapped/new-${round}`).catch(() => undefined);
    }

    clearInterval(swapping);
    expect([...seen].filter((text) => text !== 'mine' && text !== 'refused')).toEqual([]);
    expect(readdirSync(home.outside)).toEqual(['secret.txt']);
    expect(readFileSync(join(home.outside, 'secret.txt'), 'utf8')).toBe('secret');
  });

  it('opens no pipe, no device and no file of another, however it is named', async () => {
    home.shell('mkfifo pipe');
    if (isRoot) execFileSync('mknod', [join(home.directory, 'zero'), 'c', '1', '5']);
    for (const name of isRoot ? ['pipe', 'zero'] : ['pipe']) {
      expect(await home.files.stat(WORKSHOP, name)).toMatchObject({ kind: 'other' });
      await expect(home.files.read(WORKSHOP, name, { start: 0, end: 1 })).rejects.toBeInstanceOf(Error);
    }
    // What only somebody without a sandbox could have put there.
    linkSync(join(home.outside, 'secret.txt'), join(home.directory, 'hard'));
    const hard = home.files.read(WORKSHOP, 'hard', { start: 0, end: 5 });
    if (isSandboxed) (await hard).resume();
    else await expect(hard).rejects.toEqual(failing('FORBIDDEN'));
    await home.files.delete(WORKSHOP, ['pipe', 'zero', 'hard']);
    expect(readFileSync(join(home.outside, 'secret.txt'), 'utf8')).toBe('secret');
  });

  it('keeps every name as it is, and shows none it could not ask for', async () => {
    const kept = [
      '中文 文件.txt',
      'ملف.csv',
      'קובץ',
      'ไฟล์',
      '🙂👩‍👩‍👧.png',
      'e\u0301',
      'a"b\'c$(x)`;|&.sh',
      '-rf',
      'x'.repeat(255),
    ];
    for (const name of kept) await write(`names/${name}`, name);
    home.shell(`cd names; printf x > "$(printf 'line\\nbreak')"; printf x > "$(printf 'not\\xff\\xfetext')"`);

    const { entries } = await home.files.list(WORKSHOP, 'names');

    expect(entries.map(({ name }) => name)).toEqual(expect.arrayContaining([...kept, 'line\nbreak']));
    expect(await readText(home.files, 'names/-rf')).toBe('-rf');
    expect(await readText(home.files, 'names/line\nbreak')).toBe('x');
    expect(entries.filter(({ kind }) => kind === 'other')).toHaveLength(1);
    await expect(write('names/line\nother', 'x')).rejects.toEqual(failing('NAME_INVALID'));
    await home.files.delete(WORKSHOP, ['names']);
    expect(await names()).not.toContain('names');
  });

  it('leaves nothing of an upload that is ended, fails or is too much', async () => {
    const cut = new PassThrough();
    const cutting = home.files.write(WORKSHOP, 'cut.bin', cut, plain);
    const refused = expect(cutting).rejects.toThrow('the browser went away');
    cut.write(Buffer.alloc(MEGABYTE));
    while (!hasPart()) await wait(5);
    cut.destroy(new Error('the browser went away'));
    await refused;
    const early = new PassThrough();
    early.destroy(new Error('gone before it began'));
    await expect(home.files.write(WORKSHOP, 'cut.bin', early, plain)).rejects.toThrow();
    await expect(write('large.bin', 'x'.repeat(1000), { limitBytes: 999 })).rejects.toEqual(failing('QUOTA'));

    expect(await names()).not.toEqual(expect.arrayContaining(['cut.bin']));
    while (hasPart()) await wait(5);
    expect(readdirSync(home.directory)).not.toEqual(expect.arrayContaining(['large.bin']));
  });

  it('lets one of two who saw the same version write, and tells the other', async () => {
    const { version } = await write('shared.txt', 'first');
    const both = ['one', 'two'].map((text) => write('shared.txt', text, { onConflict: 'replace', version }));

    const told = await Promise.allSettled(both);

    expect(told.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(told.find((one) => one.status === 'rejected')).toMatchObject({ reason: { problem: 'CHANGED' } });
    await expect(write('shared.txt', 'x', { version: null, onConflict: 'replace' })).rejects.toEqual(failing('EXISTS'));
    expect((await write('shared.txt', 'x', { onConflict: 'keepBoth' })).name).toBe('shared (2).txt');
  });

  it('deletes whole folders, whatever their depth and permissions, and nothing they only name', async () => {
    home.shell('mkdir doomed; cd doomed; for i in $(seq 300); do mkdir d; cd d; done; ln -s /etc up; touch f');
    home.shell('cd doomed; ln -s ../../outside out; mkdir locked; touch locked/f; chmod 000 locked');

    await home.files.delete(WORKSHOP, ['doomed', 'never there']);

    expect(await names()).not.toContain('doomed');
    expect(readFileSync(join(home.outside, 'secret.txt'), 'utf8')).toBe('secret');
    await expect(home.files.delete(WORKSHOP, [''])).rejects.toEqual(failing('FORBIDDEN'));
  });

  it('gives a folder as a zip that others open, with the same bytes and no links', async () => {
    const text = 'é中\n'.repeat(20_000);
    await write('course/notes/a.txt', text);
    await write('course/empty.txt', '');
    home.shell('ln -s /etc/passwd course/out; mkdir course/void');
    const folder = mkdtempSync(join(tmpdir(), 'atelier-zip-'));
    writeFileSync(join(folder, 'course.zip'), await buffer(await home.files.zip(WORKSHOP, 'course')));
    const script =
      'import zipfile,sys; z=zipfile.ZipFile("course.zip"); assert z.testzip() is None; z.extractall("out"); print(sorted(z.namelist()))';

    const listed = execFileSync('python3', ['-c', script], { cwd: folder, encoding: 'utf8' });

    expect(listed.trim()).toBe("['empty.txt', 'notes/', 'notes/a.txt', 'void/']");
    expect(readFileSync(join(folder, 'out', 'notes', 'a.txt'), 'utf8')).toBe(text);
    rmSync(folder, { recursive: true });
  });
});

describe('an agent', () => {
  it('sees the home as a lab does and cannot be told to look elsewhere, with ten thousand files in it', async () => {
    const home = openHomeFolder();
    home.shell('mkdir many; cd many; touch $(seq -f "file-%g" 10000)');
    symlinkSync(home.outside, join(home.directory, 'out'));

    const { entries, isCut } = await home.files.list(WORKSHOP, 'many');

    expect(entries).toHaveLength(listedMost);
    expect(isCut).toBe(true);
    expect(entries.slice(0, 3).map(({ name }) => name)).toEqual(['file-1', 'file-2', 'file-3']);
    await home.close();
  });

  it('ends soon after its last use, and with whoever started it', async () => {
    const home = openHomeFolder({ idleMs: 50 });
    await home.files.makeFolder(WORKSHOP, 'here');
    expect(countAgents()).toBe(1);

    await agentsGone();

    expect((await home.files.list(WORKSHOP, '')).entries).toHaveLength(1);
    await home.close();
    await agentsGone();
  });

  it('carries two hundred megabytes in and out with little memory, here and there', async () => {
    const home = openHomeFolder();
    const megabytes = process.env.ATELIER_DEEP ? 200 : 48;
    const block = randomBytes(MEGABYTE);
    await home.files.makeFolder(WORKSHOP, 'warm');
    global.gc?.();
    const before = process.memoryUsage().rss;
    const source = Readable.from(
      (function* () {
        for (let count = 0; count < megabytes; count += 1) yield block;
      })(),
      { objectMode: false },
    );

    await home.files.write(WORKSHOP, 'large.bin', source, { ...plain, limitBytes: megabytes * MEGABYTE });
    const hash = createHash('sha256');
    let most = 0;
    for await (const chunk of await home.files.read(WORKSHOP, 'large.bin', { start: 0, end: megabytes * MEGABYTE - 1 })) {
      hash.update(chunk);
      most = Math.max(most, process.memoryUsage().rss);
    }

    const told = execFileSync('ps', ['axww', '-o', 'rss=,args='], { encoding: 'utf8' });
    const agents = told.split('\n').filter((line) => line.includes('contained') && /^\s*\d+ \S*node /.test(line));
    expect(Math.max(...agents.map((line) => Number.parseInt(line, 10)))).toBeLessThan(130 * 1024);
    expect(most - before).toBeLessThan(64 * MEGABYTE);
    const expected = createHash('sha256');
    for (let count = 0; count < megabytes; count += 1) expected.update(block);
    expect(hash.digest('hex')).toBe(expected.digest('hex'));
    await home.close();
  });
});
