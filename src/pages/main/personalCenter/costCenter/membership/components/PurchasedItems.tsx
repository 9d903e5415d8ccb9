import { Select } from 'antd';
import { forwardRef, useImperativeHandle } from 'react';
import { PagedList } from '@/components/PagedList';
import { ListSkeleton } from '@/components/PagedList/ListSkeleton';
import { RowTable } from '@/components/RowTable';
import { usePage, wordFilter } from '@/hooks/usePage';
import { useText } from '@/hooks/useText';
import { type PurchasedItem, pagePurchasedItems } from '@/services/membership';
import { type ItemState, itemStates } from './itemFacts';
import { useItemColumns } from './useItemColumns';

interface ItemFilters {
  state: ItemState;
}

const filters = { state: wordFilter(itemStates) };

/** The Subscription Center: every package that was bought or given, newest first. */
export const PurchasedItems = forwardRef<{ refresh: () => void }>(function PurchasedItems(_, ref) {
  const text = useText();
  const columns = useItemColumns();
  const page = usePage<PurchasedItem, ItemFilters>({
    filters,
    urlPrefix: 'items.',
    load: ({ current, pageSize, state }) => pagePurchasedItems({ current, pageSize, ...(state ? { state } : {}) }),
  });
  useImperativeHandle(ref, () => ({ refresh: page.refresh }));
  const heading = text('membership.items');
  const filter = (
    <Select
      aria-label={text('membership.items.state')}
      value={page.filters.state ?? ''}
      onChange={(state: ItemState | '') => page.setFilters({ state: state || undefined })}
      popupMatchSelectWidth={false}
      options={[
        { value: '' as const, label: text('membership.items.state.all') },
        ...itemStates.map((state) => ({ value: state, label: text(`membership.items.state.${state}`) })),
      ]}
    />
  );
  return (
    <PagedList
      isFramed
      page={page}
      heading={heading}
      filters={filter}
      skeleton={<ListSkeleton shape="rows" />}
      empty={{
        drawing: 'shelf',
        words: text('membership.items.empty'),
        action: <a href="#packages">{text('membership.items.empty.action')}</a>,
      }}
      totalWords={text('membership.items.total', { total: page.total })}
    >
      {(items) => <RowTable label={heading} rows={items} idOf={({ itemId }) => itemId} columns={columns} minWidth={920} />}
    </PagedList>
  );
});
