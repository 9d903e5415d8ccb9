import { spaceUnits } from './formatNumber';
import { currentLanguage, inOwnDirection } from './language';

/** Days and months of bills are those of the billing time zone, wherever the reader is: China Standard Time, without summer time. */
const OFFSET_MS = 8 * 3_600_000;
const DAY_MS = 86_400_000;

const at = (day: string) => Date.parse(`${day}T00:00:00Z`);
const dayAt = (ms: number) => new Date(ms).toISOString().slice(0, 10);

/** The present day (`2026-11-21`) of the billing time zone. */
export function billingToday(now = new Date()): string {
  return dayAt(now.getTime() + OFFSET_MS);
}

/** Whether it is a day of the calendar, written `2026-11-21`. */
export function isDay(raw: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(raw) && !Number.isNaN(at(raw)) && dayAt(at(raw)) === raw;
}

export function addDays(day: string, days: number): string {
  return dayAt(at(day) + days * DAY_MS);
}

/** How many days a span has, both ends counted in. */
export function daysBetween(from: string, to: string): number {
  return Math.round((at(to) - at(from)) / DAY_MS) + 1;
}

/** The month (`2026-11`) so many months after that of a day; below nothing, before. */
export function monthOf(day: string, months = 0): string {
  return dayAt(Date.UTC(Number(day.slice(0, 4)), Number(day.slice(5, 7)) - 1 + months, 1)).slice(0, 7);
}

export function firstDayOf(month: string): string {
  return `${month}-01`;
}

export function lastDayOf(month: string): string {
  return addDays(firstDayOf(monthOf(firstDayOf(month), 1)), -1);
}

function format(day: string, options: Intl.DateTimeFormatOptions): string {
  return inOwnDirection(new Intl.DateTimeFormat(currentLanguage(), { timeZone: 'UTC', ...options }).format(at(day)));
}

/** A day in full: `Nov 21, 2026`. */
export function formatDay(day: string): string {
  return format(day, { year: 'numeric', month: 'short', day: 'numeric' });
}

/** A day as short as it can be told: `11/21`. */
export function formatShortDay(day: string): string {
  return format(day, { month: 'numeric', day: 'numeric' });
}

/** A month in full: `November 2026`. */
export function formatMonth(month: string): string {
  return format(firstDayOf(month), { year: 'numeric', month: 'long' });
}

/** A month as short as it can be told: `Nov`. */
export function formatShortMonth(month: string): string {
  return format(firstDayOf(month), { month: 'short' });
}

/** Milliseconds to the last one, as a charge is computed from them: `1:14:50.250`. */
export function formatObserved(ms: number): string {
  const two = (value: number) => String(value).padStart(2, '0');
  const seconds = Math.floor(ms / 1000);
  const whole = `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
  return inOwnDirection(ms % 1000 === 0 ? whole : `${whole}.${String(ms % 1000).padStart(3, '0')}`);
}

const toHundredths = {
  style: 'unit',
  unit: 'hour',
  unitDisplay: 'short',
  maximumFractionDigits: 2,
  roundingMode: 'trunc',
} as const;

/** Hours of use: `12.5 hr`. */
export function formatHours(ms: number): string {
  return inOwnDirection(spaceUnits(new Intl.NumberFormat(currentLanguage(), toHundredths).format(ms / 3_600_000)));
}
