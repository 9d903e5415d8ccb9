import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestClock } from '../../testing/testClock';
import { createOutboxSmsSender } from './outboxSmsSender';
import { describeSmsSender, type SmsHarness } from './smsSender.suite';

async function openOutbox(): Promise<SmsHarness & { folder: string }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'atelier-outbox-'));
  const folder = join(dataDir, 'outbox');
  const clock = createTestClock();
  clock.set(new Date('2026-03-01T08:00:00Z'));
  return {
    folder,
    sender: createOutboxSmsSender({ dataDir, clock }),
    async received() {
      const names = (await readdir(folder)).filter((name) => name.endsWith('.json')).sort();
      return Promise.all(names.map(async (name) => JSON.parse(await readFile(join(folder, name), 'utf8'))));
    },
    nowMs: () => clock.nowMs(),
    passMs: (ms) => clock.set(new Date(clock.nowMs() + ms)),
    break: () => writeFile(folder, 'a file where the folder should be'),
    close: () => rm(dataDir, { recursive: true, force: true }),
  };
}

describeSmsSender('outbox', openOutbox);

describe('the outbox', () => {
  it('is readable by its owner alone and holds whole files only', async () => {
    const { sender, folder, close } = await openOutbox();

    await sender.send({ to: '+8613800138000', scene: 'register', text: 'x', code: '123456' });

    const [name = '', ...others] = await readdir(folder);
    expect(others).toEqual([]);
    expect(name).toMatch(/^\d{13}-[0-9a-f-]{36}\.json$/);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600);
    expect(Object.keys(JSON.parse(await readFile(join(folder, name), 'utf8')))).toEqual([
      'channel',
      'to',
      'scene',
      'text',
      'code',
      'at',
    ]);
    await close();
  });

  it('purges what a killed gateway left unfinished and leaves foreign files alone', async () => {
    const { sender, folder, passMs, nowMs, close } = await openOutbox();
    await sender.send({ to: '+8613800138000', scene: 'login', text: 'x', code: '123456' });
    await writeFile(join(folder, `${nowMs()}-unfinished.part`), '{"chan');
    await writeFile(join(folder, 'README'), 'kept');

    passMs(25 * 3_600_000);

    expect(await sender.purge()).toBe(2);
    expect(await readdir(folder)).toEqual(['README']);
    await close();
  });
});
