import fc from 'fast-check';
import { inBurnOrder, type Lot } from '../ledger/lot.rules';
import { canCoverStart, planLeases, runway } from './lease.rules';
import { costMicro, heldMicro, type Meter } from './meter.rules';
import { shareLeases } from './modelLeases';

const NOW = 10_000_000;
const MINUTE = 60_000;
/** One micro a millisecond. */
const UNIT = 3_600_000n;

function meterOf(id: string, perMs: number, observedMs: number, leftMs: number, isRunning = true): Meter {
  return {
    ...{ sessionId: id, workshopId: id, rateMicroPerHour: UNIT * BigInt(perMs), rateBaseMs: 0n, rateBaseMicro: 0n },
    ...{
      chargedMicro: BigInt(perMs * observedMs),
      observedMs: BigInt(observedMs),
      leaseLimitMs: BigInt(observedMs + leftMs),
      segmentSeq: 0,
    },
    ...{ segmentFromMs: BigInt(observedMs), segmentFromAtMs: isRunning ? NOW : null, meteredUntilMs: null },
  };
}

const lotOf = (lotId: bigint, remaining: number, lastsMs: number | null): Lot => ({
  ...{ lotId, remaining: BigInt(remaining), grantedAtMs: 0, expiresAtMs: lastsMs === null ? null : NOW + lastsMs },
});

/** Burns event by event, soonest expiring first, without the planner's arithmetic: false when usage finds no valid lot. */
function runsDry(purse: readonly Lot[], stops: readonly { perMs: number; afterMs: number }[]): boolean {
  const left = inBurnOrder(purse).map((lot) => ({ lot, remaining: Number(lot.remaining) }));
  const events = [
    ...new Set([
      ...stops.map(({ afterMs }) => afterMs),
      ...purse.flatMap((lot) => (lot.expiresAtMs === null ? [] : [lot.expiresAtMs - NOW])),
    ]),
  ];
  let at = 0;
  for (const next of events.filter((event) => event > 0).sort((a, b) => a - b)) {
    let due = stops.filter(({ afterMs }) => afterMs >= next).reduce((sum, { perMs }) => sum + perMs * (next - at), 0);
    for (const entry of left) {
      if (entry.lot.expiresAtMs !== null && entry.lot.expiresAtMs < NOW + next) continue;
      const taken = Math.min(due, entry.remaining);
      entry.remaining -= taken;
      due -= taken;
    }
    if (due > 0) return true;
    at = next;
  }
  return false;
}

const purses = fc
  .array(fc.tuple(fc.integer({ min: 1, max: 2_000_000 }), fc.option(fc.integer({ min: 1, max: 15 * MINUTE }))), {
    minLength: 1,
    maxLength: 5,
  })
  .map((specs) => inBurnOrder(specs.map(([micro, lasts], index) => lotOf(BigInt(index + 1), micro, lasts))));
const labs = fc.array(fc.record({ perMs: fc.integer({ min: 1, max: 3 }), leftMs: fc.integer({ min: 0, max: 10 * MINUTE }) }), {
  minLength: 1,
  maxLength: 3,
});

it('gives leases that lots valid at the time can pay, and the longest such', () => {
  fc.assert(
    fc.property(purses, labs, (purse, specs) => {
      const given = specs.map(({ perMs, leftMs }) => ({ perMs, afterMs: leftMs }));
      fc.pre(!runsDry(purse, given));
      const meters = specs.map(({ perMs, leftMs }, index) => meterOf(String(index), perMs, 5_000, leftMs));
      const plan = planLeases({ lots: purse, meters, atMs: NOW });
      const planned = specs.map(({ perMs }, index) => ({ perMs, afterMs: Number(plan.get(String(index)) ?? 0n) - 5_000 }));

      expect(runsDry(purse, planned)).toBe(false);
      planned.forEach(({ afterMs }, index) => {
        expect(afterMs).toBeGreaterThanOrEqual(given[index]?.afterMs ?? 0);
        expect(afterMs).toBeLessThanOrEqual(Math.max(10 * MINUTE, given[index]?.afterMs ?? 0));
      });
      const reach = Math.min(...planned.map(({ afterMs }) => afterMs));
      const longer = planned.map(({ perMs, afterMs }) => ({ perMs, afterMs: afterMs <= reach ? reach + 1 : afterMs }));
      expect(reach >= 10 * MINUTE || runsDry(purse, longer)).toBe(true);
    }),
    { numRuns: 3_000 },
  );
});

