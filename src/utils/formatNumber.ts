import { currentLanguage } from './language';

// `trunc` and not rounding: a balance must never look larger than it is. `negative` keeps "-0" away.
const towardZero = { roundingMode: 'trunc', signDisplay: 'negative' } as const;

/** Up to three decimals, truncated toward zero, trailing zeros gone. */
export function formatNumber(value: number): string {
  return new Intl.NumberFormat(currentLanguage(), { ...towardZero, maximumFractionDigits: 3 }).format(finite(value));
}

/** All six decimals of an amount of DCU, for tooltips. */
export function formatExact(value: number): string {
  const sixDecimals = { minimumFractionDigits: 6, maximumFractionDigits: 6 };
  return new Intl.NumberFormat(currentLanguage(), { ...towardZero, ...sixDecimals }).format(finite(value));
}

/** As `formatNumber`, with a sign in front of what is added, too. */
export function formatSigned(value: number): string {
  return value > 0 ? `+${formatNumber(value)}` : formatNumber(value);
}

function finite(value: number): number {
  return Number.isFinite(value) ? value : 0;
}
