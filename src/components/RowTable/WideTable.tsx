import { Table } from 'antd';
import type { ReactNode } from 'react';
import styles from './index.less';

interface Line {
  id: string;
  cells: Record<string, ReactNode>;
}

interface WideTableProps {
  label: string;
  lines: Line[];
  columns: readonly { key: string; title: string; width?: number; align?: 'end' }[];
  minWidth: number;
}

export default function WideTable({ label, lines, columns, minWidth }: WideTableProps) {
  return (
    <Table<Line>
      className={styles.table}
      aria-label={label}
      rowKey="id"
      pagination={false}
      scroll={{ x: minWidth }}
      dataSource={lines}
      columns={columns.map(({ key, title, width, align }) => ({
        key,
        title,
        ...(width === undefined ? {} : { width }),
        ...(align === undefined ? {} : { align }),
        render: (_, { cells }) => cells[key],
      }))}
    />
  );
}
