import fc from 'fast-check';
import { inTransaction } from '../../db/client';
import { createTestDatabase, setTestNow, type TestDatabase } from '../../testing/testDatabase';
import { buildMeterWorld, type MeterWorld } from './meterWorld';

const MINUTE = 60_000;
const START = Date.parse('2033-05-01T00:00:00Z');

describe('lots that end at one instant', () => {
  let database: TestDatabase;
  let world: MeterWorld;
  let nowMs = START;
  beforeAll(async () => {
    database = await createTestDatabase();
    await setTestNow(database.db, new Date(START));
    world = await buildMeterWorld(database.db);
  });
  afterAll(() => database.drop());
  afterEach(async () => expect(await world.breaches()).toEqual([]));

  async function pass(ms: number): Promise<void> {
    nowMs += ms;
    await setTestNow(database.db, new Date(nowMs));
  }

  const expireIdle = (memberIds: string[]) => inTransaction(database.db, (tx) => world.metering.expireIdleLots(tx, memberIds));
  const expireEach = (memberId: string) => inTransaction(database.db, (tx) => world.metering.expireLotsOf(tx, memberId));
  const entriesOf = async (memberId: string) => {
    const { accountId } = await world.ledger.readWallet(database.db, memberId);
    return database.db
      .selectFrom('ledgerEntry')
      .select(['kind', 'amount', 'accountSeq', 'balanceAfter', 'at'])
      .where('accountId', '=', accountId)
      .orderBy('accountSeq')
      .execute();
  };

  it('go for many members at once as they go for each alone', async () => {
    const lot = fc.record({ micro: fc.bigInt({ min: 1n, max: 9_000n }), minutes: fc.option(fc.integer({ min: 1, max: 9 })) });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(lot, { maxLength: 4 }), { minLength: 1, maxLength: 4 }), async (members) => {
        const pairs: { together: string; alone: string }[] = [];
        for (const lots of members) {
          const pair = { together: await world.addMember(), alone: await world.addMember() };
          for (const memberId of [pair.together, pair.alone]) {
            for (const { micro, minutes } of lots)
              await world.grant(memberId, micro, minutes === null ? null : new Date(nowMs + minutes * MINUTE));
          }
          pairs.push(pair);
        }
        await pass(5 * MINUTE);

        const { settled, expiredMicro } = await expireIdle(pairs.map((pair) => pair.together));
        let eachMicro = 0n;
        for (const { alone } of pairs) eachMicro += await expireEach(alone);

        expect(settled.sort()).toEqual(pairs.map((pair) => pair.together).sort());
        expect(expiredMicro).toBe(eachMicro);
        for (const { together, alone } of pairs) expect(await entriesOf(together)).toEqual(await entriesOf(alone));
      }),
      { numRuns: process.env.ATELIER_DEEP ? 100 : 10 },
    );
  });

  it('stay for a member who runs a lab, whose usage from before may still be reported', async () => {
    const [idle, running] = [await world.addMember(), await world.addMember()];
    for (const memberId of [idle, running]) await world.grant(memberId, 50_000_000n, new Date(nowMs + 20 * MINUTE));
    const sessionId = await world.start(running);
    await pass(21 * MINUTE);

    const { settled } = await expireIdle([idle, running]);

    expect(settled).toEqual([idle]);
    expect((await world.ledger.lotsOf(database.db, running)).map((lot) => lot.remaining)).toEqual([50_000_000n]);
    await world.end(sessionId, 0);
  });

  it('stay for a member of whom anything is held, whatever for, and go for all others', async () => {
    const [free, holding] = [await world.addMember(), await world.addMember()];
    for (const memberId of [free, holding]) await world.grant(memberId, 1_000n, new Date(nowMs + MINUTE));
    const hold = (micro: bigint) => inTransaction(database.db, (tx) => world.ledger.moveHolds(tx, new Map([[holding, micro]])));
    await hold(1n);
    await pass(2 * MINUTE);

    const { settled, expiredMicro } = await expireIdle([free, holding]);
    await hold(-1n);

    expect({ settled, expiredMicro }).toEqual({ settled: [free], expiredMicro: 1_000n });
  });

  it('are settled once, however often they are asked for, also after a part of them went', async () => {
    const memberId = await world.addMember();
    await world.grant(memberId, 50_000_000n, new Date(nowMs + 20 * MINUTE));
    const sessionId = await world.start(memberId);
    await pass(25 * MINUTE);
    const part = await expireEach(memberId);
    await world.end(sessionId, 0);

    const { expiredMicro } = await expireIdle([memberId]);
    const again = await expireIdle([memberId]);

    expect(part).toBeGreaterThan(0n);
    expect(part + expiredMicro).toBe(50_000_000n);
    expect(again.expiredMicro).toBe(0n);
  });
});
