import type { Spec } from '../../catalog/catalogue';
import type { StopReason } from '../../contract/workshopStates';

const LEAST_MS = 15 * 60_000;
/** What is kept free above what was used nearly all the time, so that the smaller size is not tight. */
const CPU_ROOM = 0.7;
const MEMORY_ROOM = 0.8;
const FULL = 0.9;

/** The fewest looks at a run by which anything can be said of it. */
export const LEAST_SAMPLES = 60;

/** What a run used; null where it was not looked at often enough. */
export interface UsedByRun {
  runningMs: number;
  stopReason: StopReason | null;
  /** 100 is one core. */
  cpuP95Percent: number | null;
  memoryPeakBytes: bigint | null;
}

export interface SizeAdvice {
  kind: 'SMALLER' | 'LARGER';
  spec: Spec;
  cpuP95Percent: number;
  memoryPeakBytes: number;
  minutes: number;
}

/**
 * The size a run would have been right on: larger where memory or CPU were full, smaller where a cheaper one has room to spare. Null where
 * its own is right, nothing better is offered or the run says too little.
 */
export function adviceOf(run: UsedByRun, own: Spec, specs: readonly Spec[]): SizeAdvice | null {
  const { cpuP95Percent, memoryPeakBytes, runningMs } = run;
  if (runningMs < LEAST_MS || cpuP95Percent === null || memoryPeakBytes === null) return null;
  const used = { cpuP95Percent, memoryPeakBytes: Number(memoryPeakBytes), minutes: Math.floor(runningMs / 60_000) };
  const isMemoryFull = run.stopReason === 'OUT_OF_MEMORY' || used.memoryPeakBytes >= FULL * own.memoryBytes;
  const isCpuFull = cpuP95Percent >= FULL * own.cpuCores * 100;
  const fits = (spec: Spec): boolean => {
    if (isMemoryFull && spec.memoryBytes <= own.memoryBytes) return false;
    if (isCpuFull && spec.cpuCores <= own.cpuCores) return false;
    return spec.cpuCores >= cpuP95Percent / 100 / CPU_ROOM && spec.memoryBytes >= used.memoryPeakBytes / MEMORY_ROOM;
  };
  const isTooSmall = isMemoryFull || isCpuFull;
  const spec = cheapest(specs.filter((one) => fits(one) && (isTooSmall || one.rateMicroPerHour < own.rateMicroPerHour)));
  return spec ? { kind: isTooSmall ? 'LARGER' : 'SMALLER', spec, ...used } : null;
}

function cheapest(specs: readonly Spec[]): Spec | undefined {
  return specs.reduce<Spec | undefined>(
    (best, one) => (best && best.rateMicroPerHour <= one.rateMicroPerHour ? best : one),
    undefined,
  );
}
