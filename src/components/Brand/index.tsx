import { useText } from '@/hooks/useText';
import styles from './index.less';

/** The mark: an easel whose crossbar carries a light. */
export function BrandMark({ size = 28 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" className={styles.mark}>
      <rect width="32" height="32" rx="9" />
      <path d="M8.4 24.2 15.1 8.6a1 1 0 0 1 1.8 0l6.7 15.6M10.9 18.6h10.2" />
      <circle cx="16" cy="13.4" r="1.7" />
    </svg>
  );
}

/** Mark and name of the product, in the reader's language. */
export function Brand({ size = 28 }: { size?: number }) {
  const text = useText();
  return (
    <span className={styles.brand}>
      <BrandMark size={size} />
      <span>{text('app.title')}</span>
    </span>
  );
}
