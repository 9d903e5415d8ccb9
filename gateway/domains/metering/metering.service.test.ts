import { advance, createTestDatabase, setTestNow, type TestDatabase } from '../../testing/testDatabase';
import { buildMeterWorld, type MeterWorld, RATE } from './meterWorld';

const MINUTE = 60_000;

let database: TestDatabase;
let world: MeterWorld;

beforeAll(async () => {
  database = await createTestDatabase();
  await setTestNow(database.db, new Date('2030-01-01T00:00:00Z'));
  world = await buildMeterWorld(database.db);
});
afterAll(() => database.drop());
afterEach(async () => expect(await world.breaches()).toEqual([]));

const see = (sessionId: string, runningMs: number) => world.metering.recordSightings([{ sessionId, runningMs }]);

it('charges a lab for its observed milliseconds and releases the rest of its hold', async () => {
  const memberId = await world.addMember();
  await world.grant(memberId, 10_000_000n);
  const sessionId = await world.start(memberId);
  expect(await world.metering.getBalance(memberId)).toEqual({
    postedMicro: 10_000_000n,
    accruedMicro: 0n,
    heldMicro: (RATE * 600_000n) / 3_600_000n,
  });

  await advance(database.db, 90_000);
  await see(sessionId, 83_123);
  await advance(database.db, 2_000);
  const end = await world.end(sessionId, 85_123);

  const charged = (RATE * 85_123n) / 3_600_000n;
  expect(end).toEqual({ stopReason: 'MEMBER', observedMs: 85_123n, chargedMicro: charged });
  expect(await world.metering.getBalance(memberId)).toEqual({
    postedMicro: 10_000_000n - charged,
    accruedMicro: 0n,
    heldMicro: 0n,
  });
  expect(await world.end(sessionId, 99_999)).toEqual(end);
});

it('extends leases that run low and closes a segment after an hour', async () => {
  const memberId = await world.addMember();
  await world.grant(memberId, 10_000_000n);
  const sessionId = await world.start(memberId);
  for (let minute = 1; minute <= 61; minute += 1) {
    await advance(database.db, MINUTE);
    await see(sessionId, minute * MINUTE);
    await world.metering.tick();
  }
  const session = await world.session(sessionId);
  expect(session.observedMs).toBe(BigInt(61 * MINUTE));
  expect(session.segmentSeq).toBe(1);
  expect(session.chargedMicro).toBe(RATE);
  expect(await world.metering.getBalance(memberId)).toMatchObject({ postedMicro: 10_000_000n - RATE, accruedMicro: RATE / 60n });
});

it('cuts a segment at the expiry of a lot and sends the remainder to breakage', async () => {
  const memberId = await world.addMember();
  const now = await advance(database.db, 0);
  await world.grant(memberId, 10_000_000n);
  await world.grant(memberId, 5_000_000n, new Date(now.getTime() + 30 * MINUTE));
  const sessionId = await world.start(memberId, 6_000_000n);
  for (let minute = 1; minute <= 40; minute += 1) {
    await advance(database.db, MINUTE);
    await see(sessionId, minute * MINUTE);
    await world.metering.tick();
    await database.db.transaction().execute((tx) => world.metering.expireLotsOf(tx, memberId));
  }
  await world.end(sessionId, 40 * MINUTE);
  const lots = await database.db.selectFrom('dcuLot').select('remaining').where('memberId', '=', memberId).orderBy('id').execute();
  expect(lots).toEqual([{ remaining: 9_000_000n }, { remaining: 0n }]);
  const kinds = await database.db
    .selectFrom('ledgerEntry')
    .innerJoin('wallet', 'wallet.accountId', 'ledgerEntry.accountId')
    .innerJoin('ledgerTx', 'ledgerTx.id', 'ledgerEntry.txId')
    .select(['ledgerTx.kind', 'ledgerEntry.amount'])
    .where('wallet.memberId', '=', memberId)
    .orderBy('ledgerEntry.accountSeq')
    .execute();
  expect(kinds.map(({ kind, amount }) => `${kind} ${amount}`)).toEqual([
    'grant 10000000',
    'grant 5000000',
    'usage -3000000',
    'expiry -2000000',
    'usage -1000000',
  ]);
});
