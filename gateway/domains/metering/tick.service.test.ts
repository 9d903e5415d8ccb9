import fc from 'fast-check';
import { sql } from 'kysely';
import { createTestDatabase, setTestNow, type TestDatabase } from '../../testing/testDatabase';
import { selectOpenSessions } from './meter.repository';
import { heldMicro, LEASE_MS, type Meter } from './meter.rules';
import type { MeterNotice } from './meterNotice';
import { buildMeterWorld, type MeterWorld } from './meterWorld';
import { shareLeases } from './modelLeases';
import { settle } from './settle.rules';

const MINUTE = 60_000;
const START = Date.parse('2032-05-01T00:00:00Z');

let database: TestDatabase;
let world: MeterWorld;
let nowMs = START;
const notices: MeterNotice[] = [];
let refuseNotices = false;
let price = { rateMicroPerHour: 3_600_000n, priceVersion: 1 };

beforeAll(async () => {
  database = await createTestDatabase();
  await setTestNow(database.db, new Date(START));
  world = await buildMeterWorld(database.db, {
    priceOf: () => price,
    note: async (_tx, told) => {
      if (refuseNotices) throw new Error('the notice cannot be written');
      notices.push(...told);
    },
  });
});
afterAll(() => database.drop());
afterEach(async () => expect(await world.breaches()).toEqual([]));

async function pass(ms: number): Promise<void> {
  nowMs += ms;
  await setTestNow(database.db, new Date(nowMs));
}

/** Lets a lab run under its own lease, seen and metered each minute. */
async function run(sessionId: string, fromMinute: number, toMinute: number): Promise<void> {
  for (let minute = fromMinute + 1; minute <= toMinute; minute += 1) {
    await pass(MINUTE);
    await world.metering.recordSightings([{ sessionId, runningMs: minute * MINUTE }]);
    await world.metering.tick();
  }
}

const openMeters = (memberId: string) => selectOpenSessions(database.db, memberId);

function expectTick(meters: readonly Meter[], lots: Parameters<typeof settle>[1], freeMicro: bigint) {
  const isDue = (meter: Meter) =>
    meter.observedMs - meter.segmentFromMs >= 3_600_000n || (meter.segmentFromAtMs ?? nowMs) <= nowMs - 3_600_000;
  const touched = meters.some((meter) => isDue(meter) || meter.leaseLimitMs - meter.observedMs < LEASE_MS / 2n);
  const settled = settle(meters.filter(isDue), lots);
  const after = new Map(settled.meters.map((meter) => [meter.sessionId, meter]));
  const shared = shareLeases(meters, freeMicro);
  const wants = shareLeases(meters, 10n ** 15n);
  const isShort = meters.some((meter) => (shared.get(meter.sessionId) ?? 0n) < (wants.get(meter.sessionId) ?? 0n));
  const next = meters.map((meter) => {
    const isLow = meter.leaseLimitMs - meter.observedMs < LEASE_MS / 2n;
    const leaseLimitMs = touched && (isLow || isShort) ? (shared.get(meter.sessionId) ?? 0n) : meter.leaseLimitMs;
    return { ...(after.get(meter.sessionId) ?? meter), leaseLimitMs };
  });
  return { next, lots: settled.lots.filter((lot) => lot.remaining > 0n).map(({ lotId, remaining }) => ({ lotId, remaining })) };
}

it('does set-based, for any number of labs and lots, what the rules say of one member', async () => {
  const lab = fc.record({
    rate: fc.bigInt({ min: 0n, max: 9_000_000n }),
    steps: fc.array(fc.integer({ min: 0, max: 5 * MINUTE }), { maxLength: 4 }),
  });
  const grants = fc.array(fc.tuple(fc.bigInt({ min: 1n, max: 900_000n }), fc.option(fc.integer({ min: 120, max: 9_000 }))), {
    maxLength: 4,
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(lab, { minLength: 1, maxLength: 3 }),
      grants,
      fc.bigInt({ min: 0n, max: 3_000_000n }),
      fc.constantFrom(0, 61),
      async (labs, lots, spare, waited) => {
        const memberId = await world.addMember();
        for (const [micro, minutes] of lots)
          await world.grant(memberId, micro, minutes === null ? null : new Date(nowMs + minutes * MINUTE));
        await world.grant(
          memberId,
          labs.reduce((sum, { rate }) => sum + rate / 6n + 1n, spare),
        );
        const ids: string[] = [];
        for (const { rate } of labs) ids.push(await world.start(memberId, rate));
        const ran = ids.map(() => 0);
        for (let step = 0; step < 4; step += 1) {
          labs.forEach(({ steps }, index) => {
            ran[index] = (ran[index] ?? 0) + (steps[step] ?? 0);
          });
          await pass(5 * MINUTE);
          await world.metering.recordSightings(ids.map((sessionId, index) => ({ sessionId, runningMs: ran[index] ?? 0 })));
        }
        await pass(waited * MINUTE);
        const before = await world.metering.getBalance(memberId);
        const expected = expectTick(
          await openMeters(memberId),
          await world.ledger.lotsOf(database.db, memberId),
          before.postedMicro - before.heldMicro,
        );

        await world.metering.tick();

        const meters = await openMeters(memberId);
        expect(meters).toMatchObject(expected.next);
        expect((await world.ledger.lotsOf(database.db, memberId)).map(({ lotId, remaining }) => ({ lotId, remaining }))).toEqual(
          expected.lots,
        );
        expect((await world.metering.getBalance(memberId)).heldMicro).toBe(
          meters.reduce((sum, meter) => sum + heldMicro(meter), 0n),
        );
        for (const id of ids) await world.end(id, 0);
      },
    ),
    // A short balance beside a lab that costs nothing more: its share is nought and yet lets it run on.
    {
      numRuns: 60,
      examples: [
        [
          [
            { rate: 1n, steps: [1] },
            { rate: 27n, steps: [20_376, 176_162, 136_796] },
          ],
          [],
          0n,
          0,
        ],
      ],
    },
  );
}, 60_000);

