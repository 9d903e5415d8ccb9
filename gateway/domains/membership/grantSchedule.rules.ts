import { greater, lesser } from '../../bigints';
import { addBillingMonths } from '../../billingCalendar';
import type { PackageItem, Part } from './layout.rules';

/** What is over so soon is not usable any more. */
const TOO_LATE_MS = 60_000;

/** One monthly grant that is due: its number from 0, how much, and until when it can be used. */
export interface DueGrant {
  nth: number;
  micro: bigint;
  expiresAtMs: number;
}

type Scheduled = Pick<
  PackageItem,
  'startsAtMs' | 'endsAtMs' | 'months' | 'monthlyMicro' | 'carriedMicro' | 'grantedMicro' | 'grantsMade' | 'totalMs'
>;

/** DCU a package stands for in all, those counted that the lower one it replaced had brought. */
export function promisedMicro({ monthlyMicro, months }: { monthlyMicro: bigint; months: number | null }): bigint {
  return monthlyMicro * BigInt(months ?? 0);
}

/** DCU a package has brought after so many grants: an upgrade brings only the difference. */
export function grantedAfter(
  { monthlyMicro, carriedMicro }: { monthlyMicro: bigint; carriedMicro: bigint },
  grants: number,
): bigint {
  return greater(monthlyMicro * BigInt(grants) - carriedMicro, 0n);
}

/** When the nth grant (from 0) is due: the same day each month, counted from the first. */
function dueAtMs(item: Pick<Scheduled, 'startsAtMs'>, nth: number): number {
  return addBillingMonths(new Date(item.startsAtMs), nth).getTime();
}

/** When the next grant comes, never before the package runs (again) at `runsFromMs`; null when none is to come. */
export function nextGrantAtMs(item: Scheduled, runsFromMs: number): number | null {
  if (item.monthlyMicro === 0n || item.grantsMade >= (item.months ?? 0)) return null;
  return Math.max(dueAtMs(item, item.grantsMade), runsFromMs);
}

/**
 * Every grant due by now of a package that has begun, those of nothing counted with them: a grant swallowed by what was carried is made
 * all the same. It lasts to the next one or to the package's end; one that comes too late for that lasts as long as it would have.
 */
export function grantsDue(item: Scheduled, atMs: number): DueGrant[] {
  const due: DueGrant[] = [];
  const months = item.monthlyMicro === 0n ? 0 : (item.months ?? 0);
  for (let nth = item.grantsMade; nth < months; nth += 1) {
    const fromMs = dueAtMs(item, nth);
    if (fromMs > atMs) break;
    const untilMs = nth + 1 === months ? item.endsAtMs : Math.min(dueAtMs(item, nth + 1), item.endsAtMs);
    const micro = grantedAfter(item, nth + 1) - grantedAfter(item, nth);
    due.push({ nth, micro, expiresAtMs: untilMs > atMs + TOO_LATE_MS ? untilMs : atMs + untilMs - fromMs });
  }
  return due;
}

/** A package after grants were made; the next one comes when `grantsDue` would name it. */
export function withGrants(item: PackageItem, grants: readonly DueGrant[], atMs: number): PackageItem {
  const grantedMicro = grants.reduce((sum, grant) => sum + grant.micro, item.grantedMicro);
  const made = { ...item, grantedMicro, grantsMade: item.grantsMade + grants.length };
  return { ...made, nextGrantAtMs: item.endedAtMs === null ? nextGrantAtMs(made, atMs) : null };
}

/** DCU brought for time that was not lived yet: at most what a refund has to take back, or an upgrade to carry over. */
export function broughtAheadMicro({ item, leftMs }: Part, grantedMicro = item.grantedMicro): bigint {
  const elapsedMs = BigInt(item.totalMs - leftMs);
  const lived = (promisedMicro(item) * elapsedMs) / BigInt(item.totalMs);
  return greater(grantedMicro + item.carriedMicro - lived, 0n);
}

/** What an upgrade carries over, so that it brings only the difference. */
export function carriedOver(part: Part, promised: bigint): bigint {
  return lesser(broughtAheadMicro(part), promised);
}
