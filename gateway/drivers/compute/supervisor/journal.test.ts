import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildLabSpec } from '../testing/labFixtures';
import { Journal, readJournal } from './journal';

jest.setTimeout(30_000);

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'atelier-journal-'));
  path = join(folder, 'journal.jsonl');
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

const end = { runningMs: 900, endReason: 'stopped', exitCode: 0, detail: '' } as const;
const seen = (runningMs: Record<string, number>) => ({ type: 'seen' as const, at: '2026-01-01T00:00:00.000Z', runningMs });

it('reads back what was appended', async () => {
  const [alive, ended, booked] = [buildLabSpec(), buildLabSpec(), buildLabSpec()];
  const journal = await Journal.open(path);
  for (const spec of [alive, ended, booked]) await journal.append({ type: 'start', spec });
  await journal.append(seen({ [alive.ref]: 700, [ended.ref]: 800 }), { type: 'lease', ref: alive.ref, leaseLimitMs: 999_000 });
  await journal.append({ type: 'end', ref: ended.ref, ...end }, { type: 'forget', refs: [booked.ref] });
  await journal.close();

  const state = await readJournal(path);

  expect([...state.labs.keys()]).toEqual([alive.ref, ended.ref]);
  expect(state.labs.get(alive.ref)).toMatchObject({ runningMs: 700, leaseLimitMs: 999_000, end: null });
  expect(state.labs.get(ended.ref)?.end).toEqual(end);
  expect(state.forgotten).toEqual([booked.ref]);
});

it('tolerates a torn last line at every byte of it', async () => {
  const spec = buildLabSpec();
  const journal = await Journal.open(path);
  await journal.append({ type: 'start', spec }, seen({ [spec.ref]: 500 }));
  await journal.close();
  const whole = readFileSync(path);
  const torn = Buffer.from(`${JSON.stringify(seen({ [spec.ref]: 1500 }))}\n`);

  for (let length = 0; length <= torn.length; length += 1) {
    writeFileSync(path, Buffer.concat([whole, torn.subarray(0, length)]));
    const read = (await readJournal(path)).labs.get(spec.ref)?.runningMs;
    expect(read).toBe(length >= torn.length - 1 ? 1500 : 500);
  }
});

it('never lets a sighting fall, whatever the order of its lines', async () => {
  const spec = buildLabSpec();
  const journal = await Journal.open(path);

  await journal.append({ type: 'start', spec }, seen({ [spec.ref]: 800 }), seen({ [spec.ref]: 300 }));
  await journal.close();

  expect((await readJournal(path)).labs.get(spec.ref)?.runningMs).toBe(800);
});

it('stays small however long it runs, and loses nothing by it', async () => {
  const spec = buildLabSpec();
  const journal = await Journal.open(path);
  await journal.append({ type: 'start', spec });
  const wide = Object.fromEntries(Array.from({ length: 10_000 }, (_item, index) => [`ws-${index}-g1`, 1]));

  for (let turn = 1; turn <= 60; turn += 1)
    await Promise.all([journal.append(seen({ ...wide, [spec.ref]: turn })), journal.append(seen({}))]);
  await journal.close();

  expect(statSync(path).size).toBeLessThan(5 * 1024 ** 2);
  expect((await readJournal(path)).labs.get(spec.ref)).toMatchObject({ runningMs: 60, spec });
});

it('confirms many appends at the same time, each once it is on disk', async () => {
  const specs = Array.from({ length: 50 }, () => buildLabSpec());
  const journal = await Journal.open(path);

  await Promise.all(
    specs.map(async (spec) => {
      await journal.append({ type: 'start', spec });
      expect(readFileSync(path, 'utf8')).toContain(spec.ref);
    }),
  );

  await journal.close();
});
