import type { Spec } from '../../catalog/catalogue';
import { loadCatalogue } from '../../catalog/catalogue';
import { adviceOf, type UsedByRun } from './advice.rules';

const GB = 1024 ** 3;
const { specs } = loadCatalogue();
const specOf = (cpuCores: number, memoryGb: number, rate: bigint): Spec => ({
  ...(specs[0] as Spec),
  specId: `cpu-${cpuCores}-${memoryGb}`,
  cpuCores,
  memoryBytes: memoryGb * GB,
  rateMicroPerHour: rate,
});
const [half, one, two, four, wide] = [specOf(0.5, 1, 1n), specOf(1, 2, 2n), specOf(2, 4, 4n), specOf(4, 8, 8n), specOf(2, 16, 6n)];
const offered = [four, wide, one, half, two].filter((spec): spec is Spec => spec !== undefined);

const run = (cpuP95Percent: number | null, memoryGb: number, change: Partial<UsedByRun> = {}): UsedByRun => ({
  ...{ runningMs: 20 * 60_000, stopReason: 'MEMBER', cpuP95Percent, memoryPeakBytes: BigInt(Math.round(memoryGb * GB)) },
  ...change,
});
const worded = (used: UsedByRun, own = two) => {
  const advice = adviceOf(used, own as Spec, offered);
  return advice && `${advice.kind}:${advice.spec.specId}`;
};

describe('the advice after a run', () => {
  it.each([
    ['the cheapest that has room to spare', run(20, 0.5), 'SMALLER:cpu-0.5-1'],
    ['one with room for the CPU', run(50, 0.5), 'SMALLER:cpu-1-2'],
    ['one with room for the memory', run(5, 1.5), 'SMALLER:cpu-1-2'],
    ['nothing where its own is right', run(120, 2), null],
    ['nothing where only a dearer one has room', run(150, 3), null],
    ['a larger one where memory was nearly full', run(20, 3.7), 'LARGER:cpu-2-16'],
    ['a larger one after running out of memory', run(20, 1, { stopReason: 'OUT_OF_MEMORY' }), 'LARGER:cpu-2-16'],
    ['a larger one where the CPU was nearly full', run(185, 1), 'LARGER:cpu-4-8'],
    ['nothing of a run of minutes', run(20, 0.5, { runningMs: 14 * 60_000 }), null],
    ['nothing of a run hardly looked at', run(null, 0.5), null],
  ])('is %s', (_what, used, expected) => {
    expect(worded(used)).toBe(expected);
  });

  it('is nothing where nothing larger is offered', () => {
    expect(worded(run(400, 2), four)).toBeNull();
  });

  it('carries its evidence', () => {
    expect(adviceOf(run(20, 0.5), two as Spec, offered)).toMatchObject({
      cpuP95Percent: 20,
      memoryPeakBytes: 0.5 * GB,
      minutes: 20,
    });
  });
});
