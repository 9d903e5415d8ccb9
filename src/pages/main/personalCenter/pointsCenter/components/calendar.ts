import { currentLanguage, inOwnDirection } from '@/utils/language';

const DAY_MS = 86_400_000;

/** Days are calendar days of the platform's time zone; as UTC midnights they can be counted without one. */
function utcOf(day: string): Date {
  return new Date(`${day}T00:00:00Z`);
}

function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10);
}

function named(date: Date, options: Intl.DateTimeFormatOptions): string {
  return inOwnDirection(new Intl.DateTimeFormat(currentLanguage(), { ...options, timeZone: 'UTC' }).format(date));
}

/** The weeks of a day's month from Monday on, each of seven days; null for those of its neighbours. */
export function weeksOf(today: string): (string | null)[][] {
  const month = today.slice(0, 7);
  const first = utcOf(`${month}-01`);
  const sinceMonday = (first.getUTCDay() + 6) % 7;
  const weeks: (string | null)[][] = [];
  for (let start = first.getTime() - sinceMonday * DAY_MS; weeks.length < 6; start += 7 * DAY_MS) {
    const week = Array.from({ length: 7 }, (_, index) => dayOf(new Date(start + index * DAY_MS)));
    if (!week.some((day) => day.startsWith(month))) break;
    weeks.push(week.map((day) => (day.startsWith(month) ? day : null)));
  }
  return weeks;
}

/** Monday to Sunday, short and in full. */
export function weekdays(): { short: string; long: string }[] {
  const monday = utcOf('2024-01-01').getTime();
  return Array.from({ length: 7 }, (_, index) => {
    const date = new Date(monday + index * DAY_MS);
    return { short: named(date, { weekday: 'short' }), long: named(date, { weekday: 'long' }) };
  });
}

export function monthName(day: string): string {
  return named(utcOf(day), { year: 'numeric', month: 'long' });
}
