import { v7 as uuidv7 } from 'uuid';
import { inTransaction, readNow } from '../../db/client';
import { advance, setTestNow } from '../../testing/testDatabase';
import { checkInvariants } from '../ledger/invariants';
import { buildMembershipWorld, type MembershipWorld } from './membershipWorld';

const DAY_MS = 86_400_000;
const DCU = 1_000_000n;
const IS_DEEP = process.env.ATELIER_DEEP === '1';
const ROUNDS = IS_DEEP ? 100 : 6;
jest.setTimeout(IS_DEEP ? 600_000 : 30_000);
const rounds = Array.from({ length: ROUNDS }, (_, round) => round);

let world: MembershipWorld;
beforeAll(async () => {
  world = await buildMembershipWorld();
  await setTestNow(world.db, new Date('2035-03-01T00:00:00.000Z'));
});
afterAll(() => world.drop());
afterEach(async () => {
  const results = await checkInvariants(world.db);
  expect(results.filter(({ breaches }) => breaches.length > 0)).toEqual([]);
});

const advanceNow = (memberId: string) =>
  inTransaction(world.db, async (tx) => {
    const locked = await world.ledger.lockFreeWallets(tx, [memberId]);
    return world.membership.advance(
      tx,
      locked.map((wallet) => wallet.memberId),
    );
  });
const statesOf = async (memberId: string) => (await world.itemsOf(memberId)).map(({ state }) => state).sort();

describe('at the same time', () => {
  it('two upgrade orders are placed and one of them counts on the credit', async () => {
    for (const _ of rounds) {
      const memberId = await world.newMember();
      const { itemId } = await world.buy(memberId, world.packageOf('standard', 12), 290_00n);
      const orders = await Promise.all(
        (['pro', 'max', 'pro'] as const).map((packageId) => world.place(memberId, world.packageOf(packageId), 500_00n)),
      );
      const credited = orders.filter((order) => order.upgradeCreditFen > 0n);
      expect(credited).toHaveLength(1);

      await Promise.all(orders.map((order) => world.pay(order)));
      const [standard] = (await world.itemsOf(memberId)).filter((item) => item.id === itemId);
      expect(standard).toMatchObject({ state: 'UPGRADED', creditOrderId: credited[0]?.orderId });
      expect((await statesOf(memberId)).filter((state) => state === 'ACTIVE')).toHaveLength(1);
      // Every fen that came in is the value of what lives, or was lived.
      const items = await world.itemsOf(memberId);
      const value = items.reduce((sum, item) => sum + item.valueFen - item.creditedFen, 0n);
      expect(value).toBe(290_00n + orders.reduce((sum, order) => sum + order.payableFen, 0n));
    }
  });

  it('one order is fulfilled by many and begins one package', async () => {
    for (const _ of rounds) {
      const memberId = await world.newMember();
      const order = await world.place(memberId, world.packageOf('pro', 2), 198_00n);
      const ends = await Promise.allSettled(Array.from({ length: 6 }, () => world.pay(order)));

      expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect(await statesOf(memberId)).toEqual(['ACTIVE']);
      expect((await world.lotsOf(memberId)).map((lot) => lot.granted)).toEqual([120n * DCU]);
    }
  });

  it('the loop runs twice, the package ends and another is bought: each grant once, one package runs', async () => {
    for (const _ of rounds) {
      const memberId = await world.newMember();
      await world.buy(memberId, world.packageOf('standard'), 29_00n);
      await world.buy(memberId, world.packageOf('standard'), 29_00n);
      await advance(world.db, 32 * DAY_MS);
      const looks = await Promise.all([
        advanceNow(memberId),
        world.buy(memberId, world.packageOf('pro'), 99_00n),
        advanceNow(memberId),
        advanceNow(memberId),
      ]);

      expect(looks).toHaveLength(4);
      expect(await statesOf(memberId)).toContain('ACTIVE');
      expect((await world.lotsOf(memberId)).filter((lot) => lot.granted === 30n * DCU)).toHaveLength(2);
      expect((await world.itemsOf(memberId)).filter(({ state }) => state === 'ACTIVE')).toHaveLength(1);
    }
  });

  it('a refund and an upgrade of one package: the order counts on it and it stays, or it is refunded and nothing is credited', async () => {
    const outcomes = new Set<string>();
    for (const _ of rounds) {
      const memberId = await world.newMember();
      const bought = await world.buy(memberId, world.packageOf('standard', 12), 290_00n);
      const [refund, upgrade] = await Promise.all([world.refund(bought), world.place(memberId, world.packageOf('max'), 299_00n)]);
      const isRefunded = refund !== 'CREDIT_RESERVED';
      outcomes.add(isRefunded ? 'refunded' : 'credited');

      expect(upgrade.upgradeCreditFen > 0n).toBe(!isRefunded);
      await world.pay(upgrade);
      expect(await statesOf(memberId)).toEqual(['ACTIVE', isRefunded ? 'REFUNDED' : 'UPGRADED']);
    }
    expect(outcomes.size).toBeGreaterThan(0);
  });

  it('a gift with one key is given by many and lies there once', async () => {
    for (const _ of rounds) {
      const memberId = await world.newMember();
      const giftKey = `gift:${uuidv7()}`;
      const given = await Promise.all(Array.from({ length: 6 }, () => world.gift(memberId, 'pro', 7, giftKey)));

      expect(given.filter((one) => one === 'given')).toHaveLength(1);
      expect(await statesOf(memberId)).toEqual(['ACTIVE']);
    }
  });
});

describe('without the wallet’s lock the database itself refuses', () => {
  it('a second package that runs, and a credit counted twice', async () => {
    const memberId = await world.newMember();
    const standard = await world.buy(memberId, world.packageOf('standard', 3), 87_00n);
    const blocked = inTransaction(world.db, async (tx) => {
      const order = { memberId, orderId: standard.orderId, itemId: standard.itemId };
      await world.membership.reserveCredit(tx, order);
      await world.membership.reserveCredit(tx, order);
    });
    await expect(blocked).rejects.toThrow('cannot be credited');

    const at = await inTransaction(world.db, readNow);
    const [own] = await world.itemsOf(memberId);
    if (!own) throw new Error('no package');
    const twin = { ...own, id: uuidv7(), source: 'GIFT' as const, orderId: null, giftKey: uuidv7(), createdAt: at };
    const { name, ceilings, valueFen: _, monthlyMicro: __, grantedMicro: ___, grantsMade: ____, months: _____, ...rest } = twin;
    const insert = world.db.insertInto('purchasedPackageItem').values({
      ...{ ...rest, valueFen: 0n, monthlyMicro: 0n, months: null, nextGrantAt: null },
      ...{ name: JSON.stringify(name), ceilings: JSON.stringify(ceilings) },
    });
    await expect(insert.execute()).rejects.toThrow('purchased_package_item_active');
  });
});
