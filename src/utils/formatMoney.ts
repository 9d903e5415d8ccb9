import { currentLanguage, inOwnDirection } from './language';

const yuan = { style: 'currency', currency: 'CNY', currencyDisplay: 'narrowSymbol' } as const;

/** Fen as yuan to the fen: `¥12.00`, `−¥0.50`. For whatever is paid, added up or given back. */
export function formatMoney(fen: number): string {
  return written(fen, {});
}

/** As `formatMoney`, whole yuan without their zeros: `¥29`, `¥29.50`. For price tags, coupons and conditions in words. */
export function formatPrice(fen: number): string {
  return written(fen, { trailingZeroDisplay: 'stripIfInteger' });
}

function written(fen: number, shape: Intl.NumberFormatOptions): string {
  // Money is whole fen everywhere; what is none is shown as nothing rather than as a figure nobody owes.
  const whole = Number.isFinite(fen) ? Math.trunc(fen) : 0;
  const figure = new Intl.NumberFormat(currentLanguage(), { ...yuan, signDisplay: 'negative', ...shape }).format(whole / 100);
  return inOwnDirection(figure.replace('-', '\u2212'));
}
