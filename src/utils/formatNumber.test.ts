import fc from 'fast-check';
import { formatExact, formatNumber, formatPercent, formatSigned } from './formatNumber';

describe('formatNumber', () => {
  it.each([
    [0, '0'],
    [9.5834, '9.583'],
    [9.5839, '9.583'],
    [1.001, '1.001'],
    [0.29, '0.29'],
    [10, '10'],
    [1.5, '1.5'],
    [-0.1239, '−0.123'],
    [-0.0004, '0'],
    [0.3 - 0.1, '0.2'],
    [0.9999999, '1'],
    [0.999999, '0.999'],
    [1234.5678, '1,234.567'],
    [Number.NaN, '0'],
    [Number.POSITIVE_INFINITY, '0'],
  ])('writes %d as %s', (value, words) => {
    expect(formatNumber(value)).toBe(words);
  });

  it('never shows more than there is, and never more than three decimals', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10 ** 12 }), (micro) => {
        const shown = formatNumber(micro / 1e6);

        expect(shown).toMatch(/^[\d,]+(\.\d{0,2}[1-9])?$/);
        expect(Math.floor(micro / 1000)).toBe(Math.round(Number(shown.replaceAll(',', '')) * 1000));
      }),
    );
  });
});

describe('formatExact', () => {
  it('writes all six decimals', () => {
    expect(formatExact(9.583412)).toBe('9.583412');
    expect(formatExact(10)).toBe('10.000000');
  });
});

describe('formatSigned', () => {
  it('puts a sign before what is added and what is taken', () => {
    expect([5, -5, 0].map(formatSigned)).toEqual(['+5', '−5', '0']);
  });
});

describe('formatPercent', () => {
  it('calls only the finished a hundred', () => {
    expect([0, 0.4299, 0.999, 1].map(formatPercent)).toEqual(['0%', '42%', '99%', '100%']);
  });
});