it('says of the balance how long it lasts: one millisecond more and the lots run dry', () => {
  fc.assert(
    fc.property(purses, labs, (purse, specs) => {
      const meters = specs.map(({ perMs }, index) => meterOf(String(index), perMs, 5_000, 0));
      const { runwayMs } = runway({ lots: purse, meters, atMs: NOW });
      const upTo = (afterMs: number) => specs.map(({ perMs }) => ({ perMs, afterMs }));
      expect(runsDry(purse, upTo(runwayMs ?? 0))).toBe(false);
      expect(runsDry(purse, upTo((runwayMs ?? 0) + 1))).toBe(true);
    }),
    { numRuns: 3_000 },
  );
});

it('stops a lease at the expiry of the only lot', () => {
  const plan = planLeases({ lots: [lotOf(1n, 100_000_000, 3 * MINUTE)], meters: [meterOf('a', 1, 7_000, MINUTE)], atMs: NOW });
  expect(plan.get('a')).toBe(BigInt(7_000 + 3 * MINUTE));
});

it('sets the hold of a waiting session aside before it gives anything away', () => {
  const meters = [meterOf('running', 1, 0, 0), meterOf('queued', 1, 0, 10 * MINUTE, false)];
  const plan = planLeases({ lots: [lotOf(1n, 12 * MINUTE, null)], meters, atMs: NOW });
  expect(plan).toEqual(new Map([['running', BigInt(2 * MINUTE)]]));
});

it('knows no runway when nothing runs or nothing costs', () => {
  const purse = [lotOf(1n, 1_000, null)];
  expect(runway({ lots: purse, meters: [meterOf('q', 1, 0, MINUTE, false)], atMs: NOW })).toMatchObject({
    runningLabs: 0,
    runwayMs: null,
  });
  expect(runway({ lots: purse, meters: [meterOf('free', 0, 0, MINUTE)], atMs: NOW })).toMatchObject({
    runningLabs: 1,
    lastsUntilMs: null,
  });
});

it('does not start on a lot that ends before the first lease does', () => {
  const position = { meters: [], atMs: NOW };
  expect(canCoverStart({ ...position, lots: [lotOf(1n, 100_000_000, 9 * MINUTE)] }, UNIT)).toBe(false);
  expect(canCoverStart({ ...position, lots: [lotOf(1n, 10 * MINUTE, 10 * MINUTE)] }, UNIT)).toBe(true);
  expect(canCoverStart({ ...position, lots: [lotOf(1n, 10 * MINUTE - 1, null)] }, UNIT)).toBe(false);
});

it('shares a short balance in proportion to what each wants, never beyond it', () => {
  fc.assert(
    fc.property(labs, fc.bigInt({ min: 0n, max: 3_000_000n }), (specs, free) => {
      const meters = specs.map(({ perMs, leftMs }, index) => meterOf(String(index), perMs, 5_000, leftMs));
      const shared = shareLeases(meters, free);
      const cost = meters.reduce(
        (sum, meter) => sum + costMicro(meter, shared.get(meter.sessionId) ?? 0n) - costMicro(meter, meter.leaseLimitMs),
        0n,
      );
      expect(cost <= free).toBe(true);
      expect(meters.every((meter) => (shared.get(meter.sessionId) ?? 0n) >= meter.leaseLimitMs && heldMicro(meter) >= 0n)).toBe(
        true,
      );
    }),
  );
});
