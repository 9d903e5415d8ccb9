import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { readConfig } from '../config';
import { createTestDatabase, type TestDatabase } from '../testing/testDatabase';
import { createPool } from './client';
import { type OpenDatabase, openDatabase } from './openDatabase';

const neverLost = () => {
  throw new Error('lost');
};

describe('the connections of a gateway', () => {
  let dataDir: string;
  let test: TestDatabase;
  let database: OpenDatabase;
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'atelier-open-'));
    test = await createTestDatabase();
    const config = { ...readConfig({ DATA_DIR: dataDir }), databaseUrl: test.url };
    database = await openDatabase(config, pino({ level: 'silent' }), { onLost: neverLost, signal: new AbortController().signal });
  });
  afterAll(async () => {
    await database.close();
    await test.drop();
    await rm(dataDir, { recursive: true, force: true });
  });

  it('find the partitions of this month before anybody is served', async () => {
    const { rows } = await database.pool.query(
      `select to_regclass('workshop_event_' || to_char(app_now() at time zone 'UTC', 'YYYY_MM')) is not null as "isThere"`,
    );

    expect(rows).toEqual([{ isThere: true }]);
  });

  it('leave loops theirs when requests hold every one, and refuse a further request soon', async () => {
    const held = await Promise.all(Array.from({ length: database.pool.options.max ?? 0 }, () => database.pool.connect()));
    const startedMs = performance.now();

    const refused = expect(database.pool.query('select 1')).rejects.toThrow('timeout exceeded when trying to connect');
    expect((await database.loops.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    await refused;

    expect(performance.now() - startedMs).toBeLessThan(10_000);
    for (const client of held) client.release();
    expect((await database.pool.query('select 1')).rowCount).toBe(1);
  });

  it.each(['lock_timeout', 'statement_timeout', 'idle_in_transaction_session_timeout'])(
    'give loops a longer %s',
    async (setting) => {
      const ask = async (pool: typeof database.pool) =>
        (await pool.query('select extract(epoch from current_setting($1)::interval)::int as seconds', [setting])).rows[0].seconds;

      expect(await ask(database.loops.pool)).toBeGreaterThan(await ask(database.pool));
    },
  );

  it('do not wait for ever for a server that does not answer', async () => {
    const limitsMs = { connect: 50, lock: 0, statement: 0, idleInTransaction: 0 };
    const pool = createPool(test.url, { max: 1, limitsMs });
    const held = await pool.connect();

    await expect(pool.query('select 1')).rejects.toThrow('timeout exceeded when trying to connect');

    held.release();
    await pool.end();
  });
});
