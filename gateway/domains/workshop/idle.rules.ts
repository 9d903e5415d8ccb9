import { limits } from '../../contract/limits';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

/** Less than this is what a shell that waits uses. */
const USED_CPU_OF_ONE_CORE = 0.05;
const USED_BYTES_PER_SECOND = 10_000;
/** Use is written down once a minute by each who sees it, so only what is longer ago than a few looks is known to be idle. */
export const IDLE_KNOWN_AFTER_MS = 3 * MINUTE_MS;

/** What a lab did between two looks; without a network, null. */
export interface Rates {
  cpuCoresUsed: number;
  rxBytesPerSecond: number | null;
  txBytesPerSecond: number | null;
}

/**
 * True for a lab that computes or talks; an attached terminal and a call for its files are use too, and say so themselves. What nobody
 * could observe (null) is not idle: no lab is stopped for what we did not see.
 */
export function isInUse(rates: Rates | null): boolean {
  if (rates === null || rates.cpuCoresUsed >= USED_CPU_OF_ONE_CORE) return true;
  return (rates.rxBytesPerSecond ?? 0) + (rates.txBytesPerSecond ?? 0) >= USED_BYTES_PER_SECOND;
}

/** When a lab that goes on idle is stopped, in milliseconds from now; null where nothing stops it for that. */
export function idleStopsInMs({ idleMinutes, idleMs }: { idleMinutes: number | null; idleMs: number | null }): number | null {
  return idleMinutes === null || idleMs === null ? null : idleMinutes * MINUTE_MS - idleMs;
}

/** The most a run may last, and whose limit that is; the member’s own comes first when both are equal. */
export function hoursLimit(run: { maxHours: number | null; extendedMs: number; levelMaxHours: number }): {
  limitMs: number;
  cause: 'MAX_HOURS' | 'LEVEL_MAX_HOURS';
} {
  const levelMs = run.levelMaxHours * HOUR_MS;
  const ownMs = run.maxHours === null ? null : run.maxHours * HOUR_MS + run.extendedMs;
  return ownMs !== null && ownMs <= levelMs
    ? { limitMs: ownMs, cause: 'MAX_HOURS' }
    : { limitMs: levelMs, cause: 'LEVEL_MAX_HOURS' };
}

/** Whole hours that may still be added to the member’s own maximum; none where there is none, because then only the level’s holds. */
export function extendableHours(run: { maxHours: number | null; extendedMs: number; levelMaxHours: number }): number {
  if (run.maxHours === null) return 0;
  return Math.max(0, Math.floor(run.levelMaxHours - run.maxHours - run.extendedMs / HOUR_MS));
}

/** True for a stop nobody asked for that is near enough to be warned of. */
export function isWarnedOf(stopsInMs: number): boolean {
  return stopsInMs <= limits.warnBeforeStopMs;
}
