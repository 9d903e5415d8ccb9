import { lesser } from '../../bigints';

/** The parts of a price in its order; what was listed less all of the others is payable. */
export interface Amounts {
  listFen: bigint;
  studentDiscountFen: bigint;
  upgradeCreditFen: bigint;
  couponDiscountFen: bigint;
  pointsDiscountFen: bigint;
  payableFen: bigint;
}

/** What reduces a price, in the order in which it does. */
const PARTS = ['studentDiscountFen', 'upgradeCreditFen', 'couponDiscountFen', 'pointsDiscountFen'] as const;

export interface PointsRule {
  fenPerPoint: bigint;
  /** Of what is left before them, at most so many of a hundred are paid with points. */
  mostPercent: bigint;
}

/** A price as far as it stands before coupon and points. */
export interface BeforeCoupon {
  lineListFen: readonly bigint[];
  studentDiscountFen: bigint;
  upgradeCreditFen: bigint;
  leftFen: bigint;
}

/** List → student price → upgrade credit, which the new price caps: it is never paid out. */
export function priceBeforeCoupon(ask: { lineListFen: readonly bigint[]; ownFen: bigint; creditFen: bigint }): BeforeCoupon {
  const listFen = sum(ask.lineListFen);
  if (ask.ownFen < 0n || ask.ownFen > listFen || ask.creditFen < 0n)
    throw new RangeError('a price lies between nothing and the list');
  const upgradeCreditFen = lesser(ask.creditFen, ask.ownFen);
  return {
    lineListFen: ask.lineListFen,
    studentDiscountFen: listFen - ask.ownFen,
    upgradeCreditFen,
    leftFen: ask.ownFen - upgradeCreditFen,
  };
}

/** The most points that can pay of what is left before them, however many the member has. */
export function mostPointsFor(leftFen: bigint, { fenPerPoint, mostPercent }: PointsRule): bigint {
  return (leftFen * mostPercent) / 100n / fenPerPoint;
}

/**
 * The whole price, and its lines, which sum to it part by part. Throws `RangeError` for a coupon or points beyond what is left before
 * them: whoever asks has judged both.
 */
export function priceOrder(
  before: BeforeCoupon,
  { couponDiscountFen, points, rule }: { couponDiscountFen: bigint; points: bigint; rule: PointsRule },
): { amounts: Amounts; lines: Amounts[] } {
  const beforePointsFen = before.leftFen - couponDiscountFen;
  if (couponDiscountFen < 0n || beforePointsFen < 0n) throw new RangeError('a coupon takes off at most what is left');
  if (points < 0n || points > mostPointsFor(beforePointsFen, rule)) throw new RangeError('more points than the price takes');
  const pointsDiscountFen = points * rule.fenPerPoint;
  const amounts = {
    listFen: sum(before.lineListFen),
    studentDiscountFen: before.studentDiscountFen,
    upgradeCreditFen: before.upgradeCreditFen,
    couponDiscountFen,
    pointsDiscountFen,
    payableFen: beforePointsFen - pointsDiscountFen,
  };
  return { amounts, lines: linesOf(before.lineListFen, amounts) };
}

/** Each part is spread in proportion to what the parts before it left of each line, so no line falls below nothing. */
function linesOf(lineListFen: readonly bigint[], amounts: Amounts): Amounts[] {
  const nothing = { studentDiscountFen: 0n, upgradeCreditFen: 0n, couponDiscountFen: 0n, pointsDiscountFen: 0n };
  const lines = lineListFen.map((listFen): Amounts => ({ listFen, ...nothing, payableFen: listFen }));
  for (const part of PARTS) {
    const shares = spread(
      amounts[part],
      lines.map((line) => line.payableFen),
    );
    for (const [index, line] of lines.entries()) {
      line[part] = shares[index] ?? 0n;
      line.payableFen -= line[part];
    }
  }
  return lines;
}

/**
 * Whole shares of `total` in proportion to `weights`, by the largest remainder; of equal remainders the first line's comes first. A
 * share is never more than its weight while `total` is at most their sum.
 */
export function spread(total: bigint, weights: readonly bigint[]): bigint[] {
  const whole = sum(weights);
  if (total < 0n || total > whole) throw new RangeError('more is spread than there is');
  if (whole === 0n) return weights.map(() => 0n);
  const shares = weights.map((weight) => (total * weight) / whole);
  const byRemainder = weights
    .map((weight, index) => ({ index, remainder: (total * weight) % whole }))
    .sort(
      (one, other) => Number(other.remainder > one.remainder) - Number(other.remainder < one.remainder) || one.index - other.index,
    );
  const rest = Number(total - sum(shares));
  for (const { index } of byRemainder.slice(0, rest)) shares[index] = (shares[index] ?? 0n) + 1n;
  return shares;
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n);
}
