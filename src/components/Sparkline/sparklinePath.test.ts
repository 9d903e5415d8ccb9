import { sparklinePath } from './sparklinePath';

describe('the line of a sparkline', () => {
  it('runs from the oldest value to the newest, higher values higher', () => {
    expect(sparklinePath([0, 50, 100], 100, 20, 100)).toBe('M0 20L50 10L100 0');
  });

  it('makes room for values above the usual top, as of a lab with many cores', () => {
    expect(sparklinePath([100, 200], 100, 20, 100)).toBe('M0 10L100 0');
  });

  it('is no line with fewer than two values', () => {
    expect(sparklinePath([5], 100, 20, 100)).toBe('');
  });
});
