import { type PointerEvent, type ReactNode, useId, useState } from 'react';
import { useText } from '@/hooks/useText';
import { hasTick, roundTop } from './barScale';
import styles from './index.less';

export interface Bar {
  key: string;
  /** What it stands for, in full: `21 November 2026`. */
  label: string;
  /** The same as short as it fits under the bar: `Nov 21`. */
  tick: string;
  value: number;
}

interface BarChartProps {
  name: string;
  bars: readonly Bar[];
  format: (value: number) => string;
  /** What the bars add up to, while none is pointed at. */
  sum: string;
  /** Headings of its table: what a bar is, and what it measures. */
  columns: readonly [string, string];
  /** A CSS variable of the palette: one hue a meaning. */
  color: string;
  /** Stands beside the name. */
  tools?: ReactNode;
}

const MOST_TICKS = 6;

/**
 * Amounts by day or month: bars for eyes, the one pointed at in words above them, and the same figures as a table for
 * whoever does not see or point. Plain boxes: it weighs next to nothing and follows theme, width and direction by itself.
 */
export function BarChart({ name, bars, format, sum, columns, color, tools }: BarChartProps) {
  const titleId = useId();
  const [pointed, setPointed] = useState<number | null>(null);
  const bar = pointed === null ? undefined : bars[pointed];
  const top = roundTop(bars.reduce((most, { value }) => Math.max(most, value), 0));
  return (
    <section className={styles.chart} aria-labelledby={titleId} style={{ '--hue': `var(${color})` } as React.CSSProperties}>
      <header className={styles.head}>
        <h2 id={titleId}>{name}</h2>
        {tools}
        <p className={styles.now}>
          <strong>{bar ? format(bar.value) : sum}</strong> {bar?.label}
        </p>
      </header>
      <div className={styles.plot} aria-hidden="true">
        <span className={styles.top}>{format(top)}</span>
        <span className={styles.middle}>{format(top / 2)}</span>
        <div className={styles.bars} onPointerMove={(event) => setPointed(placeOf(event))} onPointerLeave={() => setPointed(null)}>
          {bars.map(({ key, value }, index) => (
            <span key={key} data-place={index} data-pointed={index === pointed}>
              <i style={{ blockSize: `${(100 * value) / top}%` }} />
            </span>
          ))}
        </div>
        <div className={styles.ticks}>
          {bars.map(({ key, tick }, index) => (
            <span key={key}>{hasTick(index, bars.length, MOST_TICKS) && <b>{tick}</b>}</span>
          ))}
        </div>
      </div>
      <Figures name={name} bars={bars} format={format} columns={columns} />
    </section>
  );
}

function placeOf({ target }: PointerEvent): number | null {
  const place = (target as Element).closest('[data-place]')?.getAttribute('data-place');
  return place === undefined || place === null ? null : Number(place);
}

/** The same as a table; its rows are made when it is opened. */
function Figures({ name, bars, format, columns }: Pick<BarChartProps, 'name' | 'bars' | 'format' | 'columns'>) {
  const text = useText();
  const [isOpen, setIsOpen] = useState(false);
  // What scrolls must be reachable without a mouse.
  const reachable = { role: 'group', 'aria-label': name, tabIndex: 0 };
  return (
    <details className={styles.figures} onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary>{text('chart.asTable')}</summary>
      {isOpen && (
        <div className={styles.scroll} {...reachable}>
          <table>
            <thead>
              <tr>
                <th scope="col">{columns[0]}</th>
                <th scope="col">{columns[1]}</th>
              </tr>
            </thead>
            <tbody>
              {bars.map(({ key, label, value }) => (
                <tr key={key}>
                  <th scope="row">{label}</th>
                  <td>{format(value)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </details>
  );
}
