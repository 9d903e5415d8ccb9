import { formatMoney, formatPrice } from '@/utils/formatMoney';
import styles from './index.less';

interface MoneyProps {
  fen: number;
  /** A price tag: whole yuan without their zeros. */
  isPrice?: boolean;
  /** What it was before: struck through, for eyes; say in words beside it what it is now. */
  isFormer?: boolean;
}

/** An amount of money, in figures of one width that stay in one piece on any page. */
export function Money({ fen, isPrice, isFormer }: MoneyProps) {
  const figure = isPrice ? formatPrice(fen) : formatMoney(fen);
  return isFormer ? <s className={`${styles.money} ${styles.former}`}>{figure}</s> : <bdi className={styles.money}>{figure}</bdi>;
}
