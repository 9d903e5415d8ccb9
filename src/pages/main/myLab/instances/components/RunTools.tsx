import { Button, Input, Select } from 'antd';
import { SearchField } from '@/components/SearchField';
import { useText } from '@/hooks/useText';
import type { Text } from '@/utils/words';
import styles from './instances.less';
import { type Runs, runSorts } from './useRuns';

interface Option<V extends string> {
  value: V;
  label: string;
}

interface FilterProps<V extends string> {
  label: string;
  value: V | undefined;
  options: Option<V>[];
  onChange: (value: V | undefined) => void;
}

function Filter<V extends string>({ label, value, options, onChange }: FilterProps<V>) {
  return (
    <Select
      className={styles.filter}
      allowClear
      popupMatchSelectWidth={false}
      placeholder={label}
      aria-label={label}
      value={value ?? null}
      options={options}
      onChange={(chosen: V | null | undefined) => onChange(chosen ?? undefined)}
    />
  );
}

/** What is offered with its counts; a link may ask for what is offered no more, whose code must not stand in the field. */
function optionsOf<V extends string>(
  offer: [V, string, number][],
  chosen: V | undefined,
  nameOf: (value: V) => string,
  text: Text,
) {
  const options: Option<V>[] = offer.map(([value, name, count]) => ({
    value,
    label: text('workshop.filter.option', { name, count }),
  }));
  if (chosen === undefined || options.some(({ value }) => value === chosen)) return options;
  return [...options, { value: chosen, label: nameOf(chosen) }];
}

/** Search, filters with their counts, days and order; all of it stands in the URL. */
export function RunTools({ runs: { page, offered } }: { runs: Runs }) {
  const text = useText();
  const { keyword = '', state, stopReason, specId, from, to } = page.filters;
  const stateName = (value: 'OPEN' | 'ENDED') => text(`instances.state.${value}`);
  const reasonName = (value: NonNullable<typeof stopReason>) => text(`workshop.reason.${value}`);
  const states = (offered?.states ?? []).map((one): ['OPEN' | 'ENDED', string, number] => [
    one.state,
    stateName(one.state),
    one.count,
  ]);
  const reasons = (offered?.stopReasons ?? []).map((one): [typeof one.stopReason, string, number] => [
    one.stopReason,
    reasonName(one.stopReason),
    one.count,
  ]);
  const specs = (offered?.specs ?? []).map((one): [string, string, number] => [one.specId, one.name, one.count]);
  return (
    <div className={styles.tools}>
      <SearchField
        className={styles.search}
        label={text('instances.search')}
        keyword={keyword}
        onSearch={(words) => page.setFilters({ keyword: words })}
      />
      <Filter
        label={text('workshop.filter.state')}
        value={state}
        options={optionsOf(states, state, stateName, text)}
        onChange={(value) => page.setFilters({ state: value })}
      />
      <Filter
        label={text('instances.why')}
        value={stopReason}
        options={optionsOf(reasons, stopReason, reasonName, text)}
        onChange={(value) => page.setFilters({ stopReason: value })}
      />
      <Filter
        label={text('workshop.filter.spec')}
        value={specId}
        options={optionsOf(specs, specId, (value) => value, text)}
        onChange={(value) => page.setFilters({ specId: value })}
      />
      <span className={styles.days}>
        {(['from', 'to'] as const).map((end) => (
          <Input
            key={end}
            type="date"
            aria-label={text(`instances.${end}`)}
            title={text(`instances.${end}`)}
            value={(end === 'from' ? from : to) ?? ''}
            {...(end === 'from' ? { max: to } : { min: from })}
            onChange={({ target }) => page.setFilters({ [end]: target.value || undefined })}
          />
        ))}
      </span>
      {page.isFiltered && (
        <Button type="text" onClick={page.clearFilters}>
          {text('list.clear')}
        </Button>
      )}
      <Select
        className={styles.sort}
        aria-label={text('workshop.sort')}
        popupMatchSelectWidth={false}
        value={page.sortField ?? 'startedAt'}
        options={runSorts.map((value) => ({ value, label: text(`instances.sort.${value}`) }))}
        onChange={(field) => page.setSort(field === 'startedAt' ? undefined : field)}
      />
    </div>
  );
}
