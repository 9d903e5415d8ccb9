import { Pagination } from 'antd';
import { useIsPhone } from '@/hooks/useIsPhone';
import { useText } from '@/hooks/useText';
import type { ListedPage } from './index';
import styles from './pages.less';

/** The way through more rows than one page holds. */
export default function Pages({ page }: { page: Pick<ListedPage<unknown>, 'current' | 'pageSize' | 'total' | 'setPage'> }) {
  const text = useText();
  const isPhone = useIsPhone();
  return (
    <nav aria-label={text('list.pages')}>
      <Pagination
        className={styles.pages}
        current={page.current}
        pageSize={page.pageSize}
        total={page.total}
        simple={isPhone}
        showSizeChanger={false}
        onChange={(current) => page.setPage(current)}
      />
    </nav>
  );
}
