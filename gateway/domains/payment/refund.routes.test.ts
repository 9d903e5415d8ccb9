import { v7 as uuidv7 } from 'uuid';
import { readNow } from '../../db/client';
import { buildTestApp, type TestApp } from '../../testing/buildTestApp';
import type { TestMember } from '../../testing/factories';
import { advance, setTestNow } from '../../testing/testDatabase';
import { belongings, findOrder, giveCoupon, givePoints, placePackage, placeSku, stockOf } from '../order/orderWorld';
import { pass, startLab } from '../workshop/testbed';
import { brokenPromises, buyPackage, buySku, giveBack, givenBackBySandbox, moneyOf, quoteRefund, useDcu } from './paymentWorld';

const DCU = 1_000_000n;
const GRID_MS = 5 * 60_000;
let test: TestApp;
let member: TestMember;
beforeAll(async () => {
  test = await buildTestApp();
  await advance(test.db, 0);
});
beforeEach(async () => {
  member = await test.buildMember({ remainDcuMicro: 0n });
});
afterEach(async () => {
  jest.restoreAllMocks();
  expect(await brokenPromises(test)).toEqual([]);
});
afterAll(() => test.close());

const owns = () => belongings(test, member);
const buy = (body: Parameters<typeof buySku>[2] = { skuId: 'dcu-100' }) => buySku(test, member, body);
const quote = (orderId: string) => quoteRefund(test, member, orderId);
const refund = (orderId: string, options: Parameters<typeof giveBack>[3] = {}) => giveBack(test, member, orderId, options);

