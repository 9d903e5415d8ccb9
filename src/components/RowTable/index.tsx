import type { ReactNode } from 'react';
import { useIsPhone } from '@/hooks/useIsPhone';
import styles from './index.less';
import { WideTable } from './WideTable';

export interface Column<Row> {
  key: string;
  title: string;
  cell: (row: Row) => ReactNode;
  width?: number;
  /** Figures stand at the end of their column. */
  align?: 'end';
}

interface RowTableProps<Row> {
  /** What the rows are, for who cannot see the heading above. */
  label: string;
  rows: readonly Row[];
  idOf: (row: Row) => string;
  columns: readonly Column<Row>[];
  /** Below this width, in pixels, the table scrolls by itself. */
  minWidth: number;
  /** A row on a phone; without it the columns one below the other, the first as the heading. */
  card?: (row: Row) => ReactNode;
}

/** Rows as a table where there is room and as cards on a phone. Paging, filters and order are `PagedList`'s. */
export function RowTable<Row>({ label, rows, idOf, columns, minWidth, card }: RowTableProps<Row>) {
  if (useIsPhone()) {
    return (
      <ul className={styles.cards} aria-label={label}>
        {rows.map((row) => (
          <li key={idOf(row)}>{card ? card(row) : <Facts row={row} columns={columns} />}</li>
        ))}
      </ul>
    );
  }
  const lines = rows.map((row) => ({
    id: idOf(row),
    cells: Object.fromEntries(columns.map(({ key, cell }) => [key, cell(row)])),
  }));
  return <WideTable label={label} lines={lines} columns={columns} minWidth={minWidth} />;
}

function Facts<Row>({ row, columns: [first, ...others] }: { row: Row; columns: readonly Column<Row>[] }) {
  return (
    <>
      <div className={styles.first}>{first?.cell(row)}</div>
      <dl className={styles.facts}>
        {others.map(({ key, title, cell }) => (
          <div key={key}>
            <dt>{title}</dt>
            <dd>{cell(row)}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
