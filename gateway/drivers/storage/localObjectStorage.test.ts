import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { systemClock } from '../../clock';
import { createLocalObjectStorage } from './localObjectStorage';
import { newObjectKey, objectKeyOf } from './objectKey';
import { type ObjectKey, ObjectMissing, type ObjectStorage, ObjectTooLarge, type PutOptions } from './objectStorage';

const HOUR_MS = 3_600_000;
const patiently = (): PutOptions => ({ limitBytes: 1e9, signal: new AbortController().signal });

describe('the local object storage', () => {
  let folder: string;
  let storage: ObjectStorage;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'atelier-objects-'));
    storage = createLocalObjectStorage({ folder, clock: systemClock });
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const read = async (key: ObjectKey, range?: { from: number; to: number }) => buffer(await storage.open(key, range));
  const unfinished = () => readdir(join(folder, 'unfinished')).catch(() => []);
  const kept = async () => (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());

  it('keeps what it was given, with its size and SHA-256, for its owner alone', async () => {
    const content = randomBytes(300_000);
    const key = newObjectKey('images');

    const stored = await storage.put(key, Readable.from([content.subarray(0, 7), content.subarray(7)]), patiently());

    expect(stored).toEqual({ key, bytes: 300_000, sha256: createHash('sha256').update(content).digest() });
    expect((await read(key)).equals(content)).toBe(true);
    expect((await stat(join(folder, key))).mode & 0o777).toBe(0o600);
    expect((await stat(join(folder, 'images'))).mode & 0o777).toBe(0o700);
    expect(await unfinished()).toEqual([]);
  });

  it('tells how much is written after every piece', async () => {
    const told: number[] = [];
    await storage.put(newObjectKey('images'), Readable.from(['ab', 'cde']), {
      ...patiently(),
      onBytes: (bytes) => told.push(bytes),
    });

    expect(told).toEqual([2, 5]);
  });

  it.each([
    [{ from: 0, to: 0 }, 'a'],
    [{ from: 2, to: 4 }, 'cde'],
    [{ from: 5, to: 5 }, 'f'],
  ])('gives the part %j alone', async (range, part) => {
    const { key } = await storage.put(newObjectKey('images'), Readable.from(['abcdef']), patiently());

    expect((await read(key, range)).toString()).toBe(part);
  });

  it('keeps an empty object', async () => {
    const { key, bytes } = await storage.put(newObjectKey('images'), Readable.from([]), patiently());

    expect([bytes, (await read(key)).length]).toEqual([0, 0]);
  });

  it('gives to its end what is deleted while it is read, and then says it is missing', async () => {
    const { key } = await storage.put(newObjectKey('images'), Readable.from(['abcdef']), patiently());
    const reading = await storage.open(key);
    await storage.delete(key);

    expect((await buffer(reading)).toString()).toBe('abcdef');
    await expect(storage.open(key)).rejects.toThrow(ObjectMissing);
    await expect(storage.delete(key)).resolves.toBeUndefined();
  });

  it('keeps nothing beyond the limit', async () => {
    const put = storage.put(newObjectKey('images'), Readable.from(['abc', 'def']), { ...patiently(), limitBytes: 5 });

    await expect(put).rejects.toThrow(ObjectTooLarge);
    expect(await kept()).toEqual([]);
  });

  it('keeps nothing of a source that breaks off', async () => {
    const source = Readable.from(
      (function* () {
        yield 'half';
        throw new Error('broke off');
      })(),
    );

    await expect(storage.put(newObjectKey('images'), source, patiently())).rejects.toThrow('broke off');
    expect(await kept()).toEqual([]);
  });

  it('keeps nothing when aborted, though its source never says another word', async () => {
    const abort = new AbortController();
    const source = new Readable({ read: () => undefined });
    source.push('half');
    const put = storage.put(newObjectKey('images'), source, {
      limitBytes: 100,
      signal: abort.signal,
      onBytes: () => abort.abort(new Error('cancelled by the member')),
    });

    await expect(put).rejects.toThrow('cancelled by the member');
    expect(source.destroyed).toBe(true);
    expect(await kept()).toEqual([]);
  });

  it('begins nothing under a signal that was aborted before', async () => {
    const signal = AbortSignal.abort(new Error('too late'));

    await expect(storage.put(newObjectKey('images'), Readable.from(['a']), { limitBytes: 9, signal })).rejects.toThrow('too late');
    expect(await kept()).toEqual([]);
  });

  it('has after a crash the whole object or something the sweep removes, and sweeps nothing that is being written', async () => {
    const { key } = await storage.put(newObjectKey('images'), Readable.from(['whole']), patiently());
    const left = join(folder, 'unfinished', 'left-by-a-crash');
    await writeFile(left, 'half');
    await writeFile(join(folder, 'unfinished', 'being-written'), 'half');
    const longAgo = new Date(systemClock.nowMs() - 2 * HOUR_MS);
    await utimes(left, longAgo, longAgo);

    expect(await storage.sweep(HOUR_MS)).toBe(1);
    expect(await unfinished()).toEqual(['being-written']);
    expect((await read(key)).toString()).toBe('whole');
    expect(await storage.sweep(HOUR_MS)).toBe(0);
  });

  it('sweeps a folder that was never made', async () => {
    expect(await createLocalObjectStorage({ folder: join(folder, 'none'), clock: systemClock }).sweep(0)).toBe(0);
  });

  it.each(['../../etc/passwd', 'images/ab/../../x', '/etc/passwd', 'images/ab/x', '', 'images/ab/\u0000'])(
    'takes no key but its own: %j',
    async (text) => {
      const key = text as ObjectKey;
      expect(() => objectKeyOf(text)).toThrow(RangeError);
      await expect(storage.open(key)).rejects.toThrow(RangeError);
      await expect(storage.delete(key)).rejects.toThrow(RangeError);
      await expect(storage.put(key, Readable.from(['a']), patiently())).rejects.toThrow(RangeError);
    },
  );

  it('writes into no file that somebody else put in its way', async () => {
    const outside = join(folder, 'outside');
    await writeFile(outside, 'untouched');
    const { key } = await storage.put(newObjectKey('images'), Readable.from(['a']), patiently());
    await rm(join(folder, key));
    await symlink(outside, join(folder, key));

    await storage.put(key, Readable.from(['new']), patiently());

    expect((await read(key)).toString()).toBe('new');
    expect(await readFile(outside, 'utf8')).toBe('untouched');
  });
});
