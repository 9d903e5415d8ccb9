/** One line of the table: what was measured, beside what, and what it has to be. */
export interface Finding {
  what: string;
  measured: number;
  unit: 'ms' | 's' | 'µs' | '1/s' | 'K' | 'MB' | 'requests' | 'scans';
  /** In the same unit: a peer in the same run, or a figure published for one. */
  base?: { name: string; value: number };
  /** Bounds of the ratio to the base where there is one, of the measured figure where `of` says so or there is none. */
  budget?: { of?: 'ratio' | 'measured'; atMost?: number; atLeast?: number };
  note?: string;
}

export interface BenchRun {
  /** Fewer repetitions and smaller worlds: a look, not a verdict. */
  isQuick: boolean;
  report(finding: Finding): void;
}

/** Runs one bench as a program of its own; its findings go to the parent, or to standard output when it is run by hand. */
export function runBench(measure: (run: BenchRun) => Promise<void>): void {
  const run: BenchRun = {
    isQuick: process.argv.includes('--quick'),
    report: (finding) => {
      if (process.send) process.send(finding);
      else process.stdout.write(`${JSON.stringify(finding)}\n`);
    },
  };
  // Child processes do not keep this one alive by themselves.
  const awake = setInterval(() => undefined, 60_000);
  measure(run).then(
    () => {
      clearInterval(awake);
      if (process.connected) process.disconnect();
    },
    (error: unknown) => {
      process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
      process.exit(1);
    },
  );
}

/** The value below which this share of all lies. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** To so many digits that mean something. */
export function rounded(value: number, digits = 3): number {
  return Number(value.toPrecision(digits));
}

export async function timeMs(work: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now();
  await work();
  return performance.now() - startedMs;
}
