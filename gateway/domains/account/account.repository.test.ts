import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { sql } from 'kysely';
import { type DcuChangeKind, dcuChangeKinds } from '../../contract/account';
import { buildMember, buildWorkshop } from '../../testing/factories';
import { createTestDatabase, type TestDatabase } from '../../testing/testDatabase';
import { type ChangeFilter, pageChanges } from './account.repository';

const MINUTE = 60_000;
const START_MS = Date.parse('2036-03-01T10:00:00Z');

interface Change {
  kind: DcuChangeKind;
  minute: number;
  workshop: number;
}

/** Past the guards: this is about finding changes, whatever the books say they were. */
async function writeHistory(test: TestDatabase, changes: readonly Change[]) {
  const { memberId } = await buildMember(test.db, { remainDcuMicro: 0n });
  const engineInstanceId = randomUUID();
  const shelf = [0, 1];
  const workshopIds = await Promise.all(
    shelf.map(async () => (await buildWorkshop(test.db, { memberId, engineInstanceId })).workshopId),
  );
  const txIds: string[] = [];
  await test.db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx);
    for (const [n, { kind, minute, workshop }] of changes.entries()) {
      const at = new Date(START_MS + minute * MINUTE);
      const { rows } = await sql<{ id: bigint }>`
        with t as (insert into ledger_tx (kind, idem_key, ref_type, ref_id, created_at) values (${kind}, ${randomUUID()}, 'test', '0', ${at}) returning id),
        e as (insert into ledger_entry (tx_id, line, account_id, asset, amount, account_seq, balance_after, kind, at)
          select t.id, 1, account_id, 'DCU', 1, ${n + 1}::bigint, 1, ${kind}, ${at} from t, wallet where member_id = ${memberId} and asset = 'DCU'),
        s as (insert into usage_segment (session_id, seq, workshop_id, member_id, from_at, to_at, rate_micro_per_hour, price_version, micro, tx_id)
          select ${randomUUID()}, 1, ${workshopIds[workshop]}, ${memberId}, ${new Date(START_MS + n * MINUTE)}, ${new Date(START_MS + (n + 1) * MINUTE)}, 1, 1, 1, t.id
          from t where ${kind} = 'usage')
        select id from t`.execute(tx);
      txIds.push(String(rows[0]?.id));
    }
    await sql`update wallet set seq = ${changes.length} where member_id = ${memberId} and asset = 'DCU'`.execute(tx);
  });
  return { memberId, workshopIds, txIds };
}

describe('a page of balance changes', () => {
  let test: TestDatabase;
  beforeAll(async () => {
    test = await createTestDatabase();
  });
  afterAll(() => test.drop());

  it('holds what the filter leaves of the whole history, wherever it begins', async () => {
    const kind = fc.oneof({ weight: 2, arbitrary: fc.constant<DcuChangeKind>('usage') }, fc.constantFrom(...dcuChangeKinds));
    const change = fc.record({
      kind,
      minute: fc.integer({ min: 0, max: 12 }),
      workshop: fc.integer({ min: 0, max: 1 }),
    });
    const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null, freq: 2 });
    const ask = fc.record({
      kind: maybe(kind),
      from: maybe(fc.integer({ min: -1, max: 13 })),
      to: maybe(fc.integer({ min: -1, max: 13 })),
      workshop: maybe(fc.integer({ min: 0, max: 1 })),
      offset: fc.integer({ min: 0, max: 20 }),
      size: fc.integer({ min: 1, max: 12 }),
    });
    const histories = fc.tuple(fc.array(change, { maxLength: 30 }), fc.array(ask, { minLength: 12, maxLength: 12 }));
    await fc.assert(
      fc.asyncProperty(histories, async ([unordered, asks]) => {
        // The books are written in the order of time.
        const changes = [...unordered].sort((one, other) => one.minute - other.minute);
        const { memberId, workshopIds, txIds } = await writeHistory(test, changes);
        for (const { kind, from, to, workshop, offset, size } of asks) {
          const instant = (minute: number | null) => (minute === null ? null : new Date(START_MS + minute * MINUTE));
          const filter: ChangeFilter = {
            ...{ memberId, kind, from: instant(from), to: instant(to) },
            workshopId: workshop === null ? null : (workshopIds[workshop] ?? null),
          };
          const matching = changes
            .map((one, n) => ({ ...one, txId: txIds[n] }))
            .filter((one) => kind === null || one.kind === kind)
            .filter((one) => (from === null || one.minute >= from) && (to === null || one.minute < to))
            .filter((one) => workshop === null || (one.kind === 'usage' && one.workshop === workshop))
            .reverse();

          const { rows, total } = await pageChanges(test.db, filter, { offset, size });

          expect(total).toBe(matching.length);
          expect(rows.map((row) => String(row.txId))).toEqual(matching.slice(offset, offset + size).map((one) => one.txId));
        }
      }),
      { numRuns: process.env.ATELIER_DEEP ? 200 : 15 },
    );
  });
});