describe('giving back an order of DCU', () => {
  it('brings all of its cash while nothing is used, and takes all it brought', async () => {
    const { orderId, payments } = await buy();
    expect(await quote(orderId)).toEqual({
      ...{ orderId, isPossible: true, cause: null, refundFen: 10_000, withdrawnDcu: 105, endsPackage: false, withdrawnPoints: 100 },
      ...{ spentPointsFen: 0, returnedPoints: 0, returnsCoupon: false, forfeitedFen: 0 },
    });
    expect(await owns()).toMatchObject({ micro: 105n * DCU, points: 100n });

    const order = (await refund(orderId)).data;

    expect(order).toMatchObject({ state: 'REFUNDED', refundedFen: 10_000, actions: [] });
    expect(order.refunds).toMatchObject([{ reason: 'MEMBER', state: 'SUCCEEDED', amountFen: 10_000, withdrawnDcu: 105 }]);
    expect(order.timeline.slice(-2).map(({ to, reason, actor }) => [to, reason, actor])).toEqual([
      ['REFUNDING', 'REFUND_ASKED', 'member'],
      ['REFUNDED', 'REFUND_SENT', 'provider'],
    ]);
    expect(await owns()).toMatchObject({ micro: 0n, points: 0n });
    expect(await givenBackBySandbox(test, payments[0]?.paymentId ?? '')).toEqual([10_000n]);
    expect(await refund(orderId, { seenFen: 0 })).toFailWith('ORDER_STATE_CONFLICT');
  });

  it('brings the share that is unused of all it brought, the bonus counted, rounded down', async () => {
    const { orderId } = await buy();
    await useDcu(test, orderId, 35n * DCU + 1n);

    expect(await quote(orderId)).toMatchObject({ refundFen: 6_666, withdrawnDcu: 69.999999, withdrawnPoints: 66 });

    expect((await refund(orderId)).data).toMatchObject({ state: 'REFUNDED', refundedFen: 6_666 });
    expect(await owns()).toMatchObject({ micro: 0n, points: 34n });
  });

  it('takes DCU a coupon added with it, and the coupon comes back only for an order nothing of which was used', async () => {
    const dcuCoupon = { kind: 'DCU', amountFen: null, dcu: '10', validDays: 30, minimumFen: 5_000 } as const;
    const [first, second] = [await giveCoupon(test, member, dcuCoupon), await giveCoupon(test, member, dcuCoupon)];
    const whole = await buy({ skuId: 'dcu-50', couponId: first });
    const used = await buy({ skuId: 'dcu-50', couponId: second });
    await useDcu(test, used.orderId, 30n * DCU);

    expect(await quote(whole.orderId)).toMatchObject({ refundFen: 5_000, withdrawnDcu: 60, returnsCoupon: true });
    expect(await quote(used.orderId)).toMatchObject({ refundFen: 2_500, withdrawnDcu: 30, returnsCoupon: false });
    await refund(whole.orderId);
    await refund(used.orderId);

    expect(await owns()).toMatchObject({ micro: 0n, coupons: ['AVAILABLE', 'USED'] });
  });

  it('does not bring back a coupon that ran out meanwhile', async () => {
    const { orderId } = await buy({ skuId: 'dcu-50', couponId: await giveCoupon(test, member, {}, 1) });
    await advance(test.db, 86_400_000);

    expect(await quote(orderId)).toMatchObject({ refundFen: 4_000, returnsCoupon: false });
    await refund(orderId);

    expect((await owns()).coupons).toEqual(['USED']);
  });

  it('leaves running labs what they are promised; the rest comes with a second refund, and both sum to the share', async () => {
    member = await test.buildMember({ levelFlag: 3, remainDcuMicro: 0n });
    const { orderId } = await buy();
    const { workshopId } = await startLab(test, { member, specId: 'cpu-64' });
    await advance(test.db, 7_000);
    const first = (await refund(orderId)).data;
    const { posted, held } = await test.services.ledger.readWallet(test.db, member.memberId);
    expect([posted > 0n, posted]).toEqual([true, held]);
    expect(first.state).toBe('PART_REFUNDED');
    expect(await refund(orderId)).toFailWith('NOTHING_TO_REFUND');

    await test.as(member).send('POST /gateway/workshop/stop', { body: { workshopId } });
    await pass(test, 2);
    const second = (await refund(orderId)).data;

    const taken = (await moneyOf(test, orderId)).refunds.reduce((sum, { withdrawnMicro }) => sum + withdrawnMicro, 0n);
    expect(second).toMatchObject({ state: 'REFUNDED', refundedFen: Number((10_000n * taken) / (105n * DCU)) });
    expect(second.refundedFen).toBeLessThan(10_000);
    expect(second.refundedFen).toBeGreaterThan(first.refundedFen);
  });

  it('takes points the order earned as far as they are free, and the worth of the others off the cash', async () => {
    const { orderId } = await buy();
    await givePoints(test, member, -60n);
    const waiting = await placeSku(test, member, { points: 30 });
    expect(waiting.envelope.success).toBe(true);

    expect(await quote(orderId)).toMatchObject({ withdrawnPoints: 10, spentPointsFen: 90, refundFen: 9_910 });
    expect((await refund(orderId)).data.refundedFen).toBe(9_910);

    expect(await owns()).toMatchObject({ points: 30n, heldPoints: 30n });
  });

  it('brings back points it was paid with by the share that goes back', async () => {
    await givePoints(test, member, 2_000n);
    const [whole, half] = [await buy({ skuId: 'dcu-50', points: 1_000 }), await buy({ skuId: 'dcu-50', points: 999 })];
    await useDcu(test, half.orderId, 25n * DCU);

    expect(await quote(whole.orderId)).toMatchObject({ refundFen: 4_000, returnedPoints: 1_000, withdrawnPoints: 40 });
    expect(await quote(half.orderId)).toMatchObject({ refundFen: 2_000, returnedPoints: 499, withdrawnPoints: 20 });
    await refund(whole.orderId);
    await refund(half.orderId);

    expect((await owns()).points).toBe(1n + 1_000n + 499n + 20n);
  });

  it('of which a coupon paid everything brings the coupon back and asks no provider', async () => {
    const asked = jest.spyOn(test.services.sandbox.provider, 'refund');
    const couponId = await giveCoupon(test, member, { amountFen: 5_000 });
    const { orderId } = (await placeSku(test, member, { couponId })).data;

    expect(await quote(orderId)).toMatchObject({ isPossible: true, refundFen: 0, withdrawnDcu: 50, returnsCoupon: true });
    expect((await refund(orderId)).data).toMatchObject({ state: 'REFUNDED', refunds: [{ amountFen: 0, state: 'SUCCEEDED' }] });

    expect(await owns()).toMatchObject({ micro: 0n, coupons: ['AVAILABLE'] });
    expect(asked).not.toHaveBeenCalled();
  });

  it('refuses what nothing is left of', async () => {
    const { orderId } = await buy();
    await useDcu(test, orderId, 105n * DCU);

    expect(await quote(orderId)).toMatchObject({ isPossible: false, refundFen: 0, withdrawnDcu: 0 });
    expect(await refund(orderId)).toFailWith('NOTHING_TO_REFUND');
    expect((await findOrder(test, member, orderId)).state).toBe('FULFILLED');
  });

  it('refuses what has expired', async () => {
    const { orderId } = await buy({ skuId: 'starter' });
    await advance(test.db, 90 * 86_400_000);

    expect(await quote(orderId)).toMatchObject({ isPossible: false, refundFen: 0 });
    expect(await refund(orderId)).toFailWith('NOTHING_TO_REFUND');
  });

  it('refuses an order in every state but one of those that can be given back', async () => {
    const { orderId } = (await placeSku(test, member)).data;
    expect(await quote(orderId)).toMatchObject({ isPossible: false, refundFen: 0 });
    expect(await refund(orderId)).toFailWith('ORDER_STATE_CONFLICT');

    await test.as(member).send('POST /gateway/order/cancel', { body: { orderId } });
    expect(await refund(orderId)).toFailWith('ORDER_STATE_CONFLICT');
  });

  it('changes nothing where something ran since the member looked', async () => {
    const { orderId } = await buy();
    await useDcu(test, orderId, DCU);
    const before = await owns();

    const refused = await refund(orderId, { seenFen: 10_000 });

    expect(refused).toFailWith('PRICE_CHANGED');
    expect(refused.envelope).toMatchObject({ data: { refundFen: 9_904 } });
    expect(await owns()).toEqual(before);
    expect((await moneyOf(test, orderId)).refunds).toEqual([]);
  });

  it('is one refund for fifty requests under one key, each with the same answer', async () => {
    const { orderId, payments } = await buy();
    const headers = { 'idempotency-key': `refund-${uuidv7()}` };

    const replies = await Promise.all(Array.from({ length: 50 }, () => refund(orderId, { seenFen: 10_000, headers })));

    expect(new Set(replies.map(({ data }) => JSON.stringify(data))).size).toBe(1);
    expect((await moneyOf(test, orderId)).refunds).toMatchObject([{ state: 'SUCCEEDED', amountFen: 10_000n }]);
    expect(await givenBackBySandbox(test, payments[0]?.paymentId ?? '')).toEqual([10_000n]);
    const other = await buy();
    expect(await refund(other.orderId, { seenFen: 10_000, headers })).toFailWith('IDEMPOTENCY_CONFLICT');
  });

  it('is one refund for twenty requests of different keys', async () => {
    const { orderId } = await buy();

    const replies = await Promise.all(Array.from({ length: 20 }, () => refund(orderId, { seenFen: 10_000 })));

    expect(replies.filter(({ envelope }) => envelope.success)).toHaveLength(1);
    expect((await moneyOf(test, orderId)).order).toMatchObject({ state: 'REFUNDED', refundedFen: 10_000n });
  });

  it('is nobody else’s to ask for', async () => {
    const { orderId } = await buy();
    for (const [who, error] of [
      [null, 'UNAUTHORIZED'],
      [await test.buildMember(), 'NOT_FOUND'],
    ] as const) {
      expect(await test.as(who).send('GET /gateway/order/refundQuote', { query: { orderId } })).toFailWith(error);
      const body = { orderId, expectedRefundFen: 10_000 };
      expect(await test.as(who).send('POST /gateway/order/refund', { body })).toFailWith(error);
    }
    expect((await owns()).micro).toBe(105n * DCU);
  });
});

