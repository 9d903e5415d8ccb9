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
    expect(await ensurePartitions(database.db)).toBe(9);
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

    expect(made.sort()).toEqual([0, 9]);
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
