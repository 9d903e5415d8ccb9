import fc from 'fast-check';
import { inTransaction } from '../../db/client';
import { setTestNow } from '../../testing/testDatabase';
import { checkInvariants } from '../ledger/invariants';
import { offeredOf } from './membershipChanges.service';
import { buildMembershipWorld, type MembershipWorld, type PlacedOrder, possible } from './membershipWorld';
import { refundValueOf } from './packageValue.rules';
import { TimelineModel } from './timelineModel';

const SEQUENCES = Number(process.env.TEST_SEQUENCES ?? (process.env.ATELIER_DEEP === '1' ? 10_000 : 25));
const SEED = Number(process.env.TEST_SEED ?? Math.trunc(Math.random() * 2 ** 31));
const DAY_MS = 86_400_000;
const START = Date.parse('2036-01-31T08:00:00.000Z');

let world: MembershipWorld;
beforeAll(async () => {
  world = await buildMembershipWorld();
});
afterAll(() => world.drop());

const bought = fc.record({
  packageId: fc.constantFrom('standard', 'pro', 'max', 'custom'),
  months: fc.integer({ min: 1, max: 3 }),
  priceFen: fc.bigInt({ min: 0n, max: 90_000n }),
});
const which = fc.nat(9);
const ms = fc.oneof(fc.integer({ min: 1, max: 40 * DAY_MS }), fc.integer({ min: 1, max: 40 * 60_000 }));
const gift = fc.record({ packageId: fc.constantFrom('standard', 'pro', 'max'), days: fc.integer({ min: 1, max: 40 }) });
const command = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('pass' as const), ms }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('buy' as const), bought }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('place' as const), bought }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('pay' as const), which }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('cancel' as const), which }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('gift' as const), gift }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('refund' as const), which }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('refuse' as const) }) },
);
type Command = typeof command extends fc.Arbitrary<infer C> ? C : never;

/** A refund the provider refuses, and the same package given back again: the DCU that came back are taken once more. */
const refusedAndGivenBackAgain: Command[] = [
  { do: 'buy', bought: { packageId: 'standard', months: 1, priceFen: 2_900n } },
  { do: 'pass', ms: 3 * DAY_MS },
  { do: 'refund', which: 0 },
  { do: 'pass', ms: DAY_MS },
  { do: 'refuse' },
  { do: 'refund', which: 0 },
];

/** One member's history on the tables and on the model, step by step. */
class Twin {
  private readonly model = new TimelineModel(START);
  private readonly pending: PlacedOrder[] = [];
  /** The order and the row of each package of the model. */
  private readonly orders = new Map<string, PlacedOrder>();
  private readonly rows = new Map<string, string>();

  constructor(private readonly memberId: string) {}

  async play(step: Command): Promise<void> {
    if (step.do === 'pass') {
      this.model.pass(step.ms);
      await setTestNow(world.db, new Date(this.model.atMs));
    } else if (step.do === 'place') await this.place(step.bought);
    else if (step.do === 'buy') {
      await this.place(step.bought);
      await this.pay(this.pending.length - 1);
    } else if (step.do === 'pay') await this.pay(step.which);
    else if (step.do === 'cancel') await this.cancel(step.which);
    else if (step.do === 'gift') await this.gift(step.gift);
    else if (step.do === 'refund') await this.refund(step.which);
    else await this.refuse();
  }

  private async place({ packageId, months, priceFen }: { packageId: string; months: number; priceFen: bigint }): Promise<void> {
    const offer =
      packageId === 'custom'
        ? world.customPackage({ cpuCores: 128, monthlyDcu: 200 }, months)
        : world.packageOf(packageId as 'standard' | 'pro' | 'max', months);
    const order = await world.place(this.memberId, offer, priceFen);
    this.pending.push(order);
    this.model.place(offeredOf(offer), priceFen);
    expect(this.model.pending.at(-1)).toMatchObject({ payableFen: order.payableFen, creditFen: order.upgradeCreditFen });
  }

  private async pay(index: number): Promise<void> {
    const [order] = this.pending.splice(index % Math.max(this.pending.length, 1), 1);
    const itemId = this.model.pay(index);
    if (!order || !itemId) return;
    this.orders.set(itemId, order);
    this.rows.set(itemId, (await world.pay(order)).itemId);
  }

  private async cancel(index: number): Promise<void> {
    const [order] = this.pending.splice(index % Math.max(this.pending.length, 1), 1);
    this.model.cancel(index);
    if (order) await world.cancel(order);
  }

