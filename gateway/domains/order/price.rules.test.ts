import fc from 'fast-check';
import { lesser } from '../../bigints';
import { type Amounts, mostPointsFor, priceBeforeCoupon, priceOrder, spread } from './price.rules';

const rule = { fenPerPoint: 1n, mostPercent: 50n };
const nothingOff = { couponDiscountFen: 0n, points: 0n, rule };

const parts = [
  'listFen',
  'studentDiscountFen',
  'upgradeCreditFen',
  'couponDiscountFen',
  'pointsDiscountFen',
  'payableFen',
] as const;

/** Any price one could ask for, with a coupon and points that were judged to fit. */
const asked = fc
  .record({
    lineListFen: fc.array(fc.bigInt({ min: 0n, max: 5_000_000n }), { minLength: 1, maxLength: 5 }),
    ownOf: fc.bigInt({ min: 0n, max: 1_000n }),
    creditFen: fc.bigInt({ min: 0n, max: 6_000_000n }),
    couponOf: fc.bigInt({ min: 0n, max: 1_000n }),
    pointsOf: fc.bigInt({ min: 0n, max: 1_000n }),
    fenPerPoint: fc.bigInt({ min: 1n, max: 7n }),
    mostPercent: fc.bigInt({ min: 0n, max: 50n }),
  })
  .map(({ lineListFen, ownOf, creditFen, couponOf, pointsOf, ...pointsRule }) => {
    const listFen = lineListFen.reduce((sum, fen) => sum + fen, 0n);
    const before = priceBeforeCoupon({ lineListFen, ownFen: (listFen * ownOf) / 1_000n, creditFen });
    const couponDiscountFen = (before.leftFen * couponOf) / 1_000n;
    const beforePointsFen = before.leftFen - couponDiscountFen;
    const points = (mostPointsFor(beforePointsFen, pointsRule) * pointsOf) / 1_000n;
    return { before, beforePointsFen, ask: { couponDiscountFen, points, rule: pointsRule } };
  });

describe('a price', () => {
  it.each([
    ['the list alone', [10_000n], 10_000n, 0n, 0n, 0n, [0n, 0n, 0n, 0n, 10_000n]],
    ['the student price', [10_000n], 8_000n, 0n, 0n, 0n, [2_000n, 0n, 0n, 0n, 8_000n]],
    ['credit', [10_000n], 8_000n, 3_000n, 0n, 0n, [2_000n, 3_000n, 0n, 0n, 5_000n]],
    ['credit beyond the price, which is not paid out', [10_000n], 8_000n, 9_000n, 0n, 0n, [2_000n, 8_000n, 0n, 0n, 0n]],
    ['a coupon', [10_000n], 8_000n, 3_000n, 1_000n, 0n, [2_000n, 3_000n, 1_000n, 0n, 4_000n]],
    ['points to the half', [10_000n], 8_000n, 3_000n, 1_000n, 2_000n, [2_000n, 3_000n, 1_000n, 2_000n, 2_000n]],
    ['nothing', [0n], 0n, 0n, 0n, 0n, [0n, 0n, 0n, 0n, 0n]],
  ])('takes off in its order: %s', (_name, lineListFen, ownFen, creditFen, couponDiscountFen, points, expected) => {
    const before = priceBeforeCoupon({ lineListFen, ownFen, creditFen });

    const { amounts } = priceOrder(before, { couponDiscountFen, points, rule });

    expect(parts.slice(1).map((part) => amounts[part])).toEqual(expected);
  });

  it('leaves at least half to be paid where points pay, rounded in our favour', () => {
    expect(mostPointsFor(101n, rule)).toBe(50n);
    expect(mostPointsFor(1n, rule)).toBe(0n);
    expect(mostPointsFor(100n, { fenPerPoint: 3n, mostPercent: 50n })).toBe(16n);
  });

  it('is refused for a coupon or points beyond what is left before them', () => {
    const before = priceBeforeCoupon({ lineListFen: [100n], ownFen: 100n, creditFen: 40n });

    expect(() => priceOrder(before, { ...nothingOff, couponDiscountFen: 61n })).toThrow(RangeError);
    expect(() => priceOrder(before, { couponDiscountFen: 10n, points: 26n, rule })).toThrow(RangeError);
    expect(() => priceOrder(before, { ...nothingOff, points: -1n })).toThrow(RangeError);
    expect(() => priceBeforeCoupon({ lineListFen: [100n], ownFen: 101n, creditFen: 0n })).toThrow(RangeError);
  });

  it('is list less every part, never below nothing, at most half of it by points, whatever is asked', () => {
    fc.assert(
      fc.property(asked, ({ before, beforePointsFen, ask }) => {
        const { amounts } = priceOrder(before, ask);
        const { listFen, studentDiscountFen, upgradeCreditFen, couponDiscountFen, pointsDiscountFen, payableFen } = amounts;

        expect(payableFen).toBe(listFen - studentDiscountFen - upgradeCreditFen - couponDiscountFen - pointsDiscountFen);
        for (const part of parts) expect(amounts[part]).toBeGreaterThanOrEqual(0n);
        expect(pointsDiscountFen * 2n).toBeLessThanOrEqual(beforePointsFen);
        expect(pointsDiscountFen).toBe(ask.points * ask.rule.fenPerPoint);
      }),
    );
  });

  it('has lines that sum to it part by part and none below nothing', () => {
    fc.assert(
      fc.property(asked, ({ before, ask }) => {
        const { amounts, lines } = priceOrder(before, ask);

        for (const part of parts) expect(lines.reduce((sum, line) => sum + line[part], 0n)).toBe(amounts[part]);
        for (const line of lines) expect(smallestOf(line)).toBeGreaterThanOrEqual(0n);
        expect(lines.map((line) => line.listFen)).toEqual(before.lineListFen);
      }),
    );
  });
});

describe('a part spread over lines', () => {
  it.each([
    [10n, [1n, 1n, 1n, 9n], [1n, 1n, 1n, 7n]],
    [1n, [5n, 5n], [1n, 0n]],
    [2n, [5n, 5n, 5n], [1n, 1n, 0n]],
    [0n, [5n, 0n], [0n, 0n]],
    [0n, [0n, 0n], [0n, 0n]],
    [7n, [0n, 7n], [0n, 7n]],
    [5n, [3n, 6n], [2n, 3n]],
  ])('gives %s over %s by largest remainder', (total, weights, shares) => {
    expect(spread(total, weights)).toEqual(shares);
  });

  it('is within one of its exact share and never more than its line has', () => {
    const weighted = fc
      .array(fc.bigInt({ min: 0n, max: 1_000_000n }), { minLength: 1, maxLength: 8 })
      .chain((weights) => fc.tuple(fc.constant(weights), fc.bigInt({ min: 0n, max: weights.reduce((sum, one) => sum + one, 0n) })));
    fc.assert(
      fc.property(weighted, ([weights, total]) => {
        const whole = weights.reduce((sum, one) => sum + one, 0n);
        for (const [index, share] of spread(total, weights).entries()) {
          const weight = weights[index] ?? 0n;
          expect(share).toBeLessThanOrEqual(weight);
          if (whole === 0n) continue;
          expect(share).toBeGreaterThanOrEqual((total * weight) / whole);
          expect(share).toBeLessThanOrEqual((total * weight) / whole + 1n);
        }
      }),
    );
  });

  it('is refused beyond what the lines have', () => {
    expect(() => spread(3n, [1n, 1n])).toThrow(RangeError);
  });
});

function smallestOf(line: Amounts): bigint {
  return parts.map((part) => line[part]).reduce(lesser);
}
