import { LotBar } from '@/components/LotBar';
import { useText } from '@/hooks/useText';
import type { Lot } from '@/services/account';
import styles from './LotList.less';

/** The parts of the balance in the order in which they are burnt. */
export function LotList({ lots }: { lots: Lot[] }) {
  const text = useText();
  if (lots.length === 0) return <p className={styles.hint}>{text('lot.empty')}</p>;
  return (
    <>
      <p className={styles.hint}>{text('lot.hint')}</p>
      <ol className={styles.lots}>
        {lots.map((lot, index) => (
          <li key={lot.lotId}>
            <LotBar lot={lot} mark={index === 0 && lots.length > 1 ? text('lot.first') : undefined} />
          </li>
        ))}
      </ol>
    </>
  );
}
