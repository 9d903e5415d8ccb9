import { readNow } from '../db/client';
import { advance, clockOf, createTestDatabase, setTestNow, type TestDatabase } from './testDatabase';

const INSTANT = new Date('2026-03-01T08:00:00.250Z');

describe('a test database', () => {
  let first: TestDatabase;
  let second: TestDatabase;
  beforeAll(async () => {
    [first, second] = await Promise.all([createTestDatabase(), createTestDatabase()]);
  });
  afterAll(async () => {
    await Promise.all([first.drop(), second.drop()]);
  });

  it('carries every migration', async () => {
    const { rows } = await first.pool.query(
      `select to_regclass('wallet') is not null as wallet, to_regclass('workshop') is not null as workshop`,
    );

    expect(rows).toEqual([{ wallet: true, workshop: true }]);
  });

  it('is seen by nobody else', async () => {
    await first.pool.query('create table mine ()');

    const { rows } = await second.pool.query(`select to_regclass('mine') as mine`);

    expect(rows).toEqual([{ mine: null }]);
  });

  it('tells the time that was set, in SQL and in process', async () => {
    await setTestNow(first.db, INSTANT);
    const before = clockOf(first.db).monotonicMs();

    await advance(first.db, 1_500);

    expect(await readNow(first.db)).toEqual(new Date(INSTANT.getTime() + 1_500));
    expect(clockOf(first.db).nowMs()).toBe(INSTANT.getTime() + 1_500);
    expect(clockOf(first.db).monotonicMs()).toBe(before + 1_500);
    expect(Math.abs((await readNow(second.db)).getTime() - Date.now())).toBeLessThan(60_000);
  });
});
