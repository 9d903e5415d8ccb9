import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';

export interface PlotOptions {
  width: number;
  height: number;
  at: readonly string[];
  values: readonly (number | null)[];
  limit: number | null;
  top: number;
  colors: { line: string; fill: string; grid: string; words: string; limit: string };
  font: string;
  format: (value: number) => string;
  /** Steps of the axis in powers of two, so that memory reads 256 MB and not 238.4 MB. */
  isBytes: boolean;
  formatTick: (atSeconds: number, rangeSeconds: number) => string;
  /** Time runs from right to left, and the values stand where a line begins. */
  isMirrored: boolean;
  /** The sample under the pointer; null when it left. */
  onPoint: (index: number | null) => void;
}

const DASH = [6, 5];
const RIGHT = 1;
const LEFT = 3;
const AXIS_WIDTH = 68;
const AXIS_HEIGHT = 30;
const BYTE_STEPS = Array.from({ length: 40 }, (_, power) => 2 ** (power + 10));

function axes(options: PlotOptions): uPlot.Axis[] {
  const { colors, font, format, formatTick, isBytes, isMirrored } = options;
  const grid = { stroke: colors.grid, width: 1 };
  const shared = { stroke: colors.words, font: `11px ${font}`, ticks: { show: false } };
  return [
    {
      ...shared,
      grid: { show: false },
      size: AXIS_HEIGHT,
      space: 80,
      values: (self, splits) => {
        const seconds = (self.scales.x?.max ?? 0) - (self.scales.x?.min ?? 0);
        return splits.map((at) => formatTick(at, seconds));
      },
    },
    {
      ...shared,
      grid,
      side: isMirrored ? RIGHT : LEFT,
      size: AXIS_WIDTH,
      space: 32,
      values: (_self, splits) => splits.map(format),
      ...(isBytes ? { incrs: BYTE_STEPS } : {}),
    },
  ];
}

function aligned(options: PlotOptions): uPlot.AlignedData {
  const at = options.at.map((instant) => Date.parse(instant) / 1_000);
  return options.limit === null ? [at, [...options.values]] : [at, [...options.values], at.map(() => options.limit)];
}

/** Draws one series over time on a canvas. Loaded only where charts are shown. */
export function drawPlot(host: HTMLElement, options: PlotOptions): { resize: (width: number) => void; destroy: () => void } {
  const { colors } = options;
  const series: uPlot.Series[] = [
    {},
    { stroke: colors.line, fill: colors.fill, width: 1.5, spanGaps: false, points: { show: false } },
    { stroke: colors.limit, width: 1, dash: DASH, points: { show: false } },
  ];
  const plot = new uPlot(
    {
      width: options.width,
      height: options.height,
      // Half a tick's words stand beyond the last sample.
      padding: options.isMirrored ? [12, 0, 0, 22] : [12, 22, 0, 0],
      legend: { show: false },
      cursor: { y: false, points: { size: 7 }, drag: { x: false, y: false } },
      scales: { x: { time: true, dir: options.isMirrored ? -1 : 1 }, y: { range: [0, options.top] } },
      axes: axes(options),
      series: options.limit === null ? series.slice(0, 2) : series,
      hooks: { setCursor: [(self) => options.onPoint(self.cursor.idx ?? null)] },
    },
    aligned(options),
    host,
  );
  return {
    resize: (width) => plot.setSize({ width, height: options.height }),
    destroy: () => plot.destroy(),
  };
}
