import { Skeleton } from 'antd';
import styles from './index.less';

const places = ['first', 'second', 'third', 'fourth', 'fifth'] as const;

/** The shape of a list before its first rows are there: lines of a table, or cards. */
export function ListSkeleton({ shape }: { shape: 'rows' | 'cards' }) {
  if (shape === 'rows') {
    return (
      <div className={styles.lines}>
        {places.map((place) => (
          <Skeleton key={place} active title={{ width: '32%' }} paragraph={{ rows: 1, width: '64%' }} />
        ))}
      </div>
    );
  }
  return (
    <div className={styles.cards}>
      {places.slice(0, 3).map((place) => (
        <Skeleton key={place} active title={{ width: '40%' }} paragraph={{ rows: 3, width: ['60%', '90%', '30%'] }} />
      ))}
    </div>
  );
}
