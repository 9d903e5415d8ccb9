import { currentLanguage, inOwnDirection } from './language';

// `trunc` and not rounding: a balance must never look larger than it is. `negative` keeps "-0" away.
const towardZero = { roundingMode: 'trunc', signDisplay: 'negative' } as const;

/** Up to three decimals, truncated toward zero, trailing zeros gone. */
export function formatNumber(value: number): string {
  return withMinus(new Intl.NumberFormat(currentLanguage(), { ...towardZero, maximumFractionDigits: 3 }).format(settled(value)));
}

/** All six decimals of an amount of DCU, for tooltips. */
export function formatExact(value: number): string {
  const sixDecimals = { minimumFractionDigits: 6, maximumFractionDigits: 6 };
  return withMinus(new Intl.NumberFormat(currentLanguage(), { ...towardZero, ...sixDecimals }).format(settled(value)));
}

/** As `formatNumber`, with a sign in front of what is added, too. */
export function formatSigned(value: number): string {
  return value > 0 ? inOwnDirection(`+${formatNumber(value)}`) : formatNumber(value);
}

/** Amounts are whole millionths: what floating point adds to or takes from them (0.3 − 0.1) is put right before truncation. */
function settled(value: number): number {
  return Number.isFinite(value) ? Math.round(value * 1e6) / 1e6 : 0;
}

/** A minus as wide as the plus, in place of the hyphen. */
function withMinus(figure: string): string {
  return inOwnDirection(figure.replace('-', '\u2212'));
}

/** A share of 0 to 1 in whole percent, rounded down: only what is finished is 100 %. */
export function formatPercent(share: number): string {
  const percent = Math.floor(share * 100) / 100;
  return inOwnDirection(new Intl.NumberFormat(currentLanguage(), { style: 'percent' }).format(percent));
}

/** Chinese units stand a space behind their figure, as in all our words: `0 字节`, `3 小时`. Dates are written without. */
export function spaceUnits(figures: string): string {
  return figures.replace(/(\d)(?=\p{Script=Han})/gu, '$1 ');
}
