import { history } from '@umijs/max';
import { Button, Pagination, Skeleton, Table } from 'antd';
import { EmptyState } from '@/components/EmptyState';
import { ErrorState } from '@/components/ErrorState';
import { useIsPhone } from '@/hooks/useIsPhone';
import { usePage, wordFilter } from '@/hooks/usePage';
import { usePollWhile } from '@/hooks/usePollWhile';
import { useText } from '@/hooks/useText';
import { type DcuChange, pageDcuChanges } from '@/services/account';
import { ChangeCards } from './ChangeCards';
import { ChangeFilterBar } from './ChangeFilterBar';
import { type ChangeFilters, changeKinds, dayFilter, instantsOf } from './changeFilters';
import styles from './DcuChanges.less';
import { useChangeColumns } from './useChangeColumns';

const filters = { kind: wordFilter(changeKinds), from: dayFilter, to: dayFilter };
const nothingIsUnderWay = () => false;

/** Every change of the balance, newest first. Filters and page stand in the URL. */
export function DcuChanges() {
  const text = useText();
  const page = usePage<DcuChange, ChangeFilters>({
    filters,
    load: ({ current, pageSize, kind, from, to }) =>
      pageDcuChanges({ current, pageSize, ...(kind ? { kind } : {}), ...instantsOf({ from, to }) }),
  });
  usePollWhile(page, nothingIsUnderWay);
  return (
    <section className={styles.changes} aria-labelledby="changes">
      <header>
        <h2 id="changes">{text('change.title')}</h2>
        <ChangeFilterBar
          filters={page.filters}
          onChange={page.setFilters}
          onClear={page.isFiltered ? page.clearFilters : undefined}
        />
      </header>
      <ChangeList page={page} />
    </section>
  );
}

type ChangePage = ReturnType<typeof usePage<DcuChange, ChangeFilters>>;

function ChangeList({ page }: { page: ChangePage }) {
  const text = useText();
  const isPhone = useIsPhone();
  const columns = useChangeColumns();
  if (page.error && !page.data) return <ErrorState error={page.error} onRetry={page.refresh} isRetrying={page.loading} />;
  if (page.isFirstLoading)
    return <Skeleton className={styles.skeleton} active title={false} paragraph={{ rows: 8, width: '100%' }} />;
  if (page.total === 0) return <NoChanges isFiltered={page.isFiltered} onClear={page.clearFilters} />;
  return (
    <div className={page.isStale ? styles.stale : undefined} aria-busy={page.isStale}>
      {isPhone ? (
        <ChangeCards changes={page.rows} />
      ) : (
        <Table rowKey="changeId" columns={columns} dataSource={page.rows} pagination={false} scroll={{ x: 720 }} />
      )}
      <footer>
        <span>{text('change.total', { total: page.total })}</span>
        <Pagination
          current={page.current}
          pageSize={page.pageSize}
          total={page.total}
          onChange={page.setPage}
          showSizeChanger={false}
          hideOnSinglePage
          simple={isPhone}
        />
      </footer>
    </div>
  );
}

function NoChanges({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) {
  const text = useText();
  const clear = <Button onClick={onClear}>{text('change.clear')}</Button>;
  const go = (
    <Button type="primary" onClick={() => history.push('/main/myLab/workshop')}>
      {text('change.empty.action')}
    </Button>
  );
  return (
    <EmptyState
      drawing={isFiltered ? 'map' : 'ledger'}
      words={text(isFiltered ? 'change.emptyFiltered' : 'change.empty')}
      action={isFiltered ? clear : go}
    />
  );
}
