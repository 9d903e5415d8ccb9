import fc from 'fast-check';
import { PackageModel } from './packageBooksModel';

const IS_DEEP = process.env.ATELIER_DEEP === '1';
const HISTORIES = IS_DEEP ? 100_000 : 400;
const SEED = Number(process.env.TEST_SEED ?? Math.trunc(Math.random() * 2 ** 31));
const DAY_MS = 86_400_000;
const START = Date.parse('2031-01-31T10:30:00.123Z');

const DCU = 1_000_000n;
/** The catalogue's, and two built to measure, with odd figures beside the round ones. */
const packages = [
  { packageId: 'standard', levelFlag: 1, cpuCores: 8, monthlyMicro: 30n * DCU, monthFen: 2_900n },
  { packageId: 'pro', levelFlag: 2, cpuCores: 32, monthlyMicro: 120n * DCU, monthFen: 9_900n },
  { packageId: 'max', levelFlag: 3, cpuCores: 64, monthlyMicro: 400n * DCU, monthFen: 29_900n },
  { packageId: 'custom', levelFlag: 3, cpuCores: 128, monthlyMicro: 7_777_777n, monthFen: 51_201n },
  { packageId: 'custom', levelFlag: 3, cpuCores: 512, monthlyMicro: 10_000n * DCU, monthFen: 904_800n },
  { packageId: 'custom', levelFlag: 3, cpuCores: 496, monthlyMicro: 0n, monthFen: 198_400n },
] as const;
const which = fc.nat(9);
const pack = fc.constantFrom(...packages);
const offer = { pack, months: fc.integer({ min: 1, max: 12 }), discountPercent: fc.bigInt({ min: 0n, max: 60n }) };
const ms = fc.oneof(
  fc.integer({ min: 1, max: 40 * 60_000 }),
  fc.integer({ min: 1, max: 3 * DAY_MS }),
  fc.integer({ min: 1, max: 70 * DAY_MS }),
);
const command = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('pass' as const), ms }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('place' as const), ...offer }) },
  // Paid in time, or after the order's time, before anybody closed it.
  { weight: 6, arbitrary: fc.record({ do: fc.constant('buy' as const), ...offer, ms: fc.integer({ min: 0, max: 30 * 60_000 }) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('pay' as const), which }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('cancel' as const), which }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('gift' as const), pack, days: fc.integer({ min: 1, max: 40 }) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('use' as const), percent: fc.bigInt({ min: 1n, max: 100n }) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('refund' as const), which }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('refuse' as const) }) },
);
type Command = typeof command extends fc.Arbitrary<infer C> ? C : never;

function place(model: PackageModel, step: Extract<Command, { do: 'place' | 'buy' }>): void {
  const { monthFen, ...offered } = step.pack;
  const list = monthFen * BigInt(step.months === 12 ? 10 : step.months);
  model.place({ ...offered, months: step.months }, (list * (100n - step.discountPercent)) / 100n);
}

function play(model: PackageModel, step: Command): void {
  if (step.do === 'pass') model.pass(step.ms);
  else if (step.do === 'place') place(model, step);
  else if (step.do === 'buy') {
    place(model, step);
    model.pass(step.ms);
    model.pay(model.timeline.pending.length - 1);
  } else if (step.do === 'pay') model.pay(step.which);
  else if (step.do === 'cancel') model.cancel(step.which);
  else if (step.do === 'gift') model.gift(step.pack, step.days);
  else if (step.do === 'use') model.use(step.percent);
  else if (step.do === 'refund') model.refund(step.which);
  else model.refuse();
}

it(`no history of packages leaves less cash than what was used is worth (seed ${SEED})`, () => {
  const property = fc.property(fc.array(command, { maxLength: 25, size: 'max' }), (steps) => {
    const model = new PackageModel(START);
    for (const step of steps) {
      play(model, step);
      expect(model.breaches()).toEqual([]);
    }
  });
  fc.assert(property, { numRuns: HISTORIES, seed: SEED });
}, 3_600_000);
