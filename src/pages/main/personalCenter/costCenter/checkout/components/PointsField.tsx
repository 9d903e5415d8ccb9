import { Button, InputNumber, Slider } from 'antd';
import { useId } from 'react';
import { useText } from '@/hooks/useText';
import type { Quote } from '@/services/order';
import { formatMoney } from '@/utils/formatMoney';
import { formatNumber } from '@/utils/formatNumber';
import styles from './choose.less';
import type { LiveQuote } from './useQuote';

/** How many points to use, by slider, figure, or all that the order takes. */
export function PointsField({ live, quote }: { live: LiveQuote; quote: Quote }) {
  const text = useText();
  const id = useId();
  const { available, most, fenPerPoint } = quote.points;
  const hint =
    available === 0
      ? text('checkout.points.none')
      : most === 0
        ? text('checkout.points.notHere')
        : text('checkout.points.have', {
            available: formatNumber(available),
            most: formatNumber(most),
            worth: formatMoney(most * fenPerPoint),
          });
  return (
    <section className={styles.card} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{text('checkout.points.title')}</h2>
      <p className={styles.hint}>{hint}</p>
      {most > 0 && (
        <div className={styles.points}>
          <Slider
            className={styles.slider}
            ariaLabelForHandle={text('checkout.points.used')}
            min={0}
            max={most}
            value={Math.min(live.points, most)}
            tooltip={{ formatter: (points) => formatMoney((points ?? 0) * fenPerPoint) }}
            onChange={live.setPoints}
          />
          <InputNumber
            aria-label={text('checkout.points.used')}
            min={0}
            max={most}
            precision={0}
            controls={false}
            inputMode="numeric"
            value={live.points}
            onChange={(points) => live.setPoints(points ?? 0)}
          />
          <Button onClick={() => live.setPoints(most)}>{text('checkout.points.most')}</Button>
        </div>
      )}
    </section>
  );
}
