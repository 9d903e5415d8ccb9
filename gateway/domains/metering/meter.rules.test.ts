import fc from 'fast-check';
import { accruedMicro, costMicro, coveredMs, heldMicro, type Meter, sighted, withRate, withSighting } from './meter.rules';

const CASES = 10_000;
const rate = fc.bigInt({ min: 0n, max: 200_000_000n });
const runTime = fc.bigInt({ min: 0n, max: 700_000_000n });

const idle: Meter = {
  ...{ sessionId: 's', workshopId: 'w', rateMicroPerHour: 3_600_000n, rateBaseMs: 0n, rateBaseMicro: 0n, chargedMicro: 0n },
  ...{ observedMs: 0n, leaseLimitMs: 600_000n, segmentSeq: 0, segmentFromMs: 0n, segmentFromAtMs: null, meteredUntilMs: null },
};

it('sums the same whenever the meter is read, and never more than rate × time', () => {
  fc.assert(
    fc.property(rate, runTime, fc.array(runTime, { maxLength: 20 }), (rateMicroPerHour, total, cuts) => {
      const tariff = { rateMicroPerHour, rateBaseMs: 0n, rateBaseMicro: 0n };
      const instants = [...cuts.filter((cut) => cut < total), total].sort((a, b) => Number(a - b));
      let charged = 0n;
      for (const instant of instants) {
        const charge = costMicro(tariff, instant) - charged;
        expect(charge >= 0n).toBe(true);
        charged += charge;
      }
      expect(charged).toBe((rateMicroPerHour * total) / 3_600_000n);
    }),
    { numRuns: CASES },
  );
});

it('keeps the sum exact over changes of rate', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(rate, fc.bigInt({ min: 0n, max: 90_000_000n })), { minLength: 1, maxLength: 8 }), (stretches) => {
      const first = stretches[0]?.[0] ?? 0n;
      let meter: Meter = { ...idle, rateMicroPerHour: first, leaseLimitMs: 10n ** 12n };
      let expected = 0n;
      for (const [rateMicroPerHour, ms] of stretches) {
        const settled = { ...meter, chargedMicro: costMicro(meter, meter.observedMs) };
        const changed = withRate(settled, rateMicroPerHour, 10n ** 18n);
        meter = { ...changed, leaseLimitMs: 10n ** 12n, observedMs: changed.observedMs + ms };
        expected += (rateMicroPerHour * ms) / 3_600_000n;
        expect(costMicro(meter, meter.observedMs)).toBe(expected);
      }
    }),
    { numRuns: 2_000 },
  );
});

it('buys the longest run time a sum pays for', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 1n, max: 200_000_000n }),
      runTime,
      runTime,
      fc.bigInt({ min: 0n, max: 10n ** 12n }),
      (rateMicroPerHour, rateBaseMs, rateBaseMicro, budget) => {
        const tariff = { rateMicroPerHour, rateBaseMs, rateBaseMicro };
        const limit = coveredMs(tariff, rateBaseMicro + budget) ?? -1n;
        expect(costMicro(tariff, limit) <= rateBaseMicro + budget).toBe(true);
        expect(costMicro(tariff, limit + 1n) > rateBaseMicro + budget).toBe(true);
      },
    ),
    { numRuns: CASES },
  );
});

it('never observes beyond the lease and never back in time', () => {
  fc.assert(
    fc.property(fc.array(runTime, { minLength: 1 }), (readings) => {
      let meter: Meter = { ...idle };
      for (const reading of readings) {
        const next = withSighting(meter, reading, 5_000_000);
        expect(next.observedMs >= meter.observedMs).toBe(true);
        expect(next.observedMs <= meter.leaseLimitMs).toBe(true);
        expect(accruedMicro(next) <= heldMicro(next)).toBe(true);
        meter = next;
      }
      expect(sighted(meter, 0n)).toBe(meter.observedMs);
    }),
  );
});

it('begins a segment where the workshop’s last one ended when the sightings would overlap it', () => {
  const after = withSighting({ ...idle, meteredUntilMs: 1_000_000 }, 5_000n, 1_002_000);
  expect(after.segmentFromAtMs).toBe(1_000_000);
  expect(withSighting(idle, 5_000n, 1_002_000).segmentFromAtMs).toBe(997_000);
});

it('shrinks a lease that a higher rate makes too dear, to exactly what is held and free', () => {
  const meter: Meter = { ...idle, observedMs: 60_000n, chargedMicro: 60_000n, leaseLimitMs: 600_000n };
  const changed = withRate(meter, 7_200_000n, 0n);
  expect(heldMicro(changed)).toBe(heldMicro(meter));
  expect(changed.leaseLimitMs).toBe(60_000n + 270_000n);
  expect(withRate(meter, 1_800_000n, 0n).leaseLimitMs).toBe(600_000n);
});
