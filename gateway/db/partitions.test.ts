import { sql } from 'kysely';
import { createTestDatabase, setTestNow, type TestDatabase } from '../testing/testDatabase';
import { dropOldPartitions, ensurePartitions } from './partitions';

describe('monthly partitions', () => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await createTestDatabase();
    await setTestNow(database.db, new Date('2026-11-20T10:00:00Z'));
  });
  afterEach(() => database.drop());

  async function insertMetric(at: string): Promise<void> {
    await sql`insert into lab_metric values (gen_random_uuid(), gen_random_uuid(), ${at}::timestamptz, 1, 1, 1, 1)`.execute(
      database.db,
    );
  }
  async function partitionsOfRows(): Promise<string[]> {
    const { rows } = await sql<{ name: string }>`select tableoid::regclass::text as name from lab_metric order by at`.execute(
      database.db,
    );
    return rows.map(({ name }) => name);
  }

  it('are made ahead over the turn of the year, once', async () => {
    expect(await ensurePartitions(database.db)).toBe(12);
    expect(await ensurePartitions(database.db)).toBe(0);
    await insertMetric('2026-11-30T23:59:59.999Z');
    await insertMetric('2026-12-01T00:00:00Z');
    await insertMetric('2027-01-31T23:00:00Z');
    await insertMetric('2027-02-01T00:00:00Z');

    expect(await partitionsOfRows()).toEqual([
      'lab_metric_2026_11',
      'lab_metric_2026_12',
      'lab_metric_2027_01',
      'lab_metric_default',
    ]);
  });

  it('take over what the default partition caught before they were', async () => {
    await insertMetric('2026-11-20T09:00:00Z');
    await insertMetric('2026-10-20T09:00:00Z');

    await ensurePartitions(database.db);

    expect(await partitionsOfRows()).toEqual(['lab_metric_default', 'lab_metric_2026_11']);
  });

  it('are made once by two gateways at the same time', async () => {
    const made = await Promise.all([ensurePartitions(database.db), ensurePartitions(database.db)]);

    expect(made.sort()).toEqual([0, 12]);
  });

  it('go when every row in them is too old, and no sooner', async () => {
    await ensurePartitions(database.db);
    await insertMetric('2026-11-30T00:00:00Z');
    await insertMetric('2026-08-01T00:00:00Z');
    await setTestNow(database.db, new Date('2027-02-28T23:00:00Z'));
    expect(await dropOldPartitions(database.db, 'lab_metric', 90)).toEqual([]);
    expect(await partitionsOfRows()).toEqual(['lab_metric_2026_11']);

    await setTestNow(database.db, new Date('2027-03-01T01:00:00Z'));

    expect(await dropOldPartitions(database.db, 'lab_metric', 90)).toEqual(['lab_metric_2026_11']);
    expect(await partitionsOfRows()).toEqual([]);
  });
});

describe('the months of an append-only table', () => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await createTestDatabase();
    await setTestNow(database.db, new Date('2026-11-20T10:00:00Z'));
  });
  afterEach(() => database.drop());

  async function insertEntry(at: string): Promise<void> {
    await sql`insert into audit_entry (id, at, actor_kind, action, result, code)
      values (gen_random_uuid(), ${at}::timestamptz, 'visitor', 'test', 'OK', 0)`.execute(database.db);
  }
  async function instantsBy(): Promise<string[]> {
    const { rows } = await sql<{ place: string }>`
      select tableoid::regclass || ' ' || to_char(at, 'YYYY-MM-DD') as place from audit_entry order by at`.execute(database.db);
    return rows.map(({ place }) => place);
  }

  it('take over what was caught before them, and stay guarded in every one', async () => {
    for (const at of ['2026-10-20T09:00:00Z', '2026-11-20T09:00:00Z', '2027-06-01T09:00:00Z']) await insertEntry(at);

    await ensurePartitions(database.db);

    expect(await instantsBy()).toEqual([
      'audit_entry_default 2026-10-20',
      'audit_entry_2026_11 2026-11-20',
      'audit_entry_default 2027-06-01',
    ]);
    for (const table of ['audit_entry', 'audit_entry_2026_11', 'audit_entry_default']) {
      for (const change of [`update ${table} set note = 'x'`, `delete from ${table}`, `truncate ${table}`]) {
        await expect(sql.raw(change).execute(database.db)).rejects.toThrow('is append-only');
      }
    }
  });

  it('go whole, and what was caught goes when it is too old', async () => {
    await insertEntry('2025-09-30T00:00:00Z');
    await ensurePartitions(database.db);
    await insertEntry('2026-11-30T23:00:00Z');
    await setTestNow(database.db, new Date('2028-01-04T23:00:00Z'));
    await insertEntry('2028-01-04T22:00:00Z');
    expect(await dropOldPartitions(database.db, 'audit_entry', 400)).toEqual([]);
    expect(await instantsBy()).toEqual(['audit_entry_2026_11 2026-11-30', 'audit_entry_default 2028-01-04']);

    await setTestNow(database.db, new Date('2028-01-05T01:00:00Z'));

    expect(await dropOldPartitions(database.db, 'audit_entry', 400)).toEqual(['audit_entry_2026_11']);
    expect(await instantsBy()).toEqual(['audit_entry_default 2028-01-04']);
  });
});
