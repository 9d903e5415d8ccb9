import fc from 'fast-check';
import { formatMoney, formatPrice } from './formatMoney';

const fenOf = (shown: string) => Math.round(Number(shown.replace('−', '-').replace(/[¥,]/g, '')) * 100);

describe('formatMoney', () => {
  it.each([
    [0, '¥0.00'],
    [1, '¥0.01'],
    [1200, '¥12.00'],
    [2950, '¥29.50'],
    [-50, '−¥0.50'],
    [-0, '¥0.00'],
    [123_456_789, '¥1,234,567.89'],
    [Number.NaN, '¥0.00'],
    [Number.POSITIVE_INFINITY, '¥0.00'],
  ])('writes %d fen as %s', (fen, words) => {
    expect(formatMoney(fen)).toBe(words);
  });

  it('is the same in Chinese', () => {
    window.localStorage.setItem('umi_locale', 'zh-CN');

    expect(formatMoney(-123_450)).toBe('−¥1,234.50');
  });

  it('keeps its order on a page from right to left', () => {
    window.localStorage.setItem('umi_locale', 'ar-EG');

    expect(formatMoney(1200)).toMatch(/^\u2066¥12\.00\u2069$/);
  });

  it('never loses or adds a fen', () => {
    fc.assert(
      fc.property(fc.integer({ min: -100_000_000_000, max: 100_000_000_000 }), (fen) => {
        expect(fenOf(formatMoney(fen))).toBe(fen);
        expect(fenOf(formatPrice(fen))).toBe(fen);
      }),
    );
  });
});

describe('formatPrice', () => {
  it.each([
    [2900, '¥29'],
    [2950, '¥29.50'],
    [200_000, '¥2,000'],
    [0, '¥0'],
    [-500, '−¥5'],
  ])('writes %d fen as %s', (fen, words) => {
    expect(formatPrice(fen)).toBe(words);
  });
});
