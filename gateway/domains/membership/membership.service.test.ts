import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { addBillingMonths } from '../../billingCalendar';
import { buildMember } from '../../testing/factories';
import { advance, setTestNow } from '../../testing/testDatabase';
import { inspectBooks } from '../ledger/invariants';
import { creditInstants } from '../order/order.rules';
import { buildMembershipWorld, type MembershipWorld, possible } from './membershipWorld';

const DAY_MS = 86_400_000;
const DCU = 1_000_000n;

let world: MembershipWorld;
beforeAll(async () => {
  world = await buildMembershipWorld();
});
afterAll(() => world.drop());

const now = async () => advance(world.db, 0);
const statesOf = async (memberId: string) => (await world.itemsOf(memberId)).map((item) => [item.packageId, item.state] as const);

/** What the loop does for one member. */
const look = (memberId: string) =>
  world.db.transaction().execute(async (tx) => {
    await world.ledger.lockWallet(tx, memberId);
    return world.membership.advance(tx, [memberId]);
  });

describe('getRights', () => {
  it('follows a member’s own periods and nobody else’s, day by day, with ceilings and the name in the language asked for', async () => {
    const { getRights } = world.membership;
    const [memberId, other] = [await world.newMember(), await world.newMember()];
    await world.gift(memberId, 'standard', 1);
    await world.buy(memberId, world.customPackage({ cpuCores: 128, monthlyDcu: 0 }), 100n);
    const first = await getRights(memberId, undefined, 'zh-CN');

    expect(first).toMatchObject({
      packageName: '定制版',
      levelFlag: 3,
      ceilings: { cpuCores: 128, dcuPerHour: 256, maxHours: 168 },
    });
    expect((await getRights(memberId, undefined, 'en-US')).packageName).toBe('Custom');

    await advance(world.db, 32 * DAY_MS);
    expect((await getRights(memberId)).levelFlag).toBe(0);
    expect(await getRights(other)).toMatchObject({ packageName: '', levelFlag: 0, memberExpirationDate: '' });
    expect((await getRights(other)).ceilings).toMatchObject({ cpuCores: 2, runningLabs: 1 });
  });

  it('gives the level’s ceilings to periods from before packages were sold', async () => {
    const { memberId } = await buildMember(world.db, { levelFlag: 2 });

    expect(await world.membership.getRights(memberId)).toMatchObject({ packageName: 'Level 2', ceilings: { cpuCores: 32 } });
  });
});

