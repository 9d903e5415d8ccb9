/** A stretch of usage on the clock and what it cost. */
export interface Usage {
  fromMs: number;
  toMs: number;
  micro: bigint;
}

/** What was used from an instant on; usage that began before it counts with its share. */
export function spentSince(usage: readonly Usage[], sinceMs: number): bigint {
  return usage.reduce((sum, { fromMs, toMs, micro }) => {
    if (toMs <= sinceMs) return sum;
    if (fromMs >= sinceMs) return sum + micro;
    return sum + (micro * BigInt(toMs - sinceMs)) / BigInt(toMs - fromMs);
  }, 0n);
}
