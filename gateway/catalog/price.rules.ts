import { type Entitlement, levels } from '../contract/entitlements';
import type { CustomPackageEntry, PackageEntry, SkuEntry } from './saleEntries';

/** A price before coupons and points: the list's, and what whoever asks pays. */
export interface Price {
  listFen: bigint;
  priceFen: bigint;
}

/** What a custom package is built from. */
export interface CustomParts {
  cpuCores: number;
  monthlyDcu: number;
}

/** The most months one order is for; they cost what the year costs. */
export const YEAR_MONTHS = 12;

/** The id of a package that is built from parts instead of named by the catalogue. */
export const CUSTOM_PACKAGE_ID = 'custom';

/** One piece of a SKU. */
export function skuPrice({ listFen, studentFen }: Pick<SkuEntry, 'listFen' | 'studentFen'>, isStudent: boolean): Price {
  return priceOf(listFen, isStudent ? studentFen : null);
}

/** So many months of a package: up to eleven at the month's price, twelve at the year's. */
export function packagePrice(
  entry: Pick<PackageEntry, 'monthFen' | 'yearFen' | 'studentMonthFen' | 'studentYearFen'>,
  months: number,
  isStudent: boolean,
): Price {
  requireMonths(months);
  if (months === YEAR_MONTHS) return priceOf(entry.yearFen, isStudent ? entry.studentYearFen : null);
  const student = isStudent && entry.studentMonthFen !== null ? entry.studentMonthFen * months : null;
  return priceOf(entry.monthFen * months, student);
}

/** So many months of a package built from parts. Throws `RangeError` for parts that are not on offer. */
export function customPrice(
  entry: CustomPackageEntry,
  { months, isStudent, ...parts }: CustomParts & { months: number; isStudent: boolean },
): Price {
  requireMonths(months);
  if (!isCustomOffered(entry, parts)) throw new RangeError('a custom package cannot be built from these parts');
  const monthFen = parts.cpuCores * entry.fenPerCoreMonth + parts.monthlyDcu * entry.fenPerDcu;
  const listFen = monthFen * (months === YEAR_MONTHS ? entry.yearInMonths : months);
  return priceOf(listFen, isStudent ? Math.floor((listFen * (100 - entry.studentPercentOff)) / 100) : null);
}

/** True for parts on a step of their ranges. */
export function isCustomOffered({ cpuCores, monthlyDcu }: CustomPackageEntry, parts: CustomParts): boolean {
  return isOnStep(cpuCores, parts.cpuCores) && isOnStep(monthlyDcu, parts.monthlyDcu);
}

/** What a custom package permits: its own cores and DCU an hour, everything else as the highest level. */
export function customCeilings({ dcuPerHourPerCore }: CustomPackageEntry, cpuCores: number): Entitlement {
  return { ...levels[3], cpuCores, dcuPerHour: cpuCores * dcuPerHourPerCore };
}

function priceOf(listFen: number, studentFen: number | null): Price {
  return { listFen: BigInt(listFen), priceFen: BigInt(studentFen ?? listFen) };
}

function isOnStep({ min, max, step }: { min: number; max: number; step: number }, value: number): boolean {
  return Number.isInteger(value) && value >= min && value <= max && (value - min) % step === 0;
}

function requireMonths(months: number): void {
  if (!Number.isInteger(months) || months < 1 || months > YEAR_MONTHS) throw new RangeError(`not 1 to ${YEAR_MONTHS} months`);
}
