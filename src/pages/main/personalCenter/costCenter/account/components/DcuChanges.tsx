import { history } from '@umijs/max';
import { Button } from 'antd';
import { PagedList } from '@/components/PagedList';
import { ListSkeleton } from '@/components/PagedList/ListSkeleton';
import { RowTable } from '@/components/RowTable';
import { usePage, wordFilter } from '@/hooks/usePage';
import { usePollWhile } from '@/hooks/usePollWhile';
import { useText } from '@/hooks/useText';
import { type DcuChange, pageDcuChanges } from '@/services/account';
import { ChangeCard } from './ChangeCard';
import { ChangeFilterBar } from './ChangeFilterBar';
import { type ChangeFilters, changeKinds, dayFilter, instantsOf } from './changeFilters';
import { useChangeColumns } from './useChangeColumns';

const filters = { kind: wordFilter(changeKinds), from: dayFilter, to: dayFilter };
const nothingIsUnderWay = () => false;

/** Every change of the balance, newest first. Filters and page stand in the URL. */
export function DcuChanges() {
  const text = useText();
  const columns = useChangeColumns();
  const page = usePage<DcuChange, ChangeFilters>({
    filters,
    load: ({ current, pageSize, kind, from, to }) =>
      pageDcuChanges({ current, pageSize, ...(kind ? { kind } : {}), ...instantsOf({ from, to }) }),
  });
  usePollWhile(page, nothingIsUnderWay);
  const bar = (
    <ChangeFilterBar filters={page.filters} onChange={page.setFilters} onClear={page.isFiltered ? page.clearFilters : undefined} />
  );
  const action = (
    <Button type="primary" onClick={() => history.push('/main/myLab/workshop')}>
      {text('change.empty.action')}
    </Button>
  );
  return (
    <PagedList
      isFramed
      page={page}
      heading={text('change.title')}
      filters={bar}
      skeleton={<ListSkeleton shape="rows" />}
      empty={{ drawing: 'ledger', words: text('change.empty'), action }}
      totalWords={text('change.total', { total: page.total })}
    >
      {(changes) => (
        <RowTable
          label={text('change.title')}
          rows={changes}
          idOf={({ changeId }) => changeId}
          columns={columns}
          minWidth={720}
          card={(change) => <ChangeCard change={change} />}
        />
      )}
    </PagedList>
  );
}
