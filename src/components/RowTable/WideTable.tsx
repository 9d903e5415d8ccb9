import { useSize } from 'ahooks';
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

/** A table of the browser's own: rows, heads and columns are all a list needs, and antd's would weigh sixty times as much. */
export function WideTable({ label, lines, columns, minWidth }: WideTableProps) {
  const frame = useRef<HTMLDivElement>(null);
  const width = useSize(frame)?.width ?? minWidth;
  // What scrolls must be reachable without a mouse; what does not would only be one more stop on the way.
  const reachable = width < minWidth ? { role: 'group', 'aria-label': label, tabIndex: 0 } : {};
  return (
    <div ref={frame} className={styles.scroll} {...reachable}>
      <table className={styles.table} aria-label={label} style={{ minInlineSize: minWidth }}>
        <thead>
          <tr>
            {columns.map(({ key, title, width: columnWidth, align }) => (
              <th key={key} scope="col" data-align={align} style={columnWidth ? { inlineSize: columnWidth } : undefined}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {lines.map(({ id, cells }) => (
            <tr key={id}>
              {columns.map(({ key, align }) => (
                <td key={key} data-align={align}>
                  {cells[key]}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
