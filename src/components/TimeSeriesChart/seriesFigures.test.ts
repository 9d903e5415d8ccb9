import { figuresOf, growthOf, topOf } from './seriesFigures';

describe('the figures of a series', () => {
  it('are newest, highest and mean of what was sampled; gaps count for nothing', () => {
    expect(figuresOf([null, 10, null, 30, 20])).toEqual({ last: 20, isCurrent: true, peak: 30, average: 20 });
  });

  it('say when the newest value is history', () => {
    expect(figuresOf([10, 30, null])).toMatchObject({ last: 30, isCurrent: false });
  });

  it('are none where nothing was sampled', () => {
    expect(figuresOf([null, null])).toBeNull();
    expect(figuresOf([])).toBeNull();
  });
});

describe('the growth of a running total', () => {
  it('leaves out what a run cost before the range', () => {
    expect(growthOf([1, 1.25, null, 1.5])).toBeCloseTo(0.5);
  });

  it('counts every run that began in the range from nothing', () => {
    expect(growthOf([null, 0.25, 0.5, null, 0.125])).toBeCloseTo(0.625);
  });

  it('is nothing where nothing was sampled', () => {
    expect(growthOf([null, null])).toBe(0);
    expect(growthOf([])).toBe(0);
  });
});

describe('the top of the axis', () => {
  const figures = figuresOf([300, 500]);

  it('shows a limit that is near and leaves out one that would flatten the line', () => {
    expect(topOf(figures, 1_000, 0)).toBeCloseTo(1_080);
    expect(topOf(figures, 1_000_000, 0)).toBeCloseTo(575);
  });

  it('does not blow idle noise up to load', () => {
    expect(topOf(figuresOf([0.2]), null, 10)).toBeCloseTo(11.5);
  });
});
