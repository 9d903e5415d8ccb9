import OptionCard from '@/components/OptionCard';
import optionStyles from '@/components/OptionCard/index.less';
import { useText } from '@/hooks/useText';
import type { OfferedCoupon, Quote } from '@/services/order';
import { formatMoney, formatPrice } from '@/utils/formatMoney';
import { formatNumber } from '@/utils/formatNumber';
import { formatDate } from '@/utils/formatTime';
import type { Text } from '@/utils/words';
import styles from './choose.less';
import type { LiveQuote } from './useQuote';

/** What a coupon does here, in words. */
function worthWords({ discountFen, bonusDcu }: OfferedCoupon, text: Text): string {
  return bonusDcu > 0
    ? text('checkout.coupon.adds', { dcu: formatNumber(bonusDcu) })
    : text('checkout.coupon.saves', { amount: formatMoney(discountFen) });
}

/** Why it does not fit; empty where it does. */
function reasonWords({ coupon, reason }: OfferedCoupon, text: Text): string {
  if (reason === null) return '';
  const values = { date: formatDate(coupon.startsAt), minimum: formatPrice(coupon.minimumFen) };
  return text(`checkout.coupon.reason.${reason}`, values);
}

/** The member's coupons: those that fit, best first, none at all, and behind a fold those that do not, each with why. */
export function CouponPicker({ live, quote }: { live: LiveQuote; quote: Quote }) {
  const text = useText();
  const fitting = quote.coupons.filter(({ isUsable }) => isUsable);
  const others = quote.coupons.filter(({ isUsable }) => !isUsable);
  const option = (offered: OfferedCoupon, isBest: boolean) => {
    const { coupon, isUsable } = offered;
    const facts = [
      isUsable && worthWords(offered, text),
      isBest && text('checkout.coupon.best'),
      text('checkout.coupon.until', { date: formatDate(coupon.endsAt) }),
    ].filter((fact) => fact !== false);
    return (
      <OptionCard
        key={coupon.couponId}
        name="coupon"
        isChosen={live.couponId === coupon.couponId}
        title={<bdi>{coupon.title}</bdi>}
        reason={reasonWords(offered, text)}
        onChoose={() => live.setCoupon(coupon.couponId)}
      >
        <span>{facts.join(' · ')}</span>
      </OptionCard>
    );
  };
  return (
    <section className={styles.card} aria-labelledby="checkout-coupon">
      <h2 id="checkout-coupon">{text('checkout.coupon.title')}</h2>
      {live.hasDroppedCoupon && (
        <p role="status" className={styles.note}>
          {text('checkout.coupon.dropped')}
        </p>
      )}
      {fitting.length > 0 ? (
        <div className={optionStyles.options} role="radiogroup" aria-labelledby="checkout-coupon">
          {fitting.map((offered, index) => option(offered, index === 0))}
          <OptionCard
            name="coupon"
            isChosen={live.couponId === null}
            title={text('checkout.coupon.none')}
            onChoose={() => live.setCoupon(null)}
          />
        </div>
      ) : (
        <p className={styles.hint}>{text('checkout.coupon.nothing')}</p>
      )}
      {others.length > 0 && (
        <details className={styles.fold}>
          <summary>{text('checkout.coupon.unusable', { count: others.length })}</summary>
          <div className={optionStyles.options}>{others.map((offered) => option(offered, false))}</div>
        </details>
      )}
    </section>
  );
}
