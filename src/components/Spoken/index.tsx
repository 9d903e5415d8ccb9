import type { ReactNode } from 'react';
import styles from './index.less';

/** Words for who cannot see what a mark, a place or a struck-through figure says. */
export function Spoken({ children }: { children: ReactNode }) {
  return <span className={styles.spoken}>{children}</span>;
}