it('charges the same on PostgreSQL whenever the passes come', async () => {
  const cuts = fc.array(fc.integer({ min: 1, max: 9 * MINUTE }), { minLength: 1, maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(fc.bigInt({ min: 1n, max: 50_000_000n }), cuts, async (rate, steps) => {
      const memberId = await world.addMember();
      await world.grant(memberId, 1_000_000_000n);
      const sessionId = await world.start(memberId, rate);
      let ranMs = 0;
      for (const step of steps) {
        await pass(step);
        ranMs += step;
        await world.metering.recordSightings([{ sessionId, runningMs: ranMs }]);
        await world.metering.tick();
        if (step % 2 === 0) await database.db.transaction().execute((tx) => world.metering.settleMember(tx, memberId));
      }
      expect((await world.end(sessionId, ranMs)).chargedMicro).toBe((rate * BigInt(ranMs)) / 3_600_000n);
    }),
    { numRuns: 40 },
  );
}, 60_000);

it('reports only the leases it raised, and leaves alone what has more than half of its lease', async () => {
  const memberId = await world.addMember();
  await world.grant(memberId, 1_000_000_000n);
  const sessionId = await world.start(memberId, 3_600_000n);
  await pass(4 * MINUTE);
  await world.metering.recordSightings([{ sessionId, runningMs: 4 * MINUTE }]);
  expect((await world.metering.tick()).leases).toEqual([]);
  await pass(2 * MINUTE);
  await world.metering.recordSightings([{ sessionId, runningMs: 6 * MINUTE }]);
  const { engineInstanceId } = world;
  expect((await world.metering.tick()).leases).toEqual([
    { sessionId, engineInstanceId, engineRef: sessionId, leaseLimitMs: 16 * MINUTE },
  ]);
  expect((await world.metering.tick()).leases).toEqual([]);
  await world.end(sessionId, 6 * MINUTE);
});

it('announces a new price half an hour ahead and applies it in a new segment, each together with its notice', async () => {
  const memberId = await world.addMember();
  await world.grant(memberId, 1_000_000_000n);
  const sessionId = await world.start(memberId, 3_600_000n);
  await run(sessionId, 0, 2);
  notices.length = 0;
  price = { rateMicroPerHour: 7_200_000n, priceVersion: 2 };
  expect((await world.metering.tick()).rateChanges).toEqual([]);
  expect(notices).toEqual([]);
  await sql`update lab_session set price_fixed_until = app_now() + interval '20 minutes' where id = ${sessionId}`.execute(
    database.db,
  );
  const rates = { fromMicroPerHour: 3_600_000n, toMicroPerHour: 7_200_000n };
  for (const waited of [0, 29]) {
    await pass(waited * MINUTE);
    expect((await world.metering.tick()).rateChanges).toEqual([]);
    expect(notices).toEqual([{ reason: 'PRICE_CHANGE_ANNOUNCED', sessionId, ...rates, appliesInMs: 30 * MINUTE }]);
  }
  await pass(MINUTE);
  refuseNotices = true;
  expect(await world.metering.tick()).toMatchObject({ failedMembers: 1, rateChanges: [] });
  expect(await world.session(sessionId)).toMatchObject({ segmentSeq: 0, priceVersion: 1 });
  refuseNotices = false;

  const { rateChanges } = await world.metering.tick();
  price = { rateMicroPerHour: 3_600_000n, priceVersion: 1 };

  expect(notices.slice(1)).toEqual([{ reason: 'PRICE_CHANGED', sessionId, ...rates }]);
  expect(rateChanges).toMatchObject([
    { sessionId, memberId, fromMicroPerHour: 3_600_000n, toMicroPerHour: 7_200_000n, priceVersion: 2 },
  ]);
  expect(await world.session(sessionId)).toMatchObject({
    chargedMicro: 120_000n,
    segmentSeq: 1,
    priceVersion: 2,
    rateBaseMs: 120_000n,
  });
  expect((await world.end(sessionId, 3 * MINUTE)).chargedMicro).toBe(120_000n + 120_000n);
});

it('charges and extends everybody but the member whose rows the database refuses', async () => {
  const labs: { memberId: string; sessionId: string }[] = [];
  for (let index = 0; index < 6; index += 1) {
    const memberId = await world.addMember();
    await world.grant(memberId, 1_000_000_000n);
    // The last two are planned one by one.
    if (index > 3) await world.grant(memberId, 1_000n, new Date(nowMs + 65 * MINUTE));
    labs.push({ memberId, sessionId: await world.start(memberId, 3_600_000n) });
  }
  for (let minute = 9; minute <= 54; minute += 9) {
    await pass(9 * MINUTE);
    await world.metering.recordSightings(labs.map(({ sessionId }) => ({ sessionId, runningMs: minute * MINUTE })));
    await world.metering.tick();
  }
  await pass(7 * MINUTE);
  await world.metering.recordSightings(labs.map(({ sessionId }) => ({ sessionId, runningMs: 61 * MINUTE })));
  const refused = [labs[1], labs[4]].map((lab) => `'${lab?.memberId}'`).join();
  await sql
    .raw(`create function refuse() returns trigger language plpgsql as 'begin raise exception ''no'' using errcode = ''check_violation''; end';
    create trigger refuse before update on lab_session for each row when (new.member_id in (${refused})) execute function refuse()`)
    .execute(database.db);

  const report = await world.metering.tick();
  await sql`drop function refuse cascade`.execute(database.db);

  expect(report).toMatchObject({ failedMembers: 2, segments: 4, leases: { length: 4 } });
  expect(report.chargedMicro).toBe(4n * 3_660_000n);
  expect(await world.metering.tick()).toMatchObject({ failedMembers: 0, segments: 2, leases: { length: 2 } });
  for (const { sessionId } of labs) await world.end(sessionId, 61 * MINUTE);
});

it('never goes back to an older price, which a gateway with an older catalogue would', async () => {
  const memberId = await world.addMember();
  await world.grant(memberId, 1_000_000_000n);
  const sessionId = await world.start(memberId, 7_200_000n);
  await sql`update lab_session set price_version = 2, price_fixed_until = app_now() where id = ${sessionId}`.execute(database.db);
  await run(sessionId, 0, 2);
  expect(await world.session(sessionId)).toMatchObject({ priceVersion: 2, rateMicroPerHour: 7_200_000n });
  await world.end(sessionId, 2 * MINUTE);
});

it('warns at thirty and at five minutes of runway, once each, and afresh after a top-up', async () => {
  const memberId = await world.addMember();
  await world.grant(memberId, 40n * 60_000n);
  const sessionId = await world.start(memberId, 3_600_000n);
  const warned: [number, number][] = [];
  const minute = async (at: number) => {
    await pass(MINUTE);
    await world.metering.recordSightings([{ sessionId, runningMs: at * MINUTE }]);
    const { warnings } = await world.metering.tick();
    for (const warning of warnings) {
      expect(warning).toMatchObject({ memberId, sessionIds: [sessionId], runwayMs: (40 - at) * MINUTE });
      warned.push([at, warning.thresholdMs / MINUTE]);
    }
  };
  for (let at = 1; at <= 36; at += 1) await minute(at);
  expect(warned).toEqual([
    [10, 30],
    [35, 5],
  ]);
  await world.grant(memberId, 60_000n);
  expect((await world.metering.tick()).warnings).toMatchObject([{ thresholdMs: 5 * MINUTE, runwayMs: 5 * MINUTE }]);
  await world.end(sessionId, 36 * MINUTE);
});

it('closes so many segments a pass and the rest in the next, while every lease that runs low is raised at once', async () => {
  const slow = await buildMeterWorld(database.db, { segmentsAPass: 2 });
  const sessionIds: string[] = [];
  for (let n = 0; n < 3; n += 1) {
    const memberId = await slow.addMember();
    await slow.grant(memberId, 10_000_000n);
    sessionIds.push(await slow.start(memberId));
  }
  for (let minute = 1; minute <= 55; minute += 1) {
    await pass(MINUTE);
    await slow.metering.recordSightings(sessionIds.map((sessionId) => ({ sessionId, runningMs: minute * MINUTE })));
    await slow.metering.tick();
  }
  await pass(6 * MINUTE);
  await slow.metering.recordSightings(sessionIds.map((sessionId) => ({ sessionId, runningMs: 60 * MINUTE })));

  const first = await slow.metering.tick();
  const second = await slow.metering.tick();
  const third = await slow.metering.tick();

  expect([first.segments, second.segments, third.segments]).toEqual([2, 1, 0]);
  expect(first.leases.map((lease) => lease.sessionId).sort()).toEqual([...sessionIds].sort());
  for (const sessionId of sessionIds) await slow.end(sessionId, 60 * MINUTE);
});
