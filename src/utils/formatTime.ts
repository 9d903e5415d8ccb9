import { spaceUnits } from './formatNumber';
import { currentLanguage, inOwnDirection } from './language';

const DAY_MS = 24 * 3_600_000;

function format(instant: string | Date, options: Intl.DateTimeFormatOptions): string {
  return inOwnDirection(new Intl.DateTimeFormat(currentLanguage(), { hourCycle: 'h23', ...options }).format(new Date(instant)));
}

/** Date and time to the minute, in the reader's language and time zone. */
export function formatDateTime(instant: string): string {
  return format(instant, { year: 'numeric', month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' });
}

/** To the second, with the time zone: for tooltips. */
export function formatInstant(instant: string): string {
  return format(instant, { dateStyle: 'full', timeStyle: 'long' });
}

/** The day alone. */
export function formatDate(instant: string): string {
  return format(instant, { year: 'numeric', month: 'short', day: 'numeric' });
}

/** A moment ahead in the fewest words: `21:40` today, `Thu 21:40` within a week, a date beyond, with its year if it is another. */
export function formatMoment(instant: string, now = new Date()): string {
  const aheadMs = new Date(instant).getTime() - now.getTime();
  const time = { hour: '2-digit', minute: '2-digit' } as const;
  if (Math.abs(aheadMs) > 6 * DAY_MS) {
    const isThisYear = new Date(instant).getFullYear() === now.getFullYear();
    return format(instant, { ...(isThisYear ? {} : { year: 'numeric' }), month: 'short', day: 'numeric', ...time });
  }
  const isToday = new Date(instant).toDateString() === now.toDateString();
  return format(instant, isToday ? time : { weekday: 'short', ...time });
}

/** A span in its two largest units: `3 hr 20 min`, `2 days 4 hr`, `45 sec`. */
export function formatDuration(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const parts = (
    [
      ['day', Math.floor(seconds / 86_400)],
      ['hour', Math.floor(seconds / 3600) % 24],
      ['minute', Math.floor(seconds / 60) % 60],
      ['second', seconds % 60],
    ] as const
  ).filter(([, amount]) => amount > 0);
  const shown = parts.length === 0 ? ([['second', 0]] as const) : parts.slice(0, 2);
  const words = shown
    .map(([unit, amount]) => new Intl.NumberFormat(currentLanguage(), { style: 'unit', unit, unitDisplay: 'short' }).format(amount))
    .join(' ');
  return inOwnDirection(spaceUnits(words));
}
