import { greater, lesser } from '../../bigints';
import { costMicro, coveredMs, LEASE_MS, type Meter } from './meter.rules';

/** A short balance divided in proportion to what each session wants; what `tick` does set-based, said once more in numbers. */
export function shareLeases(meters: readonly Meter[], freeMicro: bigint): Map<string, bigint> {
  const wants = meters.map((meter) => {
    const target = greater(meter.observedMs + LEASE_MS, meter.leaseLimitMs);
    const atLease = costMicro(meter, meter.leaseLimitMs);
    return { meter, target, atLease, want: costMicro(meter, target) - atLease };
  });
  const all = wants.reduce((sum, { want }) => sum + want, 0n);
  return new Map(
    wants.map(({ meter, target, atLease, want }) => {
      if (all <= freeMicro) return [meter.sessionId, target];
      const covered = coveredMs(meter, atLease + (freeMicro * want) / all);
      return [meter.sessionId, covered === null ? target : lesser(covered, target)];
    }),
  );
}