describe('a package that is paid', () => {
  it('runs at once, brings its first month’s DCU until the next, and its last until it ends', async () => {
    await setTestNow(world.db, new Date('2033-01-31T02:00:00.000Z'));
    const memberId = await world.newMember();
    const { orderId } = await world.buy(memberId, world.packageOf('standard', 3), 87_00n);
    const [begun] = await world.itemsOf(memberId);
    const at = begun?.startsAt ?? new Date(0);
    await setTestNow(world.db, addBillingMonths(at, 1));
    expect(await look(memberId)).toBe(1);
    expect(await look(memberId)).toBe(0);
    await setTestNow(world.db, addBillingMonths(at, 2));
    await look(memberId);

    expect(
      (await world.lotsOf(memberId)).map(({ granted, source, orderId: of, expiresAt }) => [granted, source, of, expiresAt]),
    ).toEqual([1, 2, 3].map((month) => [30n * DCU, 'membership', orderId, addBillingMonths(at, month)]));
    expect((await world.lotsOf(memberId)).map((lot) => lot.expiresAt?.toISOString().slice(0, 10))).toEqual([
      '2033-02-28',
      '2033-03-31',
      '2033-04-30',
    ]);
    expect(await world.itemsOf(memberId)).toMatchObject([{ grantedMicro: 90n * DCU, grantsMade: 3, nextGrantAt: null }]);
  });

  it('is appended when it renews, waits when it is lower, and goes first when it is higher', async () => {
    const memberId = await world.newMember();
    await world.buy(memberId, world.packageOf('pro'), 99_00n);
    await world.buy(memberId, world.packageOf('pro'), 99_00n);
    await world.buy(memberId, world.packageOf('standard'), 29_00n);
    const [first, second, third] = await world.itemsOf(memberId);

    expect(await statesOf(memberId)).toEqual([
      ['pro', 'ACTIVE'],
      ['pro', 'QUEUED'],
      ['standard', 'QUEUED'],
    ]);
    expect([second?.startsAt, third?.startsAt]).toEqual([first?.endsAt, second?.endsAt]);
    expect((await world.membership.getRights(memberId)).memberExpirationDate).toBe(second?.endsAt.toISOString());
    expect(await world.lotsOf(memberId)).toHaveLength(1);

    await setTestNow(world.db, third?.startsAt ?? new Date(0));
    expect(await look(memberId)).toBe(2);
    expect(await statesOf(memberId)).toEqual([
      ['pro', 'ENDED'],
      ['pro', 'ENDED'],
      ['standard', 'ACTIVE'],
    ]);
    expect(await world.membership.getRights(memberId)).toMatchObject({ packageName: 'Standard', levelFlag: 1 });
  });

  it('credits the lower one it replaces and brings only the difference', async () => {
    const memberId = await world.newMember();
    const { startsAt, endsAt } = await world.buy(memberId, world.packageOf('standard', 1), 31_00n).then(async () => {
      const [item] = await world.itemsOf(memberId);
      return item ?? { startsAt: new Date(0), endsAt: new Date(0) };
    });
    const total = endsAt.getTime() - startsAt.getTime();
    await setTestNow(world.db, new Date(startsAt.getTime() + total / 2));
    const placedAt = await now();
    const order = await world.place(memberId, world.packageOf('pro'), 99_00n);
    const { itemId } = await world.pay(order);

    // Half of what was paid, without the time to the full hour after which the order could not be paid; what was brought ahead (15 of
    // 30 DCU) is not brought again.
    const countedMs = creditInstants(placedAt)[0].getTime() - placedAt.getTime();
    expect(order.upgradeCreditFen).toBe((31_00n * BigInt(total / 2 - countedMs)) / BigInt(total));
    const [standard, pro] = (await world.itemsOf(memberId)).sort((a, b) => a.levelFlag - b.levelFlag);
    expect(standard).toMatchObject({ state: 'UPGRADED', creditedFen: order.upgradeCreditFen, creditOrderId: order.orderId });
    expect(pro).toMatchObject({ id: itemId, state: 'ACTIVE', valueFen: 99_00n });
    expect(Number(pro?.carriedMicro)).toBeCloseTo(15_000_000, -3);
    expect(pro?.grantedMicro).toBe(120n * DCU - (pro?.carriedMicro ?? 0n));
    expect(await world.membership.planRefund(world.db, standard?.orderId ?? '', await now())).toBe('PACKAGE_OVER');
  });

  it('pauses a higher gift’s victim without loss: gifts bring a level and no DCU', async () => {
    const memberId = await world.newMember();
    await world.buy(memberId, world.packageOf('standard', 2), 58_00n);
    const [bought] = await world.itemsOf(memberId);
    await advance(world.db, 5 * DAY_MS);
    expect(await world.gift(memberId, 'max', 7, `gift-${memberId}`)).toBe('given');
    expect(await world.gift(memberId, 'max', 7, `gift-${memberId}`)).toBe('already');

    expect(await statesOf(memberId)).toEqual([
      ['max', 'ACTIVE'],
      ['standard', 'PAUSED'],
    ]);
    expect((await world.membership.getRights(memberId)).levelFlag).toBe(3);
    await advance(world.db, 7 * DAY_MS);
    await look(memberId);
    const [, resumed] = await world.itemsOf(memberId);
    expect(resumed).toMatchObject({ state: 'ACTIVE', endsAt: new Date((bought?.endsAt.getTime() ?? 0) + 7 * DAY_MS) });
    expect((await world.periodsOf(memberId)).map((period) => period.packageName)).toEqual(['Standard', 'Max', 'Standard']);
    expect(await world.lotsOf(memberId)).toHaveLength(1);
  });

  it('takes up what members had before packages were sold', async () => {
    const { memberId } = await buildMember(world.db, { levelFlag: 1 });
    const [before] = await world.periodsOf(memberId);
    await advance(world.db, DAY_MS);
    await world.buy(memberId, world.packageOf('max'), 299_00n);

    expect(await statesOf(memberId)).toEqual([
      ['max', 'ACTIVE'],
      ['standard', 'PAUSED'],
    ]);
    const [max, old] = await world.itemsOf(memberId);
    const waitedMs = (max?.endsAt.getTime() ?? 0) - (max?.startsAt.getTime() ?? 0);
    expect(old?.endsAt).toEqual(new Date((before?.endsAt.getTime() ?? 0) + waitedMs));
    expect(old).toMatchObject({ source: 'GIFT', valueFen: 0n });
  });
});

