import { sql } from 'kysely';
import { sqlState } from '../../db/client';
import { createTestDatabase, setTestNow, type TestDatabase } from '../../testing/testDatabase';
import { buildMeterWorld, type MeterWorld } from '../metering/meterWorld';
import { commerceInvariants } from './commerceInvariants';
import { checkInvariants, inspectBooks } from './invariants';
import { paymentInvariants } from './paymentInvariants';

const MINUTE = 60_000;
let nowMs = Date.parse('2034-01-01T00:00:00Z');
let database: TestDatabase;
let world: MeterWorld;
let memberId: string;

beforeAll(async () => {
  database = await createTestDatabase();
  world = await buildMeterWorld(database.db);
  await setTestNow(database.db, new Date(nowMs));
  memberId = await world.addMember();
  await world.grant(memberId, 10_000_000n);
  const ended = await world.start(memberId);
  const open = await world.start(memberId);
  for (const minute of [1, 2, 3]) {
    nowMs += MINUTE;
    await setTestNow(database.db, new Date(nowMs));
    await world.metering.recordSightings([ended, open].map((sessionId) => ({ sessionId, runningMs: minute * MINUTE })));
    await database.db.transaction().execute((tx) => world.metering.settleMember(tx, memberId));
  }
  await world.end(ended, 3 * MINUTE);
});
afterAll(() => database.drop());

class RolledBack extends Error {}

/** What verify says of the books after a corruption that no guard sees; the corruption is rolled back. */
async function brokenBy(corruption: string): Promise<string[]> {
  let broken: string[] = [];
  const work = database.db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx);
    for (const table of ['wallet', 'lab_session', 'usage_segment']) {
      const checks = await sql<{
        name: string;
      }>`select conname as name from pg_constraint where conrelid = ${table}::regclass and contype = 'c'`.execute(tx);
      for (const { name } of checks.rows) await sql`alter table ${sql.table(table)} drop constraint ${sql.id(name)}`.execute(tx);
    }
    await sql`alter table usage_segment drop constraint usage_segment_workshop_id_tstzrange_excl`.execute(tx);
    await sql.raw(corruption).execute(tx);
    const results = await inspectBooks(tx);
    broken = results.filter(({ breaches }) => breaches.length > 0).map(({ name }) => name.split('.')[0] ?? name);
    throw new RolledBack();
  });
  await expect(work).rejects.toThrow(RolledBack);
  return broken;
}

it('finds sound books sound, and looks at rows for every invariant of books and meters', async () => {
  const results = await checkInvariants(database.db);
  expect(results.flatMap(({ breaches }) => breaches)).toEqual([]);
  const bare = results.filter(({ rows }) => rows === 0).map(({ name }) => name);
  expect(bare).toEqual([...commerceInvariants, ...paymentInvariants].map(({ name }) => name));
});

it.each([
  ['1', 'an entry changed', `update ledger_entry set amount = amount + 1 where line = 2`],
  ['1', 'a transaction without entries', `insert into ledger_tx (kind, idem_key, ref_type, ref_id) values ('gift', 'x', 'x', 'x')`],
  ['2', 'an entry lost', `delete from ledger_entry where line = 2 and tx_id = (select min(tx_id) from ledger_entry)`],
  ['3', 'a wallet moved alone', `update wallet set posted = posted + 1`],
  [
    '4',
    'a gap in a wallet’s entries',
    `update ledger_entry set account_seq = account_seq + 1 where account_seq = (select max(account_seq) from ledger_entry)`,
  ],
  ['5', 'a lot refilled', `update dcu_lot set remaining = remaining + 1`],
  ['5', 'lot use lost', `delete from lot_use where tx_id = (select max(tx_id) from lot_use)`],
  ['6', 'a hold released alone', `update wallet set held = held - 1`],
  ['7', 'more held than posted', `update wallet set posted = held - 1`],
  [
    '8a',
    'a second bill for the same time',
    `insert into usage_segment select session_id, seq + 100, workshop_id, member_id, from_at, to_at, rate_micro_per_hour, price_version, 0, null from usage_segment limit 1`,
  ],
  ['8b', 'a segment lost', `delete from usage_segment where seq = 2`],
  ['8c', 'a session charged too much', `update lab_session set charged_micro = charged_micro + 1`],
  ['8c', 'charged beyond what was observed', `update lab_session set observed_ms = 0`],
  ['9', 'a usage transaction without its segment', `update usage_segment set tx_id = null where seq = 1`],
  ['10', 'an ended session that still holds', `update lab_session set held_micro = 1 where ended_at is not null`],
  [
    'lease',
    'a lease longer than its hold',
    `update lab_session set lease_limit_ms = lease_limit_ms + 60000 where ended_at is null`,
  ],
  [
    '17',
    'a lot nobody granted',
    `insert into dcu_lot (member_id, origin_tx_id, source, granted, remaining, granted_at) select member_id, 999999, 'gift', 1, 1, granted_at from dcu_lot limit 1`,
  ],
])('turns invariant %s red at %s', async (invariant, _words, corruption) => {
  expect(await brokenBy(corruption)).toContain(invariant);
});

