import fc from 'fast-check';
import { checkInPoints, earnedBy, rewardsLeft, streakAt, withinBudget } from './points.rules';

describe('points', () => {
  it.each([
    [0n, 0n],
    [99n, 0n],
    [100n, 1n],
    [12_345n, 123n],
  ])('%s fen of cash earn %s', (cashFen, points) => {
    expect(earnedBy({ perYuan: 1 }, cashFen)).toBe(points);
    expect(earnedBy({ perYuan: 3 }, cashFen)).toBe(points * 3n);
  });

  const checkIn = { points: 5, streakEvery: 7, streakPoints: 20 };

  it.each([
    [1, 5n],
    [6, 5n],
    [7, 20n],
    [8, 5n],
    [14, 20n],
  ])('a check-in on day %i in a row brings %s', (streak, points) => {
    expect(checkInPoints({ checkIn }, streak)).toBe(points);
  });

  it.each([
    ['none ever', undefined, 0],
    ['today’s', { day: '2026-03-02', streak: 4 }, 4],
    ['yesterday’s', { day: '2026-03-01', streak: 4 }, 4],
    ['one before a missed day', { day: '2026-02-28', streak: 4 }, 0],
  ])('a streak after %s check-in is what it is', (_what, last, streak) => {
    expect(streakAt(last, '2026-03-02', '2026-03-01')).toBe(streak);
  });

  it('earned by doing never go beyond the month’s budget, and use it up', () => {
    fc.assert(
      fc.property(fc.nat(1_000), fc.array(fc.nat(300), { minLength: 1 }), (monthlyBudget, dues) => {
        const earned = dues.reduce((sum, due) => sum + withinBudget({ monthlyBudget }, sum, BigInt(due)), 0n);
        const asked = dues.reduce((sum, due) => sum + BigInt(due), 0n);
        expect(earned).toBe(asked < BigInt(monthlyBudget) ? asked : BigInt(monthlyBudget));
      }),
    );
  });

  it.each([
    [null, 9, null],
    [2, 0, 2],
    [2, 2, 0],
    [1, 3, 0],
  ])('a reward for at most %s taken %i times may be taken %s times more', (mostEach, taken, left) => {
    expect(rewardsLeft({ mostEach }, taken)).toBe(left);
  });
});
