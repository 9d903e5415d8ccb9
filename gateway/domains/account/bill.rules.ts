import { addBillingDays, startOfBillingDay } from '../../billingCalendar';
import { invalidField } from '../../refusal';

/** Days one bill may span: a year and a day. */
export const MOST_DAYS = 366;

/** Refuses with `INVALID_INPUT` what is no span of days: a day no calendar has, an end before the begin, or more days than a bill spans. */
export function requireSpan({ from, to }: { from: string; to: string }): void {
  for (const [field, day] of Object.entries({ from, to })) if (!isDay(day)) throw invalidField(`query.${field}`, 'form');
  if (to < from) throw invalidField('query.to', 'afterFrom');
  if (to > addBillingDays(from, MOST_DAYS - 1))
    throw invalidField('query.to', 'maximum', { limit: addBillingDays(from, MOST_DAYS - 1) });
}

function isDay(day: string): boolean {
  try {
    startOfBillingDay(day);
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/**
 * One line of CSV as RFC 4180 has it. A text that a spreadsheet would take for a formula begins with an apostrophe: names are members' own
 * words, and a file is opened where we do not see it.
 */
export function csvLine(cells: readonly (string | number)[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

function csvCell(cell: string | number): string {
  if (typeof cell === 'number') return String(cell);
  const safe = /^[=+\-@\t\r\n]/.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
