import { Button, Select } from 'antd';
import { useText } from '@/hooks/useText';
import { orderStates } from '../../../../../../../gateway/contract/orderStates';
import styles from './order.less';
import { type OrderFilters, type OrderPage, orderKinds } from './useOrders';

/** Filters by state and kind; both stand in the URL. */
export function OrderFilterBar({ page }: { page: OrderPage }) {
  const text = useText();
  const { state, kind } = page.filters;
  return (
    <div className={styles.filters}>
      <Select
        aria-label={text('order.state')}
        value={state ?? ''}
        popupMatchSelectWidth={false}
        onChange={(value: OrderFilters['state'] | '') => page.setFilters({ state: value || undefined })}
        options={[
          { value: '' as const, label: text('order.state.all') },
          ...orderStates.map((value) => ({ value, label: text(`purchase.state.${value}`) })),
        ]}
      />
      <Select
        aria-label={text('order.kind')}
        value={kind ?? ''}
        popupMatchSelectWidth={false}
        onChange={(value: OrderFilters['kind'] | '') => page.setFilters({ kind: value || undefined })}
        options={[
          { value: '' as const, label: text('order.kind.all') },
          ...orderKinds.map((value) => ({ value, label: text(`order.kind.${value}`) })),
        ]}
      />
      {page.isFiltered && (
        <Button type="text" onClick={page.clearFilters}>
          {text('list.clear')}
        </Button>
      )}
    </div>
  );
}
