import { useText } from '@/hooks/useText';
import type { PriceLine } from '@/services/order';
import type { Word } from '@/utils/words';
import { Money } from '../Money';
import styles from './index.less';

type Amounts = Omit<PriceLine, 'title' | 'quantity'>;

interface PriceLinesProps {
  amounts: Amounts;
  /** "To pay" before, "Paid" after. */
  totalAs: Word;
  /** Which coupon it was. */
  couponTitle?: string | undefined;
  pointsUsed?: number;
  /** What came back since. */
  refundedFen?: number;
}

/** The price in the order in which it is made: list, student, upgrade credit, coupon, points, and what is left to pay. */
export function PriceLines({ amounts, totalAs, couponTitle, pointsUsed = 0, refundedFen = 0 }: PriceLinesProps) {
  const text = useText();
  const parts: { word: Word; note?: string | undefined; fen: number }[] = [
    { word: 'purchase.student', fen: amounts.studentDiscountFen },
    { word: 'purchase.credit', fen: amounts.upgradeCreditFen },
    { word: 'purchase.coupon', note: couponTitle, fen: amounts.couponDiscountFen },
    { word: 'purchase.points', note: text('purchase.pointsUsed', { points: pointsUsed }), fen: amounts.pointsDiscountFen },
  ];
  const less = parts.filter(({ fen }) => fen > 0);
  return (
    <dl className={styles.price}>
      <Part word="purchase.list" fen={amounts.listFen} />
      {less.map(({ word, note, fen }) => (
        <Part key={word} word={word} note={note} fen={-fen} />
      ))}
      <div className={styles.total}>
        <dt>{text(totalAs)}</dt>
        <dd>
          <Money fen={amounts.payableFen} />
        </dd>
      </div>
      {refundedFen > 0 && <Part word="purchase.refunded" fen={-refundedFen} />}
    </dl>
  );
}

function Part({ word, note, fen }: { word: Word; note?: string | undefined; fen: number }) {
  const text = useText();
  return (
    <div>
      <dt>
        {text(word)}
        {note && (
          <small>
            <bdi>{note}</bdi>
          </small>
        )}
      </dt>
      <dd>
        <Money fen={fen} />
      </dd>
    </div>
  );
}
