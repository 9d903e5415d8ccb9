import { textFilter, wordFilter } from '@/hooks/usePage';
import { addDays, billingToday, daysBetween, firstDayOf, isDay, lastDayOf, monthOf } from '@/utils/billingDays';

/** The spans of days a bill is asked for; the first is what an address without one shows. */
export const billSpans = ['month', 'lastMonth', '30days', 'custom'] as const;
export type BillSpanName = (typeof billSpans)[number];

export const MOST_DAYS = 366;
/** Beyond this many bars a day has no width to be pointed at. */
const MOST_DAY_BARS = 92;

export interface BillFilters {
  span: BillSpanName;
  /** Both days counted in; read for a span of one's own only. */
  from: string;
  to: string;
  workshopId: string;
}

const dayFilter = (raw: string) => (isDay(raw) ? raw : undefined);
const uuidLength = 36;

/** What the URL says of the bill. */
export const billFilters = {
  span: wordFilter(billSpans),
  from: dayFilter,
  to: dayFilter,
  workshopId: textFilter(uuidLength),
};

export interface Days {
  from: string;
  to: string;
}

/** The days of a bill. What makes no span (the end before the beginning, more than a year) is cut to one that does. */
export function daysOf(filters: Partial<BillFilters>, today = billingToday()): Days {
  const month = monthOf(today);
  if (filters.span === 'lastMonth') {
    const last = monthOf(today, -1);
    return { from: firstDayOf(last), to: lastDayOf(last) };
  }
  if (filters.span === '30days') return { from: addDays(today, -29), to: today };
  if (filters.span !== 'custom') return { from: firstDayOf(month), to: today };
  const to = filters.to ?? today;
  const from = filters.from ?? firstDayOf(monthOf(to));
  if (from > to) return { from: to, to };
  return daysBetween(from, to) > MOST_DAYS ? { from: addDays(to, 1 - MOST_DAYS), to } : { from, to };
}

/** The span after one of its ends was picked: the other end follows where it must, so that what was picked stays. */
export function spanWith(days: Days, picked: Partial<Days>): Days {
  const { from, to } = { ...days, ...picked };
  if (picked.from !== undefined) return { from, to: between(to, from, addDays(from, MOST_DAYS - 1)) };
  return { from: between(from, addDays(to, 1 - MOST_DAYS), to), to };
}

function between(day: string, earliest: string, latest: string): string {
  if (day < earliest) return earliest;
  return day > latest ? latest : day;
}

/** Bars of days where they can be told apart, of months else. */
export function stepOf({ from, to }: Days, wanted: 'day' | 'month' | undefined): 'day' | 'month' {
  if (!canShowDays({ from, to })) return 'month';
  return wanted ?? (daysBetween(from, to) > 62 ? 'month' : 'day');
}

export function canShowDays({ from, to }: Days): boolean {
  return daysBetween(from, to) <= MOST_DAY_BARS;
}