  private async gift({ packageId, days }: { packageId: string; days: number }): Promise<void> {
    const { levelFlag, ceilings } = world.packageOf(packageId as 'standard' | 'pro' | 'max');
    const itemId = this.model.gift({ packageId, levelFlag, cpuCores: ceilings.cpuCores }, days);
    await world.gift(this.memberId, packageId, days, `${this.memberId}:${itemId}`);
    const row = (await world.itemsOf(this.memberId)).find(({ giftKey }) => giftKey === `${this.memberId}:${itemId}`);
    this.rows.set(itemId, row?.id ?? '');
  }

  private async refund(index: number): Promise<void> {
    await this.look();
    const part = this.model.refundable(index);
    const order = part && this.orders.get(part.item.itemId);
    if (!part || !order) return;
    const plan = possible(await world.refund(order));
    expect(plan.cashFen).toBe(refundValueOf(part, plan.withdrawnMicro));
    this.model.refund(part, plan.withdrawnMicro);
  }

  private async refuse(): Promise<void> {
    const itemId = this.model.refuse();
    const order = itemId && this.orders.get(itemId);
    if (order) await world.refuse(order.orderId);
  }

  private async look(): Promise<void> {
    this.model.look();
    await inTransaction(world.db, async (tx) => {
      await world.ledger.lockWallet(tx, this.memberId);
      await world.membership.advance(tx, [this.memberId]);
    });
  }

  /** What the model expects stands in the tables, to the millisecond and the micro-DCU. */
  async check(): Promise<void> {
    await this.look();
    const rows = new Map((await world.itemsOf(this.memberId)).map((row) => [row.id, row]));
    expect(rows.size).toBe(this.model.items.size);
    for (const item of this.model.items.values()) {
      const { state, valueFen, carriedMicro, grantedMicro, grantsMade, creditedFen } = item;
      expect(rows.get(this.rows.get(item.itemId) ?? '')).toMatchObject({
        ...{ state, valueFen, carriedMicro, grantedMicro, grantsMade, creditedFen },
        ...{ startsAt: new Date(item.startsAtMs), endsAt: new Date(item.endsAtMs), totalMs: BigInt(item.totalMs) },
        ...{ nextGrantAt: dateOrNull(item.nextGrantAtMs), endedAt: dateOrNull(item.endedAtMs) },
      });
    }
    expect(await this.periodsOfTables()).toEqual(this.periodsOfModel());
    const lots = await world.lotsOf(this.memberId);
    const granted = [...this.model.items.values()].reduce((sum, item) => sum + item.grantedMicro, 0n);
    const withdrawn = this.model.refunds.reduce((sum, refund) => sum + refund.withdrawnMicro, 0n);
    expect(lots.reduce((sum, lot) => sum + lot.granted, 0n)).toBe(granted + this.model.returnedMicro);
    expect(lots.reduce((sum, lot) => sum + lot.remaining, 0n)).toBe(granted - withdrawn);
    const running = [...this.model.items.values()].find(({ state }) => state === 'ACTIVE');
    const rights = await world.membership.getRights(this.memberId);
    expect(rights).toMatchObject({ levelFlag: running?.levelFlag ?? 0, ceilings: { cpuCores: running?.cpuCores ?? 2 } });
  }

  private async periodsOfTables(): Promise<unknown[]> {
    const periods = await world.periodsOf(this.memberId);
    return merged(periods.map(({ itemId, startsAt, endsAt }) => [itemId ?? '', startsAt.getTime(), endsAt.getTime()]));
  }

  private periodsOfModel(): unknown[] {
    const periods = [...this.model.periods].sort((a, b) => a.fromMs - b.fromMs);
    return merged(periods.map(({ itemId, fromMs, toMs }) => [this.rows.get(itemId) ?? '', fromMs, toMs]));
  }
}

/** One after another of one package is one period. */
function merged(periods: readonly [string, number, number][]): [string, number, number][] {
  const whole: [string, number, number][] = [];
  for (const [id, fromMs, toMs] of periods) {
    const last = whole.at(-1);
    if (last && last[0] === id && last[2] === fromMs) last[2] = toMs;
    else whole.push([id, fromMs, toMs]);
  }
  return whole;
}

function dateOrNull(atMs: number | null): Date | null {
  return atMs === null ? null : new Date(atMs);
}

it(`the tables hold what the rules say of any history (seed ${SEED})`, async () => {
  const property = fc.asyncProperty(fc.array(command, { maxLength: 14, size: 'max' }), async (steps) => {
    await setTestNow(world.db, new Date(START));
    const twin = new Twin(await world.newMember());
    for (const step of steps) {
      await twin.play(step);
      await twin.check();
    }
  });
  await fc.assert(property, { numRuns: SEQUENCES, seed: SEED, examples: [[refusedAndGivenBackAgain]] });
  const broken = (await checkInvariants(world.db)).filter(({ breaches }) => breaches.length > 0);
  expect(broken).toEqual([]);
}, 3_600_000);
