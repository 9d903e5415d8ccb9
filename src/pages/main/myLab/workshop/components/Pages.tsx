import { Pagination } from 'antd';
import { useText } from '@/hooks/useText';
import styles from '../index.less';
import type { LabList } from './useLabList';

/** The way through more workshops than one page holds. */
export default function Pages({ page }: { page: LabList['page'] }) {
  const text = useText();
  return (
    <Pagination
      className={styles.pages}
      align="end"
      current={page.current}
      pageSize={page.pageSize}
      total={page.total}
      showSizeChanger={false}
      showTotal={(total) => text('workshop.total', { total })}
      onChange={page.setPage}
    />
  );
}