describe('planOrder', () => {
  it('credits what is bought, lower, running and counted on by nobody else', async () => {
    const memberId = await world.newMember();
    const plan = async (packageId: 'standard' | 'pro' | 'max') =>
      world.membership.planOrder(world.db, memberId, world.packageOf(packageId), await now(), await now());

    expect(await plan('pro')).toMatchObject({ effect: 'NEW', creditItemId: null, creditFen: 0n, firstMicro: 120n * DCU });
    const { itemId } = await world.buy(memberId, world.packageOf('pro'), 99_00n);
    expect(await plan('standard')).toMatchObject({ effect: 'QUEUE', creditItemId: null });
    expect(await plan('pro')).toMatchObject({ effect: 'RENEW', creditItemId: null });
    const upgrade = await plan('max');
    expect(upgrade).toMatchObject({ effect: 'UPGRADE', creditItemId: itemId });
    expect(upgrade.firstMicro).toBeLessThanOrEqual(281n * DCU);

    const order = await world.place(memberId, world.packageOf('max'), 299_00n);
    expect(order.upgradeCreditFen).toBeGreaterThan(98_00n);
    expect(await plan('max')).toMatchObject({ effect: 'UPGRADE', creditItemId: null, creditFen: 0n, firstMicro: 400n * DCU });
    await world.cancel(order);
    expect(await plan('max')).toMatchObject({ creditItemId: itemId });
  });
});

describe('a refund', () => {
  it('takes the DCU brought ahead, gives back the time’s share of the value, and what waited runs', async () => {
    const memberId = await world.newMember();
    await world.buy(memberId, world.packageOf('standard'), 29_00n);
    const order = await world.buy(memberId, world.packageOf('max'), 299_00n);
    const refund = possible(await world.refund(order));

    // The credit of the lower one is spent: it ended for this one.
    expect((await statesOf(memberId)).sort()).toEqual([
      ['max', 'REFUNDED'],
      ['standard', 'UPGRADED'],
    ]);
    expect([298_99n, 299_00n]).toContain(refund.cashFen);
    // All of its own, and what was carried over out of the lot of the one it replaced.
    expect((await world.lotsOf(memberId)).reduce((sum, lot) => sum + lot.remaining, 0n)).toBeLessThan(1000n);
    expect((await world.membership.getRights(memberId)).levelFlag).toBe(0);
    expect(await world.refund(order)).toBe('PACKAGE_OVER');
  });

  it('deducts DCU that were used before their time, and is not possible while an order counts on the package', async () => {
    const memberId = await world.newMember();
    const order = await world.buy(memberId, world.packageOf('pro', 2), 200_00n);
    const [lot] = await world.lotsOf(memberId);
    await world.db.transaction().execute((tx) =>
      world.ledger.withdrawDcu(tx, {
        ...{ memberId, kind: 'adjust', uses: [{ lotId: lot?.id ?? 0n, micro: 120n * DCU }] },
        ...{ idemKey: `used:${memberId}`, refType: 'test', refId: memberId },
      }),
    );
    const plan = possible(await world.membership.planRefund(world.db, order.orderId, await now()));
    expect(plan).toMatchObject({ withdrawnMicro: 0n, uses: [] });
    expect(Number(plan.cashFen)).toBeCloseTo(100_00, -2);

    const upgrade = await world.place(memberId, world.packageOf('max'), 299_00n);
    expect(await world.refund(order)).toBe('CREDIT_RESERVED');
    await expect(world.db.transaction().execute((tx) => world.membership.endForRefund(tx, order.orderId))).rejects.toThrow(
      'counts on',
    );
    await world.cancel(upgrade);
    expect(await world.refund(order)).toMatchObject({ itemId: order.itemId });
  });

  it('leaves to running labs what they are promised, of which DCU that ended are no part', async () => {
    const memberId = await world.newMember();
    const order = await world.buy(memberId, world.packageOf('pro'), 99_00n);
    const promise = (micro: bigint) =>
      world.db.transaction().execute((tx) => world.ledger.moveHolds(tx, new Map([[memberId, micro]])));
    const ending = { memberId, micro: 10n * DCU, expiresAt: new Date((await now()).getTime() + DAY_MS) };
    const key = { idemKey: `ending:${memberId}`, refType: 'test', refId: memberId };
    await world.db.transaction().execute((tx) => world.ledger.grantDcu(tx, { ...ending, ...key, kind: 'gift', source: 'gift' }));
    await promise(10n * DCU);
    await advance(world.db, DAY_MS);
    const plan = possible(await world.membership.planRefund(world.db, order.orderId, await now()));
    await promise(-10n * DCU);

    expect(plan.withdrawnMicro).toBe(110n * DCU);
  });

  it('that is refused brings back all the time that was left', async () => {
    const memberId = await world.newMember();
    const order = await world.buy(memberId, world.packageOf('pro'), 99_00n);
    await advance(world.db, 3 * DAY_MS);
    const leftMs = async () => ((await world.itemsOf(memberId))[0]?.endsAt.getTime() ?? 0) - (await now()).getTime();
    const before = await leftMs();
    await world.refund(order);
    expect((await world.membership.getRights(memberId)).levelFlag).toBe(0);
    await advance(world.db, 2 * DAY_MS);
    await world.refuse(order.orderId);

    expect(Math.abs((await leftMs()) - before)).toBeLessThan(5_000);
    expect(await statesOf(memberId)).toEqual([['pro', 'ACTIVE']]);
    expect((await world.membership.getRights(memberId)).levelFlag).toBe(2);
  });

  it('that is refused brings the DCU of a package that begins by coming back', async () => {
    const memberId = await world.newMember();
    await world.gift(memberId, 'pro', 7);
    const waiting = await world.buy(memberId, world.packageOf('standard'), 29_00n);
    await world.refund(waiting);
    await advance(world.db, 8 * DAY_MS);
    await look(memberId);
    await world.refuse(waiting.orderId);

    expect(await statesOf(memberId)).toContainEqual(['standard', 'ACTIVE']);
    expect((await world.lotsOf(memberId)).map((lot) => [lot.orderId, lot.granted])).toEqual([[waiting.orderId, 30n * DCU]]);
  });
});

