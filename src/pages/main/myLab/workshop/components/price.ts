import { limits } from '../../../../../../gateway/contract/limits';

const HOUR_MS = 3_600_000;
const MICRO = 1_000_000;

/** What a start at this rate holds: ten minutes, rounded down to the micro-DCU as the meter does. */
export function heldDcuOf(dcuPerHour: number): number {
  return Math.floor((Math.round(dcuPerHour * MICRO) * limits.leaseMs) / HOUR_MS) / MICRO;
}

export interface Balance {
  remainDcu: number;
  availableDcu: number;
  burnDcuPerHour: number;
}

/** What the balance buys when this rate comes on top of what already runs. */
export interface Buys {
  /** Null at a price of nothing. */
  runwayMs: number | null;
  until: Date | null;
  heldDcu: number;
  hasEnough: boolean;
  /** Null when the balance does not last that long. */
  afterOneHourDcu: number | null;
}

export function whatItBuys(balance: Balance, dcuPerHour: number, now: Date): Buys {
  const burn = balance.burnDcuPerHour + dcuPerHour;
  const heldDcu = heldDcuOf(dcuPerHour);
  const runwayMs = burn > 0 ? Math.floor((balance.remainDcu / burn) * HOUR_MS) : null;
  const left = balance.remainDcu - burn;
  return {
    runwayMs,
    until: runwayMs === null ? null : new Date(now.getTime() + runwayMs),
    heldDcu,
    hasEnough: balance.availableDcu >= heldDcu,
    afterOneHourDcu: left >= 0 ? left : null,
  };
}
