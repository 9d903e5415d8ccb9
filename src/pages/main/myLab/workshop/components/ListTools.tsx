import { AppstoreOutlined, BarsOutlined } from '@ant-design/icons';
import { Segmented, Select } from 'antd';
import { SearchField } from '@/components/SearchField';
import { useText } from '@/hooks/useText';
import type { Text } from '@/utils/words';
import styles from '../index.less';
import type { LabList } from './useLabList';

export type ListView = 'cards' | 'table';

interface ListToolsProps {
  list: LabList;
  view: ListView;
  onView: (view: ListView) => void;
}

const orders = ['createdAt.descend', 'stateChangedAt.descend', 'name.ascend'] as const;

function stateOptions(offered: LabList['offered'], chosen: LabList['page']['filters']['state'], text: Text) {
  const options = (offered?.states ?? []).map(({ state, count }) => ({
    value: state,
    label: text('workshop.filter.option', { name: text(`workshop.state.${state}`), count }),
  }));
  // A link may ask for a state that no workshop is in: its code must not stand in the field.
  if (chosen === undefined || options.some(({ value }) => value === chosen)) return options;
  return [...options, { value: chosen, label: text(`workshop.state.${chosen}`) }];
}

/** Search, filters with their counts, order, and cards or table. */
export default function ListTools({ list: { page, offered }, view, onView }: ListToolsProps) {
  const text = useText();
  const order = orders.find((one) => one === `${page.sortField}.${page.sortOrder}`) ?? orders[0];
  return (
    <div className={styles.tools}>
      <SearchField
        className={styles.search}
        label={text('workshop.search')}
        keyword={page.filters.keyword ?? ''}
        onSearch={(keyword) => page.setFilters({ keyword })}
      />
      <Select
        className={styles.filter}
        allowClear
        placeholder={text('workshop.filter.state')}
        aria-label={text('workshop.filter.state')}
        value={page.filters.state ?? null}
        options={stateOptions(offered, page.filters.state, text)}
        onChange={(state) => page.setFilters({ state: state ?? undefined })}
      />
      <Select
        className={styles.filter}
        allowClear
        placeholder={text('workshop.filter.spec')}
        aria-label={text('workshop.filter.spec')}
        value={page.filters.specId ?? null}
        options={offered?.specs.map(({ specId, name, count }) => ({
          value: specId,
          label: text('workshop.filter.option', { name, count }),
        }))}
        onChange={(specId) => page.setFilters({ specId: specId ?? undefined })}
      />
      <span className={styles.spacer} />
      <Select
        className={styles.filter}
        aria-label={text('workshop.sort')}
        value={order}
        options={orders.map((one) => ({ value: one, label: text(`workshop.sort.${one}`) }))}
        onChange={(chosen) => {
          const [field, direction] = chosen.split('.') as ['createdAt' | 'name' | 'stateChangedAt', 'ascend' | 'descend'];
          page.setSort(chosen === orders[0] ? undefined : field, direction);
        }}
      />
      <Segmented
        className={styles.view}
        aria-label={text('workshop.view')}
        value={view}
        options={[
          { value: 'cards', icon: <AppstoreOutlined aria-hidden />, title: text('workshop.view.cards') },
          { value: 'table', icon: <BarsOutlined aria-hidden />, title: text('workshop.view.table') },
        ]}
        onChange={onView}
      />
    </div>
  );
}
