import fc from 'fast-check';
import { broughtAheadMicro, grantedAfter, promisedMicro } from './grantSchedule.rules';
import { byRank, isLive, partsOf } from './layout.rules';
import { TimelineModel } from './timelineModel';

const HISTORIES = process.env.ATELIER_DEEP === '1' ? 100_000 : 120;
const SEED = Number(process.env.TEST_SEED ?? Math.trunc(Math.random() * 2 ** 31));
const DAY_MS = 86_400_000;
const START = Date.parse('2031-01-31T10:30:00.123Z');

const ranks = [
  { packageId: 'standard', levelFlag: 1, cpuCores: 8 },
  { packageId: 'pro', levelFlag: 2, cpuCores: 32 },
  { packageId: 'max', levelFlag: 3, cpuCores: 64 },
  { packageId: 'custom', levelFlag: 3, cpuCores: 128 },
] as const;
const rank = fc.constantFrom(...ranks);
const dcu = fc.oneof(fc.constant(0n), fc.bigInt({ min: 1n, max: 400_000_007n }));
const which = fc.nat(9);
const ms = fc.oneof(fc.integer({ min: 1, max: 40 * 60_000 }), fc.integer({ min: 1, max: 70 * DAY_MS }));

const offer = {
  rank,
  months: fc.integer({ min: 1, max: 12 }),
  monthlyMicro: dcu,
  priceFen: fc.bigInt({ min: 0n, max: 300_000n }),
};

const command = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('pass' as const), ms }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('look' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('place' as const), ...offer }) },
  // Paid in time, or after the order's time, before anybody closed it.
  { weight: 6, arbitrary: fc.record({ do: fc.constant('buy' as const), ...offer, ms: fc.integer({ min: 0, max: 35 * 60_000 }) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('pay' as const), which }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('cancel' as const), which }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('gift' as const), rank, days: fc.integer({ min: 1, max: 40 }) }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('refund' as const), which, usedShare: fc.bigInt({ min: 0n, max: 100n }) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('refuse' as const) }) },
);
type Command = typeof command extends fc.Arbitrary<infer C> ? C : never;

function play(model: TimelineModel, step: Command): void {
  if (step.do === 'pass') model.pass(step.ms);
  else if (step.do === 'place') place(model, step);
  else if (step.do === 'buy') {
    place(model, step);
    model.pass(step.ms);
    model.pay(model.pending.length - 1);
  } else if (step.do === 'pay') model.pay(step.which);
  else if (step.do === 'cancel') model.cancel(step.which);
  else if (step.do === 'gift') model.gift(step.rank, step.days);
  else if (step.do === 'refund') {
    const part = model.refundable(step.which);
    if (part) model.refund(part, broughtAheadMicro(part) - (broughtAheadMicro(part) * step.usedShare) / 100n);
  } else if (step.do === 'refuse') model.refuse();
  else model.look();
}

type Ask = Extract<Command, { do: 'place' | 'buy' }>;
function place(model: TimelineModel, { rank: bought, months, monthlyMicro, priceFen }: Ask): void {
  model.place({ ...bought, months, monthlyMicro }, priceFen);
}

function playAll(steps: readonly Command[], check: (model: TimelineModel) => void): void {
  const model = new TimelineModel(START);
  for (const step of steps) {
    play(model, step);
    model.look();
    check(model);
  }
}

function everyHistory(check: (model: TimelineModel) => void): void {
  const property = fc.property(fc.array(command, { maxLength: 25, size: 'max' }), (steps) => playAll(steps, check));
  fc.assert(property, { numRuns: HISTORIES, seed: SEED });
}

describe('whatever is bought, renewed, upgraded, given, refunded and waited for', () => {
  it('periods never overlap, have no gaps to come and run the highest rank first', () => {
    everyHistory((model) => {
      const written = [...model.periods].sort((a, b) => a.fromMs - b.fromMs);
      written.forEach((one, index) => {
        expect(one.toMs).toBeGreaterThan(one.fromMs);
        const next = written[index + 1];
        if (next) expect(next.fromMs).toBeGreaterThanOrEqual(one.toMs);
        if (next && next.fromMs > model.atMs) expect(next.fromMs).toBe(one.toMs);
      });
      const coming = partsOf([...model.items.values()], model.atMs).map(({ item }) => item);
      expect([...coming].sort(byRank)).toEqual(coming);
      expect(coming.map((item) => item.state === 'ACTIVE')).toEqual(coming.map((_, index) => index === 0));
      const inForce = written.filter((one) => one.fromMs <= model.atMs && model.atMs < one.toMs);
      expect(inForce.map((one) => one.itemId)).toEqual(coming.slice(0, 1).map((item) => item.itemId));
    });
  });

  it('time that was bought or given is conserved to the millisecond', () => {
    everyHistory((model) => {
      const parts = new Map(partsOf([...model.items.values()], model.atMs).map((part) => [part.item.itemId, part.leftMs]));
      for (const item of model.items.values()) {
        const leftMs = parts.get(item.itemId) ?? item.endsAtMs - (item.endedAtMs ?? Number.NaN);
        expect(item.endsAtMs - item.startsAtMs).toBe(item.totalMs);
        expect(model.livedMs(item.itemId) + leftMs).toBe(item.totalMs);
      }
    });
  });

  it('each package brings its monthly DCU once, never more than promised, and all of it when it ran to its end', () => {
    everyHistory((model) => {
      for (const item of model.items.values()) {
        const granted = (model.grants.get(item.itemId) ?? []).reduce((sum, grant) => sum + grant.micro, 0n);
        expect(item.grantedMicro).toBe(granted);
        expect(item.grantedMicro).toBe(grantedAfter(item, item.grantsMade));
        expect(item.grantedMicro + item.carriedMicro <= promisedMicro(item)).toBe(true);
        if (item.state === 'ENDED') expect(item.grantedMicro).toBe(promisedMicro(item) - item.carriedMicro);
        if (!isLive(item)) expect(item.nextGrantAtMs).toBeNull();
      }
    });
  });

  it('credit and refunds together are never above a package’s value, and DCU kept never above what the cash kept bought', () => {
    everyHistory((model) => {
      let retainedFen = 0n;
      for (const item of model.items.values()) {
        const kept = model.retained(item);
        retainedFen += kept.fen;
        expect(kept.fen >= 0n).toBe(true);
        if (item.state === 'UPGRADED' || item.state === 'REFUNDED')
          expect(kept.micro * item.valueFen <= kept.fen * promisedMicro(item)).toBe(true);
      }
      const refundedFen = model.refunds.reduce((sum, refund) => sum + refund.cashFen, 0n);
      // Nothing is made and nothing is lost: what is kept for all packages is what was paid and did not come back.
      expect(retainedFen).toBe(model.paidFen - refundedFen);
    });
  });

  it('it does not matter how often anybody looks', () => {
    const property = fc.property(
      fc.array(command, { maxLength: 20, size: 'max' }),
      fc.array(ms, { maxLength: 8 }),
      (steps, looks) => {
        const [seldom, often] = [new TimelineModel(START), new TimelineModel(START)];
        for (const step of steps) {
          play(seldom, step);
          play(often, step);
        }
        for (const passed of looks) {
          seldom.pass(passed);
          often.pass(passed);
          often.look();
        }
        seldom.look();
        often.look();
        const seen = (model: TimelineModel) => [...model.items.values()].sort((a, b) => (a.itemId < b.itemId ? -1 : 1));
        expect(seen(seldom)).toEqual(seen(often));
      },
    );
    fc.assert(property, { numRuns: HISTORIES, seed: SEED });
  });
});
