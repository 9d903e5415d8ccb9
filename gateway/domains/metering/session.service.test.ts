import { inTransaction } from '../../db/client';
import { createTestDatabase, setTestNow, type TestDatabase } from '../../testing/testDatabase';
import { buildMeterWorld, type MeterWorld } from './meterWorld';

const MINUTE = 60_000;
const UNIT = 3_600_000n;

let database: TestDatabase;
let world: MeterWorld;
let nowMs = Date.parse('2035-01-01T00:00:00Z');

beforeAll(async () => {
  database = await createTestDatabase();
  await setTestNow(database.db, new Date(nowMs));
  world = await buildMeterWorld(database.db);
});
afterAll(() => database.drop());
afterEach(async () => expect(await world.breaches()).toEqual([]));

async function pass(ms: number): Promise<void> {
  nowMs += ms;
  await setTestNow(database.db, new Date(nowMs));
}
const see = (sessionId: string, runningMs: number) => world.metering.recordSightings([{ sessionId, runningMs }]);
const expire = (memberId: string) => inTransaction(database.db, (tx) => world.metering.expireLotsOf(tx, memberId));
const posted = async (memberId: string) => (await world.metering.getBalance(memberId)).postedMicro;

async function memberWith(...grants: [bigint, number | null][]): Promise<string> {
  const memberId = await world.addMember();
  for (const [micro, lastsMs] of grants) await world.grant(memberId, micro, lastsMs === null ? null : new Date(nowMs + lastsMs));
  return memberId;
}

it('never charges beyond the lease, whatever the engine reports', async () => {
  const memberId = await memberWith([100_000_000n, null]);
  const sessionId = await world.start(memberId, UNIT);
  await pass(60 * MINUTE);
  await see(sessionId, 60 * MINUTE);
  expect((await world.session(sessionId)).observedMs).toBe(BigInt(10 * MINUTE));
  expect(await world.end(sessionId, 61 * MINUTE, 'LEASE')).toMatchObject({
    observedMs: BigInt(10 * MINUTE),
    chargedMicro: 600_000n,
  });
});

it('tells an exhausted balance from a lease that lapsed with money left', async () => {
  const poor = await memberWith([659_999n, null]);
  const rich = await memberWith([660_000n, null]);
  const ends = [];
  for (const memberId of [poor, rich]) {
    const sessionId = await world.start(memberId, UNIT);
    await pass(10 * MINUTE);
    ends.push((await world.end(sessionId, 10 * MINUTE, 'LEASE')).stopReason);
  }
  expect(ends).toEqual(['BALANCE_EXHAUSTED', 'LEASE_LAPSED']);
});

it('does not count what expires within a minute as money left', async () => {
  const memberId = await memberWith([59_999n, null], [50_000_000n, 10 * MINUTE + 30_000]);
  const sessionId = await world.start(memberId, UNIT);
  await pass(10 * MINUTE);
  expect((await world.end(sessionId, 10 * MINUTE, 'LEASE')).stopReason).toBe('BALANCE_EXHAUSTED');
});

it.each([
  ['less than ten minutes of the rate', [[599_999n, null]], 0.599999],
  ['lots that have expired', [[900_000n, MINUTE]], 0],
  [
    'lots that end before the first lease',
    [
      [9_000_000n, 9 * MINUTE],
      [10_000n, null],
    ],
    0.01,
  ],
] as [string, [bigint, number | null][], number][])('refuses to start on %s', async (words, grants, availableDcu) => {
  const memberId = await memberWith(...grants);
  if (words.includes('expired')) await pass(2 * MINUTE);
  await expect(world.start(memberId, UNIT)).rejects.toMatchObject({
    error: 'MEMBER_DCU_LIMIT',
    options: { data: { cause: 'BALANCE', neededDcu: 0.6, availableDcu } },
  });
});

it('does not charge the time between losing an engine and seeing the lab again', async () => {
  const memberId = await memberWith([100_000_000n, null]);
  const sessionId = await world.start(memberId, UNIT);
  await pass(2 * MINUTE);
  await see(sessionId, 2 * MINUTE);
  await world.metering.pauseSessions([sessionId]);
  await world.metering.pauseSessions([sessionId]);
  await pass(30 * MINUTE);
  await see(sessionId, 3 * MINUTE);
  await pass(MINUTE);
  expect(await world.end(sessionId, 4 * MINUTE)).toMatchObject({ chargedMicro: 240_000n });

  const segments = await database.db
    .selectFrom('usageSegment')
    .select(['fromAt', 'toAt'])
    .where('sessionId', '=', sessionId)
    .orderBy('seq')
    .execute();
  const minutesAgo = (at: Date) => (nowMs - at.getTime()) / MINUTE;
  expect(segments.map(({ fromAt, toAt }) => [minutesAgo(fromAt), minutesAgo(toAt)])).toEqual([
    [33, 31],
    [2, 0],
  ]);
});