describe('verify', () => {
  class RolledBack extends Error {}

  /** Which promises are broken after a change that no guard of the tables sees; it is rolled back. */
  async function brokenBy(corruption: string): Promise<string[]> {
    let broken: string[] = [];
    const work = world.db.transaction().execute(async (tx) => {
      await sql`set local session_replication_role = replica`.execute(tx);
      await sql.raw(corruption).execute(tx);
      const results = await inspectBooks(tx);
      broken = results.filter(({ breaches }) => breaches.length > 0).map(({ name }) => name.split('.')[0] ?? name);
      throw new RolledBack();
    });
    await expect(work).rejects.toThrow(RolledBack);
    return broken;
  }

  it.each([
    [
      '18a',
      'a period cut short',
      `update membership_period set ends_at = ends_at - (ends_at - starts_at) / 2 where item_id is not null`,
    ],
    ['18a', 'a period lost', `delete from membership_period where item_id is not null`],
    ['18b', 'a grant counted twice', `update purchased_package_item set granted_micro = granted_micro - 1 where granted_micro > 0`],
    ['18c', 'a package that waits for nothing', `update purchased_package_item set state = 'PAUSED' where state = 'ACTIVE'`],
  ])('turns %s red at %s', async (invariant, _what, corruption) => {
    expect(await brokenBy('select 1')).toEqual([]);
    expect(await brokenBy(corruption)).toContain(invariant);
  });
});

describe('the database', () => {
  it('keeps a member from running two packages and a package from growing, whatever the code does', async () => {
    const memberId = await world.newMember();
    await world.buy(memberId, world.packageOf('standard'), 29_00n);
    await world.buy(memberId, world.packageOf('standard'), 29_00n);
    const change = (values: Record<string, unknown>) =>
      world.db
        .updateTable('purchasedPackageItem')
        .set(values)
        .where('memberId', '=', memberId)
        .where('state', '=', 'QUEUED')
        .execute();

    await expect(change({ state: 'ACTIVE' })).rejects.toThrow('purchased_package_item_active');
    await expect(change({ endsAt: new Date('2090-01-01') })).rejects.toThrow('check constraint');
    await expect(change({ valueFen: 1n })).rejects.toThrow('what a package stands for never changes');
    await expect(change({ grantedMicro: 31n * DCU })).rejects.toThrow('check constraint');
    await expect(world.db.deleteFrom('purchasedPackageItem').execute()).rejects.toThrow();
    const overlap = world.db.insertInto('membershipPeriod').values({
      ...{ id: uuidv7(), memberId, packageName: 'Max', levelFlag: 3, itemId: null, name: null, ceilings: null },
      ...{ startsAt: await now(), endsAt: new Date((await now()).getTime() + DAY_MS) },
    });
    await expect(overlap.execute()).rejects.toThrow('exclusion constraint');
  });
});
