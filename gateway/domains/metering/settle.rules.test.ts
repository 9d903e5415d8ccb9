import fc from 'fast-check';
import { inBurnOrder, type Lot, remainingOf } from '../ledger/lot.rules';
import { costMicro, type Meter } from './meter.rules';
import { settle } from './settle.rules';

const SECOND = 1_000;
const START = 1_000_000;
const HORIZON_S = 120;

const second = fc.integer({ min: 0, max: HORIZON_S });
const lots = fc
  .array(
    fc.record({
      micro: fc.bigInt({ min: 1n, max: 400_000n }),
      from: second,
      lasts: fc.option(fc.integer({ min: 1, max: HORIZON_S })),
    }),
    { maxLength: 6 },
  )
  .map((specs) => {
    const made = specs.map(({ micro, from, lasts }, index): Lot => {
      const grantedAtMs = START + from * SECOND;
      return {
        lotId: BigInt(index + 2),
        remaining: micro,
        grantedAtMs,
        expiresAtMs: lasts === null ? null : grantedAtMs + lasts * SECOND,
      };
    });
    return inBurnOrder([...made, { lotId: 1n, remaining: 10n ** 12n, grantedAtMs: START - SECOND, expiresAtMs: null }]);
  });
const meters = fc
  .array(
    fc.record({ rate: fc.bigInt({ min: 1n, max: 40_000_000n }), from: second, lasts: fc.integer({ min: 1, max: HORIZON_S }) }),
    { minLength: 1, maxLength: 3 },
  )
  .map((specs) => specs.map(({ rate, from, lasts }, index) => meterOf(String(index), rate, START + from * SECOND, lasts * SECOND)));

function meterOf(id: string, rateMicroPerHour: bigint, fromAtMs: number, ms: number): Meter {
  return {
    ...{
      sessionId: id,
      workshopId: id,
      rateMicroPerHour,
      rateBaseMs: 0n,
      rateBaseMicro: 0n,
      chargedMicro: 0n,
      observedMs: BigInt(ms),
    },
    ...{ leaseLimitMs: BigInt(ms), segmentSeq: 0, segmentFromMs: 0n, segmentFromAtMs: fromAtMs, meteredUntilMs: null },
  };
}

/** The bill of a meter that ticks each second, said without any of the rules: what is left of each lot. */
function tickEachSecond(running: readonly Meter[], purse: readonly Lot[]): Map<bigint, bigint> {
  const left = new Map(purse.map((lot) => [lot.lotId, lot.remaining]));
  for (let at = START; at < START + 2 * HORIZON_S * SECOND; at += SECOND) {
    for (const meter of running) {
      const ran = BigInt(at - (meter.segmentFromAtMs ?? 0));
      if (ran < 0n || ran >= meter.observedMs) continue;
      let due = (meter.rateMicroPerHour * (ran + 1000n)) / 3_600_000n - (meter.rateMicroPerHour * ran) / 3_600_000n;
      for (const { lotId, grantedAtMs, expiresAtMs } of purse) {
        if (grantedAtMs > at || (expiresAtMs !== null && expiresAtMs <= at)) continue;
        const remaining = left.get(lotId) ?? 0n;
        const taken = remaining < due ? remaining : due;
        left.set(lotId, remaining - taken);
        due -= taken;
      }
    }
  }
  return left;
}

it('bills every lot as a meter would that ticks each second', () => {
  fc.assert(
    fc.property(meters, lots, (running, purse) => {
      const settled = settle(running, purse);
      expect(new Map(settled.lots.map((lot) => [lot.lotId, lot.remaining]))).toEqual(tickEachSecond(running, purse));
    }),
    { numRuns: 2_000 },
  );
});

it('bills every lot the same in whatever steps and order the sessions are settled', () => {
  const steps = fc.array(fc.tuple(fc.nat(2), second), { maxLength: 8 });
  fc.assert(
    fc.property(meters, lots, steps, (running, purse, stops) => {
      // New lots change what may be burnt, and then everything is settled first; here they are all there from the start.
      const granted = purse.map((lot) => ({ ...lot, grantedAtMs: START - SECOND }));
      let left: readonly Lot[] = granted;
      let current = running;
      const all = [...stops, ...running.map((_, index): [number, number] => [index, 3 * HORIZON_S])];
      for (const [index, stop] of all) {
        const meter = current[index];
        if (!meter) continue;
        const settled = settle(
          [meter],
          left.filter((lot) => lot.remaining > 0n),
          START + stop * SECOND,
        );
        const after = new Map(settled.lots.map((lot) => [lot.lotId, lot]));
        left = left.map((lot) => after.get(lot.lotId) ?? lot);
        current = current.map((other, at) => (at === index ? (settled.meters[0] ?? other) : other));
      }
      expect(left).toEqual(settle(running, granted).lots);
    }),
    { numRuns: 2_000 },
  );
});

it('makes segments that join, never span a lot’s expiry, and sum to the cost', () => {
  fc.assert(
    fc.property(meters, lots, (running, purse) => {
      const { segments, lots: left } = settle(running, purse);
      for (const meter of running) {
        const own = segments.filter((segment) => segment.sessionId === meter.sessionId);
        expect(own.reduce((sum, { micro }) => sum + micro, 0n)).toBe(costMicro(meter, meter.observedMs));
        expect(own.map(({ seq }) => seq)).toEqual(own.map((_, index) => index + 1));
        for (const [index, { fromAtMs, toAtMs }] of own.entries()) {
          expect(fromAtMs).toBe(own[index - 1]?.toAtMs ?? meter.segmentFromAtMs);
          expect(toAtMs).toBeGreaterThan(fromAtMs);
          expect(purse.some(({ expiresAtMs }) => expiresAtMs !== null && fromAtMs < expiresAtMs && expiresAtMs < toAtMs)).toBe(
            false,
          );
        }
      }
      const used = segments.flatMap(({ uses }) => uses).reduce((sum, { micro }) => sum + micro, 0n);
      expect(remainingOf(purse) - remainingOf(left)).toBe(used);
    }),
  );
});

it('takes what a hold kept of an expired lot only after everything valid', () => {
  const expired: Lot = { lotId: 1n, remaining: 500n, grantedAtMs: 0, expiresAtMs: START - SECOND };
  const valid: Lot = { lotId: 2n, remaining: 300n, grantedAtMs: 0, expiresAtMs: null };
  const { segments } = settle([meterOf('a', 3_600_000n, START, 400)], [expired, valid]);
  expect(segments.map(({ uses }) => uses)).toEqual([
    [
      { lotId: 2n, micro: 300n },
      { lotId: 1n, micro: 100n },
    ],
  ]);
});

it('refuses to bill what the lots do not cover', () => {
  expect(() => settle([meterOf('a', 3_600_000n, START, 400)], [])).toThrow('do not cover');
});