it('lets a workshop’s next session begin where the last one’s bill ends, even if clocks say earlier', async () => {
  const memberId = await memberWith([100_000_000n, null]);
  const workshopId = await world.addWorkshop(memberId);
  const first = await world.start(memberId, UNIT, workshopId);
  await pass(2 * MINUTE);
  await world.end(first, 2 * MINUTE);
  await pass(-5 * MINUTE);
  const second = await world.start(memberId, UNIT, workshopId);
  await pass(MINUTE);
  await see(second, MINUTE);
  expect(await world.end(second, MINUTE)).toMatchObject({ chargedMicro: 60_000n });
});

it('waits with an expiry for labs that were not seen past it, and not for ever', async () => {
  const memberId = await memberWith([50_000_000n, 5 * MINUTE], [50_000_000n, null]);
  const sessionId = await world.start(memberId, UNIT);
  await pass(4 * MINUTE + 30_000);
  await see(sessionId, 4 * MINUTE + 30_000);
  await pass(40_000);
  expect(await expire(memberId)).toBe(0n);
  await see(sessionId, 5 * MINUTE + 10_000);
  expect(await expire(memberId)).toBe(50_000_000n - 300_000n);
  await world.end(sessionId, 5 * MINUTE + 10_000);
  expect(await posted(memberId)).toBe(50_000_000n - 10_000n);

  const unseen = await memberWith([50_000_000n, 2 * MINUTE], [50_000_000n, null]);
  const lost = await world.start(unseen, UNIT);
  await pass(MINUTE);
  await see(lost, MINUTE);
  await pass(2 * MINUTE);
  expect(await expire(unseen)).toBe(50_000_000n - 120_000n);
  expect(await expire(unseen)).toBe(0n);
  await world.end(lost, MINUTE);
  expect(await expire(unseen)).toBe(60_000n);
});

it.each(['the gateway is away', 'the engine is lost'])(
  'burns an expired lot for what the journal tells of the time before, after %s',
  async (words) => {
    const memberId = await memberWith([10_000_000n, 5 * MINUTE], [10_000_000n, null]);
    const sessionId = await world.start(memberId, UNIT);
    await pass(MINUTE);
    await see(sessionId, MINUTE);
    if (words.includes('lost')) await world.metering.pauseSessions([sessionId]);
    await pass(8 * MINUTE);
    expect(await expire(memberId)).toBe(10_000_000n - 300_000n);
    await see(sessionId, 9 * MINUTE);
    expect(await expire(memberId)).toBe(0n);
    await world.end(sessionId, 9 * MINUTE);
    expect(await posted(memberId)).toBe(10_000_000n - 240_000n);
  },
);

it('lets go of what an absent lab kept of an expired lot once it is seen past the expiry', async () => {
  const memberId = await memberWith([10_000_000n, 5 * MINUTE], [10_000_000n, null]);
  const sessionId = await world.start(memberId, UNIT);
  await pass(MINUTE);
  await see(sessionId, MINUTE);
  await world.metering.pauseSessions([sessionId]);
  await pass(8 * MINUTE);
  expect(await expire(memberId)).toBe(10_000_000n - 300_000n);
  // Of the eight minutes it ran only the last two.
  await see(sessionId, 3 * MINUTE);
  expect(await expire(memberId)).toBe(240_000n);
  await world.end(sessionId, 3 * MINUTE);
  expect(await posted(memberId)).toBe(10_000_000n - 120_000n);
});

it('keeps of an expired lot what a waiting lab holds, and lets it go with the hold', async () => {
  const memberId = await memberWith([1_000_000n, 11 * MINUTE]);
  const sessionId = await world.start(memberId, UNIT);
  await pass(13 * MINUTE);
  expect(await expire(memberId)).toBe(400_000n);
  expect(await expire(memberId)).toBe(0n);
  expect(await world.metering.getPosition(memberId)).toMatchObject({
    postedMicro: 600_000n,
    heldMicro: 600_000n,
    availableMicro: 0n,
  });
  await world.end(sessionId, 0);
  expect(await expire(memberId)).toBe(600_000n);
  expect(await posted(memberId)).toBe(0n);
});

it('looks ahead over all running labs with one runway, without what will have expired', async () => {
  const memberId = await memberWith([1_000_000n, 8 * MINUTE], [1_800_000n, null]);
  const labs = [await world.start(memberId, UNIT), await world.start(memberId, UNIT)];
  await pass(MINUTE);
  await world.metering.recordSightings(labs.map((sessionId) => ({ sessionId, runningMs: MINUTE })));
  const runwayMs = 7 * MINUTE + 1_800_000 / 2;
  expect(await world.metering.getRunway(memberId)).toEqual({
    burnMicroPerHour: 2n * UNIT,
    runningLabs: 2,
    runwayMs,
    lastsUntil: new Date(nowMs + runwayMs),
  });
  for (const sessionId of labs) await world.end(sessionId, MINUTE);
});

it('refuses to end what does not exist and passes over sightings of it', async () => {
  const missing = '01890000-0000-7000-8000-000000000000';
  await expect(world.end(missing, 0)).rejects.toThrow('no session');
  await see(missing, 5);
  await world.metering.pauseSessions([missing]);
  await expect(see(missing, Number.NaN)).rejects.toThrow(RangeError);
});
