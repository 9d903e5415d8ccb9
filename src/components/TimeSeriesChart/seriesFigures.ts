export interface SeriesFigures {
  /** The newest value that was sampled. */
  last: number;
  /** False when nothing was sampled at the end of the range: the last value is then history. */
  isCurrent: boolean;
  peak: number;
  average: number;
}

/** Newest, highest and mean of what was sampled; null when nothing was. Gaps count for nothing. */
export function figuresOf(values: readonly (number | null)[]): SeriesFigures | null {
  const sampled = values.filter((value): value is number => value !== null);
  const last = sampled.at(-1);
  if (last === undefined) return null;
  return {
    last,
    isCurrent: values.at(-1) !== null,
    peak: sampled.reduce((highest, value) => Math.max(highest, value)),
    average: sampled.reduce((sum, value) => sum + value, 0) / sampled.length,
  };
}

/**
 * How much a running total grew within the range. It begins at nothing with every run: a value below the one before is a
 * new run's, and only a run that was under way when the range began brings an amount that belongs to the time before.
 */
export function growthOf(values: readonly (number | null)[]): number {
  let before = values[0] ?? 0;
  let growth = 0;
  for (const value of values) {
    if (value === null) continue;
    growth += value < before ? value : value - before;
    before = value;
  }
  return growth;
}

/** The top of the axis: a little above what is drawn, the limit in sight when it is near enough to matter. */
export function topOf(figures: SeriesFigures | null, limit: number | null, floor: number): number {
  const peak = Math.max(figures?.peak ?? 0, floor);
  if (limit !== null && peak * 4 >= limit) return Math.max(limit, peak) * 1.08;
  return peak * 1.15 || 1;
}