it('a piece of a limited offer that is given back is sold all the same, and the member’s for ever', async () => {
  const { orderId } = await buy({ skuId: 'starter' });
  const before = await stockOf(test, 'starter');
  expect((await refund(orderId)).data).toMatchObject({ state: 'REFUNDED', refundedFen: 1_500 });

  expect(await stockOf(test, 'starter')).toEqual(before);
  expect(await placeSku(test, member, { skuId: 'starter' })).toFailWith('SKU_ALREADY_BOUGHT');
});

describe('giving back a package', () => {
  const rights = () => test.services.membership.getRights(member.memberId);
  const itemOf = (orderId: string) =>
    test.db.selectFrom('purchasedPackageItem').selectAll().where('orderId', '=', orderId).executeTakeFirstOrThrow();

  /** Half of its time will have passed at the instant to which a refund is counted. */
  async function halfLived(): Promise<string> {
    await setTestNow(test.db, new Date(Math.ceil((await readNow(test.db)).getTime() / GRID_MS) * GRID_MS));
    const { order } = await buyPackage(test, member);
    await advance(test.db, Number((await itemOf(order.orderId)).totalMs) / 2 - 2 * 60_000);
    return order.orderId;
  }

  it('brings the share of its time that is left, takes the DCU for it and ends it', async () => {
    const orderId = await halfLived();
    expect(await quote(orderId)).toMatchObject({ refundFen: 1_450, withdrawnDcu: 15, endsPackage: true, withdrawnPoints: 14 });

    expect((await refund(orderId)).data).toMatchObject({ state: 'REFUNDED', refundedFen: 1_450 });

    expect(await owns()).toMatchObject({ micro: 15n * DCU, points: 15n });
    expect((await rights()).levelFlag).toBe(0);
    expect((await itemOf(orderId)).state).toBe('REFUNDED');
    expect(await refund(orderId, { seenFen: 0 })).toFailWith('ORDER_STATE_CONFLICT');
  });

  it('brings less for DCU already used of time not lived, rounded up', async () => {
    const orderId = await halfLived();
    await useDcu(test, orderId, 20n * DCU);

    // Ten of the fifteen ahead are left; the other five cost 2900 × 5 / 30.
    expect(await quote(orderId)).toMatchObject({ refundFen: 1_450 - 484, withdrawnDcu: 10 });

    expect((await refund(orderId)).data.refundedFen).toBe(966);
    expect((await owns()).micro).toBe(0n);
  });

  it('that waits brings everything with its coupon, and leaves the one that runs', async () => {
    const running = await buyPackage(test, member);
    const waiting = await buyPackage(test, member, { couponId: await giveCoupon(test, member, { minimumFen: 1_000 }) });
    await advance(test.db, 5 * 86_400_000);
    expect(await quote(waiting.order.orderId)).toMatchObject({ refundFen: 1_900, withdrawnDcu: 0, returnsCoupon: true });

    await refund(waiting.order.orderId);

    expect(await owns()).toMatchObject({ micro: 30n * DCU, coupons: ['AVAILABLE'] });
    expect(await rights()).toMatchObject({ levelFlag: 1 });
    expect((await rights()).memberExpirationDate).toBe((await itemOf(running.order.orderId)).endsAt.toISOString());
  });

  it('brings at most what it cost, however much credit it carries, and the one it replaced brings nothing more', async () => {
    const lower = await buyPackage(test, member);
    await advance(test.db, 86_400_000);
    const couponId = await giveCoupon(test, member, { minimumFen: 1_000 });
    const higher = await buyPackage(test, member, { packageId: 'pro', couponId });
    const paid = lower.order.payableFen + higher.order.payableFen;
    await advance(test.db, 86_400_000);
    expect(higher.order.upgradeCreditFen).toBeGreaterThan(2_500);

    expect(await quote(higher.order.orderId)).toMatchObject({ refundFen: higher.order.payableFen, returnsCoupon: false });
    expect((await refund(higher.order.orderId)).data.refundedFen).toBe(higher.order.payableFen);

    expect(higher.order.payableFen).toBeLessThan(paid);
    expect(await quote(lower.order.orderId)).toMatchObject({ isPossible: false });
    expect(await refund(lower.order.orderId)).toFailWith('NOTHING_TO_REFUND');
    expect((await rights()).levelFlag).toBe(0);
  });

  it('refuses the package a waiting order counts on, until that is cancelled', async () => {
    const { order } = await buyPackage(test, member);
    const upgrade = (await placePackage(test, member, { packageId: 'pro' })).data;
    const refused = await refund(order.orderId);
    expect(refused).toFailWith('NOTHING_TO_REFUND');
    expect(refused.envelope.data).toEqual({ cause: 'CREDIT_RESERVED' });
    expect(await quote(order.orderId)).toMatchObject({ isPossible: false, cause: 'CREDIT_RESERVED' });

    await test.as(member).send('POST /gateway/order/cancel', { body: { orderId: upgrade.orderId } });

    expect((await refund(order.orderId)).data).toMatchObject({ state: 'REFUNDED', refundedFen: 2_899 });
  });

  it('refuses one that is over', async () => {
    const { order } = await buyPackage(test, member);
    await advance(test.db, 32 * 86_400_000);

    expect(await quote(order.orderId)).toMatchObject({ isPossible: false, cause: 'PACKAGE_OVER' });
    expect(await refund(order.orderId)).toFailWith('NOTHING_TO_REFUND');
  });
});
