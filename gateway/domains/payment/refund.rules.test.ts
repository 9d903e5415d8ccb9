import fc from 'fast-check';
import {
  bringsAnything,
  type GivenBack,
  type OrderLot,
  type OrderMoney,
  planDcuRefund,
  planPackageRefund,
  takeUnused,
} from './refund.rules';

const CASES = process.env.ATELIER_DEEP ? 100_000 : 2_000;
const NOTHING: GivenBack = { micro: 0n, fen: 0n, withdrawnPoints: 0n, spentPointsFen: 0n, returnedPoints: 0n };
const money = (changes: Partial<OrderMoney> = {}): OrderMoney => ({
  ...{
    payableFen: 10_000n,
    pointsUsed: 0n,
    pointsEarned: 100n,
    before: NOTHING,
    freePoints: 1_000n,
    fenPerPoint: 1n,
  },
  ...changes,
});
const lot = (lotId: bigint, source: string, granted: bigint, remaining = granted, isExpired = false): OrderLot => ({
  ...{ lotId, source, granted, remaining, isExpired },
});
const base = lot(1n, 'purchase', 100_000_000n);
const bonus = lot(2n, 'gift', 5_000_000n);

describe('a refund of DCU', () => {
  it('of an untouched order gives everything back', () => {
    const plan = planDcuRefund(money({ pointsUsed: 300n }), [base, bonus], 1_000_000_000n);

    expect(plan).toMatchObject({ refundFen: 10_000n, withdrawnMicro: 105_000_000n, withdrawnPoints: 100n, returnedPoints: 300n });
    expect(plan).toMatchObject({ isWhole: true, isUntouched: true, spentPointsFen: 0n });
  });

  it('counts the bonus into what the cash bought', () => {
    const used = { ...base, remaining: 47_500_000n };

    const plan = planDcuRefund(money(), [used, bonus], 1_000_000_000n);

    expect(plan).toMatchObject({ refundFen: 5_000n, withdrawnPoints: 50n, isWhole: true, isUntouched: false });
  });

  it('leaves what running labs are promised, and takes bonus lots first', () => {
    const plan = planDcuRefund(money(), [base, bonus], 21_000_000n);

    expect(plan).toMatchObject({ refundFen: 2_000n, withdrawnMicro: 21_000_000n, isWhole: false });
    expect(plan.uses).toEqual([
      { lotId: 2n, micro: 5_000_000n },
      { lotId: 1n, micro: 16_000_000n },
    ]);
  });

  it('takes the worth of points already spent off the cash', () => {
    const plan = planDcuRefund(money({ freePoints: 30n, fenPerPoint: 2n }), [base, bonus], 1_000_000_000n);

    expect(plan).toMatchObject({ refundFen: 9_860n, withdrawnPoints: 30n, spentPointsFen: 140n });
  });

  it('brings nothing for DCU that are used or expired', () => {
    const gone = [lot(1n, 'purchase', 100n, 0n), lot(2n, 'gift', 50n, 50n, true)];

    const plan = planDcuRefund(money(), gone, 1_000n);

    expect(plan).toMatchObject({ refundFen: 0n, uses: [], withdrawnPoints: 0n, returnedPoints: 0n, isWhole: true });
    expect(bringsAnything(plan, plan.isUntouched)).toBe(false);
  });

  it('brings at most what is left of the cash, whatever went back before', () => {
    const before = { ...NOTHING, fen: 9_990n };

    expect(planDcuRefund(money({ before }), [base, bonus], 1_000_000_000n).refundFen).toBe(10n);
  });

  it('takes nothing where nothing is free', () => {
    expect(takeUnused([base], -5n)).toEqual([]);
  });

  const amounts = fc.bigInt({ min: 1n, max: 200_000_000n });
  const history = fc.record({
    payableFen: fc.bigInt({ min: 0n, max: 500_000n }),
    pointsUsed: fc.bigInt({ min: 0n, max: 5_000n }),
    pointsEarned: fc.bigInt({ min: 0n, max: 5_000n }),
    fenPerPoint: fc.bigInt({ min: 1n, max: 7n }),
    granted: fc.array(amounts, { minLength: 1, maxLength: 3 }),
    steps: fc.array(
      fc.record({ burnt: amounts, free: fc.bigInt({ min: -5n, max: 400_000_000n }), points: fc.bigInt({ min: 0n, max: 6_000n }) }),
      {
        maxLength: 6,
      },
    ),
  });

  it('never gives back more than was paid, nor less than nothing, however it is cut into parts', () => {
    fc.assert(
      fc.property(history, ({ granted, steps, ...order }) => {
        const sources = ['purchase', 'gift', 'coupon'];
        let lots = granted.map((micro, index) => lot(BigInt(index), sources[index] ?? 'gift', micro));
        let before = NOTHING;
        for (const { burnt, free, points } of steps) {
          lots = lots.map((one) => ({ ...one, remaining: one.remaining > burnt ? one.remaining - burnt : 0n }));
          const plan = planDcuRefund({ ...order, before, freePoints: points }, lots, free);
          const taken = new Map(plan.uses.map((use) => [use.lotId, use.micro]));
          lots = lots.map((one) => ({ ...one, remaining: one.remaining - (taken.get(one.lotId) ?? 0n) }));
          before = {
            micro: before.micro + plan.withdrawnMicro,
            fen: before.fen + plan.refundFen,
            withdrawnPoints: before.withdrawnPoints + plan.withdrawnPoints,
            spentPointsFen: before.spentPointsFen + plan.spentPointsFen,
            returnedPoints: before.returnedPoints + plan.returnedPoints,
          };
          for (const amount of [plan.refundFen, plan.withdrawnPoints, plan.spentPointsFen, plan.returnedPoints]) {
            expect(amount >= 0n).toBe(true);
          }
          expect(lots.every(({ remaining }) => remaining >= 0n)).toBe(true);
          expect(plan.withdrawnPoints <= points).toBe(true);
        }
        expect(before.fen <= order.payableFen).toBe(true);
        expect(before.returnedPoints <= order.pointsUsed).toBe(true);
        expect(before.withdrawnPoints <= order.pointsEarned).toBe(true);
        expect(before.fen + before.spentPointsFen <= order.payableFen).toBe(true);
      }),
      { numRuns: CASES },
    );
  });

  it('in parts of a whole sums to the whole', () => {
    fc.assert(
      fc.property(history, fc.bigInt({ min: 1n, max: 100n }), ({ granted, ...order }, percent) => {
        const lots = granted.map((micro, index) => lot(BigInt(index), 'purchase', micro));
        const total = granted.reduce((sum, micro) => sum + micro, 0n);
        const rich = { ...order, freePoints: 1_000_000n };
        const first = planDcuRefund({ ...rich, before: NOTHING }, lots, (total * percent) / 100n);
        const taken = new Map(first.uses.map((use) => [use.lotId, use.micro]));
        const left = lots.map((one) => ({ ...one, remaining: one.remaining - (taken.get(one.lotId) ?? 0n) }));
        const before = {
          ...{ micro: first.withdrawnMicro, fen: first.refundFen, withdrawnPoints: first.withdrawnPoints },
          ...{ spentPointsFen: first.spentPointsFen, returnedPoints: first.returnedPoints },
        };

        const second = planDcuRefund({ ...rich, before }, left, total);

        expect(first.refundFen + second.refundFen).toBe(order.payableFen);
        expect(first.returnedPoints + second.returnedPoints).toBe(order.pointsUsed);
        expect(first.withdrawnPoints + second.withdrawnPoints).toBe(order.pointsEarned);
        expect(second.isWhole && second.isUntouched).toBe(true);
      }),
      { numRuns: CASES },
    );
  });
});

describe('a refund of a package', () => {
  const ended = { cashFen: 2_500n, withdrawnMicro: 7n, uses: [{ lotId: 1n, micro: 7n }], isUntouched: false };

  it('moves points by the share of the cash, and leaves nothing of the order', () => {
    const plan = planPackageRefund(money({ pointsUsed: 99n }), ended);

    expect(plan).toMatchObject({ refundFen: 2_500n, withdrawnPoints: 25n, returnedPoints: 24n, isWhole: true, isUntouched: false });
    expect(plan).toMatchObject({ withdrawnMicro: 7n, uses: ended.uses });
  });

  it('never brings more cash than its own order cost, whatever credit it carries', () => {
    expect(planPackageRefund(money(), { ...ended, cashFen: 99_999n })).toMatchObject({
      refundFen: 10_000n,
      forfeitedFen: 89_999n,
      // All of its cash comes back though some of its time is used: what came with the order does not.
      isUntouched: false,
    });
    expect(planPackageRefund(money({ payableFen: 0n, pointsEarned: 0n }), { ...ended, isUntouched: true })).toMatchObject({
      refundFen: 0n,
      isUntouched: true,
    });
  });
});
