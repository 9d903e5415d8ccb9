import { useEffect, useId, useRef, useState } from 'react';
import { useAppearance } from '@/hooks/useAppearance';
import { useText } from '@/hooks/useText';
import { formatDateTime } from '@/utils/formatTime';
import { currentDirection, currentLanguage } from '@/utils/language';
import styles from './index.less';
import { figuresOf, growthOf, topOf } from './seriesFigures';

export interface TimeSeriesChartProps {
  name: string;
  at: readonly string[];
  /** One value an instant; null where nothing was sampled, drawn as a gap. */
  values: readonly (number | null)[];
  format: (value: number) => string;
  /** A CSS variable of the palette: one hue a meaning. */
  color: string;
  limit?: number | null;
  /** The axis reaches at least this far, so that idle noise does not look like load. */
  floor?: number;
  isBytes?: boolean;
  /** A total that grows while a run lasts: what it grew by is what counts, not its peak or mean. */
  isRunningTotal?: boolean;
}

const HEIGHT = 180;
const DAY_SECONDS = 86_400;

function formatTick(atSeconds: number, rangeSeconds: number): string {
  const date = new Date(atSeconds * 1_000);
  const time: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' };
  const day: Intl.DateTimeFormatOptions = { month: 'numeric', day: 'numeric' };
  return new Intl.DateTimeFormat(currentLanguage(), rangeSeconds > 2 * DAY_SECONDS ? day : time).format(date);
}

/** A series over time with its newest, highest and mean value in words; the drawing itself is decoration for who cannot see it. */
export default function TimeSeriesChart(props: TimeSeriesChartProps) {
  const { name, at, values, format, color, limit = null, isRunningTotal = false } = props;
  const text = useText();
  const titleId = useId();
  const [point, setPoint] = useState<number | null>(null);
  const host = usePlot(props, setPoint);
  const figures = figuresOf(values);
  const newest = figures?.isCurrent ? 'workshop.metrics.now' : 'workshop.metrics.last';
  const pointed = point === null ? null : values[point];
  const pointedAt = point === null ? undefined : at[point];
  const isPointed = pointed !== null && pointed !== undefined && pointedAt !== undefined;
  return (
    <section className={styles.chart} aria-labelledby={titleId} style={{ '--hue': `var(${color})` } as React.CSSProperties}>
      <header className={styles.head}>
        <h2 id={titleId}>{name}</h2>
        {figures && (
          <p className={styles.now}>
            <strong>{format(isPointed ? pointed : isRunningTotal ? growthOf(values) : figures.last)}</strong>{' '}
            {isPointed ? formatDateTime(pointedAt) : text(isRunningTotal ? 'workshop.metrics.inRange' : newest)}
          </p>
        )}
      </header>
      <div ref={host} className={styles.plot} style={{ blockSize: HEIGHT }} aria-hidden="true" />
      {figures && !isRunningTotal && (
        <p className={styles.figures}>
          <span>{`${text('workshop.metrics.peak')} ${format(figures.peak)}`}</span>
          <span>{`${text('workshop.metrics.average')} ${format(figures.average)}`}</span>
          {limit !== null && <span className={styles.limit}>{text('workshop.metrics.limit', { value: format(limit) })}</span>}
        </p>
      )}
    </section>
  );
}

/** Draws into the element it answers, anew when what is shown or the theme changes, and follows its width. */
function usePlot(props: TimeSeriesChartProps, onPoint: (index: number | null) => void) {
  const { at, values, format, color, limit = null, floor = 0, isBytes = false } = props;
  const host = useRef<HTMLDivElement>(null);
  const { isDark } = useAppearance();
  const latestFormat = useRef(format);
  latestFormat.current = format;
  const [hasFailed, setHasFailed] = useState(false);
  const isMirrored = currentDirection() === 'rtl';

  useEffect(() => {
    const element = host.current;
    if (!element || at.length === 0 || hasFailed) return;
    let isGone = false;
    let plot: { resize: (width: number) => void; destroy: () => void } | undefined;
    const observer = new ResizeObserver(([entry]) => plot?.resize(Math.max(200, Math.floor(entry?.contentRect.width ?? 0))));
    const draw = async () => {
      const { drawPlot } = await import('./plot');
      if (isGone) return;
      const css = getComputedStyle(element);
      const token = (variable: string) => css.getPropertyValue(variable).trim();
      const line = token(color) || token('--brand');
      plot = drawPlot(element, {
        width: Math.max(200, element.clientWidth),
        height: HEIGHT,
        at,
        values,
        limit,
        top: topOf(figuresOf(values), limit, floor),
        colors: {
          line,
          fill: `${line}${isDark ? '26' : '1a'}`,
          grid: token('--line'),
          words: token('--muted'),
          limit: token('--failed'),
        },
        font: token('--font') || 'sans-serif',
        format: (value) => latestFormat.current(value),
        isBytes,
        isMirrored,
        formatTick,
        onPoint,
      });
      observer.observe(element);
    };
    // Without the drawing the figures in words still stand.
    draw().catch(() => setHasFailed(true));
    return () => {
      isGone = true;
      observer.disconnect();
      plot?.destroy();
    };
  }, [at, values, color, limit, floor, isBytes, isMirrored, isDark, hasFailed, onPoint]);

  return host;
}
