import { Link } from '@umijs/max';
import { Button, Skeleton } from 'antd';
import { lazy, Suspense } from 'react';
import { ErrorState } from '@/components/ErrorState';
import { BringsList } from '@/components/Purchase/BringsList';
import { PriceLines } from '@/components/Purchase/PriceLines';
import { StaleNote } from '@/components/StaleNote';
import { useText } from '@/hooks/useText';
import type { Purchase, Quote } from '@/services/order';
import { isCallError } from '@/utils/callError';
import { errorCodes } from '@/utils/errorCodes';
import { formatMoney } from '@/utils/formatMoney';
import styles from './choose.less';
import { RealNameNote, Refused } from './Refused';
import { usePlace } from './usePlace';
import type { LiveQuote } from './useQuote';

const PriceChangedDialog = lazy(() => import('./PriceChangedDialog'));

/** What the choice comes to and brings, and the one button that orders it. */
export function Summary({ purchase, live }: { purchase: Purchase | null; live: LiveQuote }) {
  const text = useText();
  const { quote, error, isLoading, refresh } = live;
  return (
    <aside className={styles.summary} aria-label={text('checkout.price')}>
      {quote && purchase ? (
        <Quoted purchase={purchase} quote={quote} live={live} />
      ) : !purchase ? (
        <p className={styles.hint}>{text('checkout.price.choose')}</p>
      ) : isCallError(error, errorCodes.REAL_NAME_REQUIRED) ? (
        <RealNameNote />
      ) : error ? (
        <ErrorState error={error} onRetry={refresh} isRetrying={isLoading} />
      ) : (
        <Skeleton active paragraph={{ rows: 6 }} />
      )}
    </aside>
  );
}

function Quoted({ purchase, quote, live }: { purchase: Purchase; quote: Quote; live: LiveQuote }) {
  const text = useText();
  const placing = usePlace(purchase, live.refresh);
  const { isStale, error } = live;
  const coupon = quote.coupons.find(({ coupon: { couponId } }) => couponId === quote.couponId)?.coupon;
  const [line] = quote.lines;
  const isSku = 'skuId' in purchase;
  return (
    <>
      <div className={styles.figures} data-stale={isStale} aria-busy={isStale && !error}>
        {line && (
          <h2>
            <bdi>{isSku ? text('purchase.times', { title: line.title, quantity: line.quantity }) : line.title}</bdi>
          </h2>
        )}
        <BringsList brings={quote.brings} />
        <PriceLines amounts={quote} totalAs="purchase.payable" couponTitle={coupon?.title} pointsUsed={quote.points.used} />
        {quote.earnsPoints > 0 && <p className={styles.hint}>{text('checkout.earns', { points: quote.earnsPoints })}</p>}
      </div>
      {error ? (
        <StaleNote error={error} onRetry={live.refresh} isRetrying={live.isLoading} />
      ) : (
        <p role="status" className={styles.status}>
          {isStale ? text('checkout.price.stale') : ''}
        </p>
      )}
      {quote.needsRealName && !isStale && <RealNameNote />}
      {placing.error && !quote.needsRealName && <Refused error={placing.error} />}
      <div className={styles.place}>
        <Button
          data-track="place-order"
          type="primary"
          size="large"
          block
          loading={placing.isPlacing}
          disabled={isStale || quote.needsRealName}
          onClick={() => placing.place(quote)}
        >
          {quote.payableFen === 0 ? text('checkout.place.free') : text('checkout.place', { amount: formatMoney(quote.payableFen) })}
        </Button>
      </div>
      <p className={styles.terms}>
        {text('checkout.place.terms')} <Link to="/terms">{text('menu.terms')}</Link>
      </p>
      <p className={styles.terms}>{text('checkout.place.note')}</p>
      {placing.change && (
        <Suspense>
          <PriceChangedDialog
            change={placing.change}
            isPlacing={placing.isPlacing}
            onAccept={placing.accept}
            onDecline={placing.decline}
          />
        </Suspense>
      )}
    </>
  );
}
