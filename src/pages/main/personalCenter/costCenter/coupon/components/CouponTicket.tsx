import { Link } from '@umijs/max';
import { useId } from 'react';
import { useText } from '@/hooks/useText';
import type { Coupon } from '@/services/coupon';
import { formatInstant } from '@/utils/formatTime';
import { membershipPath, orderPath } from '@/utils/orderPaths';
import styles from './CouponTicket.less';
import { type CouponMark, conditionWords, dateWords, fitWords, markOf, markWords, valueWords } from './couponFacts';

/** Where what a coupon fits is chosen. */
const shelves = {
  SKU: '/main/personalCenter/costCenter/account?topUp=1',
  PACKAGE: membershipPath,
} as const;

/** A coupon as a ticket: its value on the stub, beside it what it asks for, until when, and where to use it. */
export function CouponTicket({ coupon }: { coupon: Coupon }) {
  const text = useText();
  const id = useId();
  const atMs = Date.now();
  const mark = markOf(coupon, atMs);
  const marked = markWords(coupon, mark, text, atMs);
  const isGone = mark === 'used' || mark === 'expired';
  return (
    <article className={styles.ticket} data-gone={isGone} aria-labelledby={id}>
      <div className={styles.stub}>
        <p className={styles.value}>{valueWords(coupon, text)}</p>
        {conditionWords(coupon, text).map((words) => (
          <p key={words}>{words}</p>
        ))}
      </div>
      <div className={styles.body}>
        <h2 id={id}>
          <bdi>{coupon.title}</bdi>
        </h2>
        <p>{fitWords(coupon, text)}</p>
        <p>
          <time dateTime={coupon.endsAt} title={formatInstant(coupon.endsAt)}>
            {dateWords(coupon, mark, text)}
          </time>
        </p>
        {marked ? (
          <p className={styles.mark} data-mark={mark}>
            {marked}
          </p>
        ) : null}
        <Ways coupon={coupon} mark={mark} />
      </div>
    </article>
  );
}

function Ways({ coupon: { scope, orderId, title }, mark }: { coupon: Coupon; mark: CouponMark | null }) {
  const text = useText();
  if (orderId) {
    return (
      <p className={styles.ways}>
        <Link to={orderPath(orderId)}>{text('coupon.toOrder')}</Link>
      </p>
    );
  }
  if (mark !== null && mark !== 'soon') return null;
  const kinds = (['SKU', 'PACKAGE'] as const).filter((kind) => scope === 'ALL' || scope === kind);
  return (
    <p className={styles.ways}>
      {kinds.map((kind) => {
        const action = text(`coupon.use.${kind}`);
        return (
          <Link key={kind} to={shelves[kind]} aria-label={text('coupon.use.name', { action, title })}>
            {action}
          </Link>
        );
      })}
    </p>
  );
}
