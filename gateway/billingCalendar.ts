/** The billing time zone: China Standard Time, which knows no summer time. Days and months of bills, check-ins and budgets are its own. */
export const BILLING_UTC_OFFSET = '+08:00';
const OFFSET_MS = 8 * 3_600_000;
const DAY_MS = 86_400_000;

/** The calendar day (`YYYY-MM-DD`) of an instant in the billing time zone. */
export function billingDayOf(at: Date): string {
  return new Date(at.getTime() + OFFSET_MS).toISOString().slice(0, 10);
}

/** When a day of the billing time zone begins. Throws `RangeError` for what is no day. */
export function startOfBillingDay(day: string): Date {
  const start = new Date(`${day}T00:00:00.000${BILLING_UTC_OFFSET}`);
  if (Number.isNaN(start.getTime()) || billingDayOf(start) !== day) throw new RangeError(`not a day: ${day}`);
  return start;
}

/** When the month of an instant begins in the billing time zone. */
export function startOfBillingMonth(at: Date): Date {
  return startOfBillingDay(`${billingDayOf(at).slice(0, 7)}-01`);
}

/** The day `days` after (or, below nothing, before) another. */
export function addBillingDays(day: string, days: number): string {
  return billingDayOf(new Date(startOfBillingDay(day).getTime() + days * DAY_MS));
}

/**
 * The same time of day so many months later in the billing time zone; where that month is shorter, its last day. Counted from the first
 * day always, so that 31 January leads to 28 February and then to 31 March.
 */
export function addBillingMonths(at: Date, months: number): Date {
  const local = new Date(at.getTime() + OFFSET_MS);
  const first = Date.UTC(local.getUTCFullYear(), local.getUTCMonth() + months, 1);
  const target = new Date(first);
  const lastDay = new Date(Date.UTC(target.getUTCFullYear(), target.getUTCMonth() + 1, 0)).getUTCDate();
  const timeOfDay = local.getTime() - Date.UTC(local.getUTCFullYear(), local.getUTCMonth(), local.getUTCDate());
  return new Date(first + (Math.min(local.getUTCDate(), lastDay) - 1) * DAY_MS + timeOfDay - OFFSET_MS);
}
