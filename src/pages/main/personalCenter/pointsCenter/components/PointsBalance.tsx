import { useText } from '@/hooks/useText';
import type { PointsOverview } from '@/services/points';
import { formatMoney } from '@/utils/formatMoney';
import { formatNumber } from '@/utils/formatNumber';
import cards from '../index.less';
import styles from './PointsBalance.less';

/** What there is, what it is worth, and how much of this month's budget is earned. */
export function PointsBalance({ overview }: { overview: PointsOverview }) {
  const text = useText();
  const { points, heldPoints, fenPerPoint, mostPercent, earnedThisMonth, monthlyBudget } = overview;
  const percent = monthlyBudget > 0 ? Math.min(100, (100 * earnedThisMonth) / monthlyBudget) : 100;
  const figures = { earned: formatNumber(earnedThisMonth), most: formatNumber(monthlyBudget) };
  return (
    <section className={cards.card} aria-labelledby="points-balance">
      <h2 id="points-balance" className={styles.label}>
        {text('points.balance')}
      </h2>
      <p className={styles.figure}>{text('points.unit', { count: points })}</p>
      <p>{text('points.worth', { amount: formatMoney(points * fenPerPoint), percent: mostPercent })}</p>
      {heldPoints > 0 ? <p className={styles.muted}>{text('points.held', { count: heldPoints })}</p> : null}
      <dl className={styles.budget}>
        <dt>{text('points.budget')}</dt>
        <dd>{text('points.budget.of', figures)}</dd>
        <dd className={styles.track} aria-hidden="true">
          <span style={{ inlineSize: `${percent}%` }} />
        </dd>
        <dd className={styles.muted}>{text(earnedThisMonth >= monthlyBudget ? 'points.budget.full' : 'points.budget.hint')}</dd>
      </dl>
    </section>
  );
}