describe('the database itself refuses', () => {
  const account = `(select account_id from wallet where asset = 'DCU' limit 1)`;
  const platform = `(select id from ledger_account where purpose = 'gift' and asset = 'DCU')`;
  const insertTx = `insert into ledger_tx (kind, idem_key, ref_type, ref_id) values ('adjust', 'guard', 'x', 'x') returning id, kind, created_at`;
  const insertEntries = (lines: string) =>
    `with tx as (${insertTx}) insert into ledger_entry (tx_id, line, account_id, asset, amount, account_seq, balance_after, kind, at) ${lines}`;

  it.each([
    ['a transaction without entries', insertTx, '23514'],
    [
      'one that does not balance',
      insertEntries(
        `select id, 1, ${platform}, 'DCU', 5, null::bigint, null::bigint, kind, created_at from tx union all select id, 2, (select id from ledger_account where purpose = 'usage' and asset = 'DCU'), 'DCU', -4, null, null, kind, created_at from tx`,
      ),
      '23514',
    ],
    [
      'one with a single entry',
      insertEntries(`select id, 1, ${platform}, 'DCU', 5, null::bigint, null::bigint, kind, created_at from tx`),
      '23514',
    ],
    [
      'an entry added to an old transaction, even in balance',
      `insert into ledger_entry select tx_id, line + 2, ${platform}, asset, case line when 1 then 3 else -3 end, null, null, kind, at from ledger_entry where tx_id = (select min(tx_id) from ledger_entry)`,
      '23514',
    ],
    [
      'a wallet entry that does not move the wallet',
      insertEntries(
        `select id, 1, ${account}, 'DCU', 5, (select seq + 1 from wallet where asset = 'DCU' limit 1), (select posted + 5 from wallet where asset = 'DCU' limit 1), kind, created_at from tx union all select id, 2, ${platform}, 'DCU', -5, null::bigint, null::bigint, kind, created_at from tx`,
      ),
      '23514',
    ],
    [
      'a wallet entry without a sequence',
      insertEntries(
        `select id, 1, ${account}, 'DCU', 5, null::bigint, null::bigint, kind, created_at from tx union all select id, 2, ${platform}, 'DCU', -5, null::bigint, null::bigint, kind, created_at from tx`,
      ),
      '23514',
    ],
    [
      'an entry in another asset than its account',
      insertEntries(
        `select id, 1, ${platform}, 'POINT', 5, null::bigint, null::bigint, kind, created_at from tx union all select id, 2, ${platform}, 'POINT', -5, null::bigint, null::bigint, kind, created_at from tx`,
      ),
      '23503',
    ],
    ['a wallet moved without an entry', `update wallet set posted = posted + 1`, '23514'],
    ['a wallet removed', `delete from wallet`, '23001'],
    ['an overdraft of the hold', `update wallet set held = posted + 1`, '23514'],
    ['a changed entry', `update ledger_entry set amount = amount`, '23001'],
    ['a deleted transaction', `delete from ledger_tx`, '23001'],
    ['an emptied ledger', `truncate ledger_tx cascade`, '23001'],
    ['a changed segment', `update usage_segment set micro = micro`, '23001'],
    ['a lot that grows', `update dcu_lot set remaining = remaining + 1 where remaining < granted`, '23514'],
    ['a lot that shrinks without its use', `update dcu_lot set remaining = remaining - 1 where remaining > 0`, '23514'],
    ['a lot whose expiry moves', `update dcu_lot set expires_at = granted_at + interval '1 day'`, '23514'],
    [
      'lot use without its posting',
      `insert into lot_use select (select min(id) from ledger_tx), (select min(id) from dcu_lot), 1`,
      '23514',
    ],
    [
      'time billed twice',
      `insert into usage_segment select session_id, seq + 100, workshop_id, member_id, from_at, to_at, rate_micro_per_hour, price_version, 0, null from usage_segment limit 1`,
      '23P01',
    ],
    [
      'a lease longer than its hold',
      `update lab_session set lease_limit_ms = lease_limit_ms + 60000 where ended_at is null`,
      '23514',
    ],
    ['run time beyond the lease', `update lab_session set observed_ms = lease_limit_ms + 1 where ended_at is null`, '23514'],
  ])('%s', async (_words, statement, state) => {
    const error: unknown = await sql
      .raw(statement)
      .execute(database.db)
      .then(
        () => null,
        (reason: unknown) => reason,
      );
    expect([sqlState(error), error instanceof Error ? error.message : 'nothing was refused']).toEqual([state, expect.any(String)]);
  });
});
