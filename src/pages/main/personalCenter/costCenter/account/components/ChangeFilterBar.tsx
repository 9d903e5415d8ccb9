import { Button, Input, Select } from 'antd';
import { useText } from '@/hooks/useText';
import { currentLanguage } from '@/utils/language';
import styles from './ChangeFilterBar.less';
import { type ChangeFilters, type ChangeKind, changeKinds, dayFilter } from './changeFilters';

interface ChangeFilterBarProps {
  filters: ChangeFilters;
  onChange: (changes: { kind?: ChangeKind | undefined; from?: string | undefined; to?: string | undefined }) => void;
  onClear: (() => void) | undefined;
}

/** The browser's own day fields: they speak the reader's language and weigh nothing. */
export function ChangeFilterBar({ filters, onChange, onClear }: ChangeFilterBarProps) {
  const text = useText();
  return (
    <div className={styles.filters}>
      {onClear ? (
        <Button type="text" onClick={onClear}>
          {text('list.clear')}
        </Button>
      ) : null}
      <Select
        aria-label={text('change.kind')}
        value={filters.kind ?? ''}
        onChange={(kind: ChangeKind | '') => onChange({ kind: kind || undefined })}
        popupMatchSelectWidth={false}
        options={[
          { value: '' as const, label: text('change.kind.all') },
          ...changeKinds.map((kind) => ({ value: kind, label: text(`change.kind.${kind}`) })),
        ]}
      />
      <span className={styles.range}>
        <Input
          type="date"
          lang={currentLanguage()}
          aria-label={text('change.from')}
          value={filters.from ?? ''}
          max={filters.to}
          onChange={({ target }) => onChange({ from: dayFilter(target.value) })}
        />
        <span aria-hidden="true">–</span>
        <Input
          type="date"
          lang={currentLanguage()}
          aria-label={text('change.to')}
          value={filters.to ?? ''}
          min={filters.from}
          onChange={({ target }) => onChange({ to: dayFilter(target.value) })}
        />
      </span>
    </div>
  );
}
