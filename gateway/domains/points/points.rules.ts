import type { PointsRules, RewardEntry } from '../../catalog/saleEntries';

/** Points that cash earns: so many for each whole yuan of it. What coupons and points paid earns nothing. */
export function earnedBy({ perYuan }: Pick<PointsRules, 'perYuan'>, cashFen: bigint): bigint {
  return (cashFen / 100n) * BigInt(perYuan);
}

/** What a check-in brings on the nth day in a row. */
export function checkInPoints({ checkIn }: Pick<PointsRules, 'checkIn'>, streakDays: number): bigint {
  return BigInt(streakDays % checkIn.streakEvery === 0 ? checkIn.streakPoints : checkIn.points);
}

/** A day's check-in and how many days in a row it made. */
export interface CheckedIn {
  day: string;
  streak: number;
}

/** Days in a row up to today, or up to yesterday while today is still open; 0 once a day was missed. */
export function streakAt(last: CheckedIn | undefined, today: string, yesterday: string): number {
  return last && (last.day === today || last.day === yesterday) ? last.streak : 0;
}

/** What of a reward for doing something the month's budget still pays. */
export function withinBudget({ monthlyBudget }: Pick<PointsRules, 'monthlyBudget'>, earned: bigint, due: bigint): bigint {
  const left = BigInt(monthlyBudget) - earned;
  if (left <= 0n) return 0n;
  return due < left ? due : left;
}

/** How often a member may still take a reward; null: as often as one likes. */
export function rewardsLeft({ mostEach }: Pick<RewardEntry, 'mostEach'>, taken: number): number | null {
  return mostEach === null ? null : Math.max(0, mostEach - taken);
}
