import { greater, lesser } from '../../bigints';
import { limits } from '../../contract/limits';

export const MS_PER_HOUR = 3_600_000n;
/** The lease: how far ahead of what was observed a running lab is held for. */
export const LEASE_MS = BigInt(limits.leaseMs);

/** A price and where it began to apply. */
export interface Tariff {
  rateMicroPerHour: bigint;
  rateBaseMs: bigint;
  rateBaseMicro: bigint;
}

/** The meter of an open session: run time in milliseconds since the lab's start, amounts in micro-DCU. */
export interface Meter extends Tariff {
  sessionId: string;
  workshopId: string;
  observedMs: bigint;
  leaseLimitMs: bigint;
  chargedMicro: bigint;
  segmentSeq: number;
  segmentFromMs: bigint;
  /** Where the open segment begins, in milliseconds since the epoch; null while the lab is not seen running. */
  segmentFromAtMs: number | null;
  meteredUntilMs: number | null;
}

/**
 * What a lab has cost when it has run `ms`. Every charge is a difference of two of these, so the sum never depends on when the
 * loop ran.
 */
export function costMicro(tariff: Tariff, ms: bigint): bigint {
  return tariff.rateBaseMicro + (tariff.rateMicroPerHour * (ms - tariff.rateBaseMs)) / MS_PER_HOUR;
}

/** The longest run time whose cost does not exceed `micro`; null when it costs nothing. The inverse of `costMicro`. */
export function coveredMs(tariff: Tariff, micro: bigint): bigint | null {
  if (tariff.rateMicroPerHour === 0n) return null;
  return tariff.rateBaseMs + ((micro - tariff.rateBaseMicro + 1n) * MS_PER_HOUR - 1n) / tariff.rateMicroPerHour;
}

/** Observed and not yet charged. */
export function accruedMicro(meter: Meter): bigint {
  return costMicro(meter, meter.observedMs) - meter.chargedMicro;
}

/** Observed and not yet charged, of all a member's sessions. */
export function accruedOf(meters: readonly Meter[]): bigint {
  return meters.reduce((sum, meter) => sum + accruedMicro(meter), 0n);
}

/** What an open session holds of the balance: the cost of its whole lease beyond what is charged. */
export function heldMicro(meter: Meter): bigint {
  return costMicro(meter, meter.leaseLimitMs) - meter.chargedMicro;
}

/** The least that lets a lab run for `ms` from its start. */
export function neededMicro(rateMicroPerHour: bigint, ms: bigint): bigint {
  return (rateMicroPerHour * ms) / MS_PER_HOUR;
}

/** Up to where observed time reaches on the wall clock: the segment's start plus what was observed since, never a second clock reading. */
export function observedUntilMs(meter: Meter): number | null {
  return meter.segmentFromAtMs === null ? null : meter.segmentFromAtMs + Number(meter.observedMs - meter.segmentFromMs);
}

/**
 * The most that usage from before an instant can still cost when it is reported late: a lab out of sight may run on, and its
 * journal says so afterwards. What was observed counts as charged already.
 */
export function unreportedMicro(meter: Meter & { queuedAt: Date }, instantMs: number): bigint {
  const sinceMs = observedUntilMs(meter) ?? Math.max(meter.meteredUntilMs ?? 0, meter.queuedAt.getTime());
  if (sinceMs >= instantMs) return 0n;
  const reach = lesser(meter.observedMs + BigInt(Math.ceil(instantMs - sinceMs)), meter.leaseLimitMs);
  return costMicro(meter, reach) - costMicro(meter, meter.observedMs);
}

/** What the engine vouches for, as far as the lease covers it; it never falls. */
export function sighted(meter: Meter, runningMs: bigint): bigint {
  return lesser(greater(runningMs, meter.observedMs), meter.leaseLimitMs);
}

/** Records a sighting at an instant: time goes on, and a meter that stood still begins a segment that overlaps no earlier one. */
export function withSighting(meter: Meter, runningMs: bigint, atMs: number): Meter {
  const observedMs = sighted(meter, runningMs);
  if (meter.segmentFromAtMs !== null) return { ...meter, observedMs };
  const beganAtMs = atMs - Number(observedMs - meter.segmentFromMs);
  return { ...meter, observedMs, segmentFromAtMs: Math.max(beganAtMs, meter.meteredUntilMs ?? beganAtMs) };
}

/** The new price from here on, after everything observed was charged; the lease shrinks to what `freeMicro` more can pay. */
export function withRate(meter: Meter, rateMicroPerHour: bigint, freeMicro: bigint): Meter {
  const changed: Meter = { ...meter, rateMicroPerHour, rateBaseMs: meter.observedMs, rateBaseMicro: meter.chargedMicro };
  const covered = coveredMs(changed, changed.chargedMicro + heldMicro(meter) + freeMicro);
  return { ...changed, leaseLimitMs: covered === null ? meter.leaseLimitMs : lesser(covered, meter.leaseLimitMs) };
}
