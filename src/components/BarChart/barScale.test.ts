import { hasTick, roundTop } from './barScale';

describe('the top of a bar chart', () => {
  it.each([
    [0, 1],
    [0.3, 0.5],
    [1, 1],
    [1.01, 2],
    [2.4, 2.5],
    [4, 5],
    [73, 100],
  ])('above %d is the round figure %d', (peak, top) => {
    expect(roundTop(peak)).toBeCloseTo(top, 9);
  });
});

describe('the words under the bars', () => {
  it('are few enough to be read and end with the newest', () => {
    const ticks = Array.from({ length: 30 }, (_, index) => hasTick(index, 30, 6));

    expect(ticks.filter(Boolean)).toHaveLength(6);
    expect(ticks.at(-1)).toBe(true);
  });

  it('stand under every bar where there are few', () => {
    expect([0, 1, 2].every((index) => hasTick(index, 3, 6))).toBe(true);
  });
});
