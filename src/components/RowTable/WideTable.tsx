import { useSize } from 'ahooks';
import { Table } from 'antd';
import { type ReactNode, useRef } from 'react';
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
  const frame = useRef<HTMLDivElement>(null);
  const width = useSize(frame)?.width ?? minWidth;
  // What scrolls must be reachable without a mouse; what does not would only be one more stop on the way.
  const reachable = width < minWidth ? { role: 'group', 'aria-label': label, tabIndex: 0 } : {};
  return (
    <div ref={frame} className={styles.scroll} {...reachable}>
      <div style={{ minInlineSize: minWidth }}>
        <Table<Line>
          className={styles.table}
          aria-label={label}
          rowKey="id"
          pagination={false}
          dataSource={lines}
          columns={columns.map(({ key, title, width, align }) => ({
            key,
            title,
            ...(width === undefined ? {} : { width }),
            ...(align === undefined ? {} : { align }),
            render: (_, { cells }) => cells[key],
          }))}
        />
      </div>
    </div>
  );
}
