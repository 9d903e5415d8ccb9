import { greater, lesser } from '../../bigints';
import { endOf, type Lot, remainingOf, reserveFromLongest } from '../ledger/lot.rules';
import { costMicro, heldMicro, LEASE_MS, type Meter, observedUntilMs } from './meter.rules';
import { settle } from './settle.rules';

/** Observed time older than this is not taken for the present: the lab may have run on unseen. */
const STALE_SIGHTING_MS = 60_000;
/** Beyond this a runway is not a number anybody plans with. */
const LONGEST_RUNWAY_MS = 10 * 366 * 86_400_000;

export interface Position {
  lots: readonly Lot[];
  meters: readonly Meter[];
  atMs: number;
}

interface Runner {
  meter: Meter;
  /** The instant at which it stood at its observed run time. */
  fromMs: number;
}

/** What is left to plan with: accrued usage burnt, and the holds of sessions that do not run set aside. */
function plan({ lots, meters, atMs }: Position): { runners: Runner[]; lots: Lot[] } {
  const running = meters.filter((meter) => meter.segmentFromAtMs !== null);
  const waiting = meters.filter((meter) => meter.segmentFromAtMs === null);
  const burnt = settle(running, lots);
  const reserved = waiting.reduce((sum, meter) => sum + heldMicro(meter), 0n);
  return {
    runners: burnt.meters.map((meter) => ({ meter, fromMs: Math.max(observedUntilMs(meter) ?? atMs, atMs - STALE_SIGHTING_MS) })),
    lots: reserveFromLongest(burnt.lots, reserved),
  };
}

/**
 * True when labs that run to `limitOf` can be paid burning soonest-expiring first: for every expiry, what is used after it is no
 * more than what is still valid then. (Burning in that order wastes least, so this is exact, not merely safe.)
 */
function isPaid(lots: readonly Lot[], runners: readonly Runner[], limitOf: (runner: Runner) => bigint): boolean {
  const usedAfter = (instantMs: number): bigint =>
    runners.reduce((sum, runner) => {
      const limit = limitOf(runner);
      const { observedMs } = runner.meter;
      const before = instantMs > runner.fromMs ? observedMs + BigInt(instantMs - runner.fromMs) : observedMs;
      return before < limit ? sum + costMicro(runner.meter, limit) - costMicro(runner.meter, before) : sum;
    }, 0n);
  const expiries = [...new Set(lots.map(endOf))].filter(Number.isFinite);
  return [Number.NEGATIVE_INFINITY, ...expiries].every(
    (instantMs) => usedAfter(instantMs) <= remainingOf(lots.filter((lot) => endOf(lot) > instantMs)),
  );
}

/** The largest whole number in [0, most] for which `holds`, which must not turn true again once false; null when not even 0 does. */
function largest(most: number, holds: (ms: number) => boolean): number | null {
  if (!holds(0)) return null;
  let low = 0;
  let high = most;
  while (low < high) {
    const middle = low + Math.ceil((high - low) / 2);
    if (holds(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

function runTimeAt(runner: Runner, instantMs: number): bigint {
  return runner.meter.observedMs + BigInt(Math.max(0, instantMs - runner.fromMs));
}

/**
 * How far each running session's lease can go: ten minutes beyond what was observed, or to the last common instant at which every
 * lab is still paid by lots that are valid when they would be burnt. A lease never shrinks. Keys are session ids.
 */
export function planLeases(position: Position): Map<string, bigint> {
  const { runners, lots } = plan(position);
  const limitAt = (instantMs: number) => (runner: Runner) => {
    const wanted = runner.meter.observedMs + LEASE_MS;
    return greater(lesser(runTimeAt(runner, instantMs), wanted), runner.meter.leaseLimitMs);
  };
  const start = Math.min(position.atMs, ...runners.map((runner) => runner.fromMs));
  const horizon = Math.max(position.atMs, ...runners.map((runner) => runner.fromMs)) + Number(LEASE_MS) - start;
  const reach = largest(horizon, (ms) => isPaid(lots, runners, limitAt(start + ms)));
  const limitOf = reach === null ? (runner: Runner) => runner.meter.leaseLimitMs : limitAt(start + reach);
  return new Map(runners.map((runner) => [runner.meter.sessionId, limitOf(runner)]));
}

/**
 * True when, besides every lease already given, a lab at this price could run for the first lease from now on lots that are valid
 * then.
 */
export function canCoverStart(position: Position, rateMicroPerHour: bigint): boolean {
  const { runners, lots } = plan(position);
  const starting: Meter = {
    sessionId: '',
    workshopId: '',
    rateMicroPerHour,
    rateBaseMs: 0n,
    rateBaseMicro: 0n,
    observedMs: 0n,
    leaseLimitMs: LEASE_MS,
    chargedMicro: 0n,
    segmentSeq: 0,
    segmentFromMs: 0n,
    segmentFromAtMs: null,
    meteredUntilMs: null,
  };
  return isPaid(lots, [...runners, { meter: starting, fromMs: position.atMs }], (runner) => runner.meter.leaseLimitMs);
}

export interface Runway {
  burnMicroPerHour: bigint;
  runningLabs: number;
  /** When the balance is used up if all running labs run on; null when nothing burns it. */
  lastsUntilMs: number | null;
  runwayMs: number | null;
}

/** One runway over all running labs, burning soonest-expiring first. */
export function runway(position: Position): Runway {
  const { runners, lots } = plan(position);
  const burnMicroPerHour = runners.reduce((sum, runner) => sum + runner.meter.rateMicroPerHour, 0n);
  const idle = { burnMicroPerHour, runningLabs: runners.length, lastsUntilMs: null, runwayMs: null };
  if (burnMicroPerHour === 0n) return idle;
  const start = Math.min(position.atMs, ...runners.map((runner) => runner.fromMs));
  const limitAt = (ms: number) => (runner: Runner) => runTimeAt(runner, start + ms);
  const reach = largest(LONGEST_RUNWAY_MS, (ms) => isPaid(lots, runners, limitAt(ms))) ?? 0;
  if (reach === LONGEST_RUNWAY_MS) return idle;
  const lastsUntilMs = Math.max(start + reach, position.atMs);
  return { ...idle, lastsUntilMs, runwayMs: lastsUntilMs - position.atMs };
}
