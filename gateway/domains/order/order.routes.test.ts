import { buildTestApp, type TestApp } from '../../testing/buildTestApp';
import type { TestMember } from '../../testing/factories';
import { advance } from '../../testing/testDatabase';
import { brokenInvariants } from '../workshop/testbed';
import {
  belongings,
  cancelOrder,
  findOrder,
  giveCoupon,
  givePoints,
  pay,
  placePackage,
  placeSku,
  quoteSku,
  setProofs,
  stockOf,
} from './orderWorld';

const MINUTE = 60_000;
const STRANGE_ID = '0190163d-8694-739b-aea5-966c26f8ad91';

let test: TestApp;
let member: TestMember;
beforeAll(async () => {
  test = await buildTestApp();
  await advance(test.db, 0);
});
beforeEach(async () => {
  member = await test.buildMember({ remainDcuMicro: 0n });
});
afterEach(async () => expect(await brokenInvariants(test)).toEqual([]));
afterAll(() => test.close());

describe('a price', () => {
  it('is the list’s, the student’s, less the best coupon, in lines that sum to it', async () => {
    await setProofs(test, member, { isStudent: true });
    const best = await giveCoupon(test, member);
    const other = await giveCoupon(test, member, { amountFen: 500 });

    const { data } = await test.as(member).send('POST /gateway/order/previewSku', { body: { skuId: 'dcu-100', quantity: 2 } });

    expect(data).toMatchObject({
      ...{ listFen: 20_000, studentDiscountFen: 4_000, couponDiscountFen: 1_000, pointsDiscountFen: 0, payableFen: 15_000 },
      ...{ couponId: best, earnsPoints: 150, needsRealName: false, priceVersion: 1 },
      lines: [{ quantity: 2, listFen: 20_000, payableFen: 15_000 }],
      brings: { dcu: 200, bonusDcu: 10, couponDcu: 0, package: null },
    });
    expect(data.coupons.map(({ coupon, isUsable, discountFen }) => [coupon.couponId, isUsable, discountFen])).toEqual([
      [best, true, 1_000],
      [other, true, 500],
    ]);
  });

  it('says why a coupon does not fit and chooses none then', async () => {
    await giveCoupon(test, member, { minimumFen: 6_000 });

    const { data } = await test.as(member).send('POST /gateway/order/previewSku', { body: { skuId: 'dcu-50', quantity: 1 } });

    expect(data).toMatchObject({ couponId: null, couponDiscountFen: 0, coupons: [{ isUsable: false, reason: 'BELOW_MINIMUM' }] });
  });

  it('counts the coupon and points chosen, points to the half of what is left', async () => {
    await givePoints(test, member, 10_000n);
    const couponId = await giveCoupon(test, member);

    const quote = await quoteSku(test, member, { couponId, points: 2_000 });

    expect(quote).toMatchObject({
      ...{ couponDiscountFen: 1_000, pointsDiscountFen: 2_000, payableFen: 2_000, earnsPoints: 20 },
      points: { used: 2_000, available: 10_000, most: 2_000, fenPerPoint: 1 },
    });
  });

  it.each([
    ['more than the order takes', 10_000n, 2_501, 2_500],
    ['more than there are', 100n, 101, 100],
  ])('refuses points: %s', async (_why, has, points, most) => {
    await givePoints(test, member, has);

    const reply = await test
      .as(member)
      .send('POST /gateway/order/estimateSkuPrice', { body: { skuId: 'dcu-50', quantity: 1, points } });

    expect(reply).toFailWith('POINTS_TOO_MANY');
    expect(reply.envelope.data).toEqual({ most });
  });

  it.each([[{ skuId: 'nothing-like-it', quantity: 1 }], [{ skuId: 'starter', quantity: 2 }], [{ skuId: 'dcu-10', quantity: 21 }]])(
    'is refused for what is not on sale: %j',
    async (body) => {
      expect(await test.as(member).send('POST /gateway/order/previewSku', { body })).toFailWith('SKU_UNAVAILABLE');
    },
  );

  it.each([
    [{ packageId: 'nothing-like-it', months: 1 }],
    [{ packageId: 'custom', months: 1 }],
    [{ packageId: 'pro', months: 1, custom: { cpuCores: 64, monthlyDcu: 0 } }],
    [{ packageId: 'custom', months: 1, custom: { cpuCores: 65, monthlyDcu: 0 } }],
  ])('is refused for a package that is not on sale: %j', async (body) => {
    await setProofs(test, member, { isRealName: true });

    expect(await test.as(member).send('POST /gateway/order/previewPackage', { body })).toFailWith('PACKAGE_UNAVAILABLE');
  });

  it('refuses a coupon that does not fit, with the reason, and another’s like none', async () => {
    const stranger = await test.buildMember();
    const foreign = await giveCoupon(test, stranger);
    const couponId = await giveCoupon(test, member, { scope: 'PACKAGE' });
    const estimate = (id: string) =>
      test.as(member).send('POST /gateway/order/estimateSkuPrice', { body: { skuId: 'dcu-50', quantity: 1, couponId: id } });

    const reply = await estimate(couponId);

    expect(reply).toFailWith('COUPON_UNUSABLE');
    expect(reply.envelope.data).toEqual({ reason: 'OTHER_PRODUCT' });
    expect(await estimate(foreign)).toFailWith('NOT_FOUND');
    expect(await estimate(STRANGE_ID)).toFailWith('NOT_FOUND');
  });

  it('of a package to measure needs a real name and has a line for each part', async () => {
    const body = { packageId: 'custom', months: 12, custom: { cpuCores: 80, monthlyDcu: 100 } };
    const refused = await test.as(member).send('POST /gateway/order/previewPackage', { body });
    expect(refused).toFailWith('REAL_NAME_REQUIRED');
    expect(refused.envelope.data).toEqual({ cause: 'CUSTOM_PACKAGE' });
    await setProofs(test, member, { isRealName: true, isStudent: true });

    const { data } = await test.as(member).send('POST /gateway/order/previewPackage', { body });

    expect(data).toMatchObject({
      ...{ listFen: 390_000, studentDiscountFen: 78_000, payableFen: 312_000, needsRealName: false },
      lines: [
        { title: 'CPU ceiling of 80 cores', listFen: 320_000, payableFen: 256_000 },
        { title: '100 DCU a month', listFen: 70_000, payableFen: 56_000 },
      ],
      brings: { package: { effect: 'NEW', levelFlag: 3, months: 12, monthlyDcu: 100, firstDcu: 100, ceilings: { cpuCores: 80 } } },
    });
  });
});

describe('placing', () => {
  it('sets coupon and points aside, keeps the price and tells the timeline', async () => {
    await givePoints(test, member, 500n);
    const couponId = await giveCoupon(test, member);

    const order = (await placeSku(test, member, { couponId, points: 500 })).data;

    expect(order).toMatchObject({
      ...{ state: 'PENDING', kind: 'SKU', title: '50 DCU', payableFen: 3_500, pointsUsed: 500, actions: ['pay', 'cancel'] },
      ...{ payments: [], refunds: [], fulfilledAt: null, closedAt: null, coupon: { couponId, state: 'RESERVED' } },
      timeline: [{ from: null, to: 'PENDING', reason: 'PLACED', actor: 'member' }],
    });
    expect(order.orderNo).toMatch(/^\d{20}$/);
    expect(Date.parse(order.payUntil) - Date.parse(order.createdAt)).toBe(30 * MINUTE);
    expect(await belongings(test, member)).toEqual({ micro: 0n, points: 500n, heldPoints: 500n, coupons: ['RESERVED'] });
    expect(await findOrder(test, member, order.orderId)).toEqual(order);
  });

  it('is refused at a price or a version the member never saw, and makes nothing', async () => {
    for (const seen of [{ expectedPayableFen: 4_999 }, { expectedPayableFen: 5_000, priceVersion: 2 }]) {
      const reply = await placeSku(test, member, seen);

      expect(reply).toFailWith('PRICE_CHANGED');
      expect(reply.envelope.data).toEqual({ payableFen: 5_000, priceVersion: 1 });
    }
    expect(await test.as(member).send('POST /gateway/order/pageFind', { body: {} })).toMatchObject({ data: { total: 0 } });
  });

  it('with nothing to pay fulfils at once', async () => {
    const couponId = await giveCoupon(test, member, { amountFen: 5_000, minimumFen: 0 });

    const order = (await placeSku(test, member, { couponId })).data;

    expect(order).toMatchObject({ state: 'FULFILLED', payableFen: 0, pointsEarned: 0, coupon: { state: 'USED' } });
    expect(order.timeline.map(({ to, reason, actor }) => [to, reason, actor])).toEqual([
      ['PENDING', 'PLACED', 'member'],
      ['FULFILLED', 'NOTHING_TO_PAY', 'system'],
    ]);
    expect(await belongings(test, member)).toMatchObject({ micro: 50_000_000n, coupons: ['USED'] });
  });

  it('stops at five unpaid orders', async () => {
    for (let placed = 0; placed < 5; placed += 1) expect((await placeSku(test, member)).data.state).toBe('PENDING');

    const reply = await placeSku(test, member);

    expect(reply).toFailWith('TOO_MANY_PENDING_ORDERS');
    expect(reply.envelope.data).toEqual({ limit: 5 });
  });

  it('of a limited offer counts its stock, once a member for ever', async () => {
    const before = await stockOf(test, 'starter');
    const order = (await placeSku(test, member, { skuId: 'starter' })).data;
    expect(await stockOf(test, 'starter')).toMatchObject({ initial: 500, reserved: (before?.reserved ?? 0) + 1 });

    expect(await placeSku(test, member, { skuId: 'starter', expectedPayableFen: 1_500 })).toFailWith('SKU_ALREADY_PENDING');

    await cancelOrder(test, member, order.orderId);
    const again = (await placeSku(test, member, { skuId: 'starter' })).data;
    await pay(test, again.orderId);
    expect(await stockOf(test, 'starter')).toMatchObject({ reserved: before?.reserved ?? 0, sold: (before?.sold ?? 0) + 1 });
    expect(await placeSku(test, member, { skuId: 'starter', expectedPayableFen: 1_500 })).toFailWith('SKU_ALREADY_BOUGHT');
  });

  it('of a limited offer is refused when nothing is left', async () => {
    const stranger = await test.buildMember();
    await placeSku(test, stranger, { skuId: 'starter' });
    const sold = { initial: 500, reserved: 1, sold: 499 };
    const before = await stockOf(test, 'starter');
    await test.db.updateTable('skuStock').set(sold).where('skuId', '=', 'starter').execute();

    const replies = [
      await placeSku(test, member, { skuId: 'starter', expectedPayableFen: 1_500 }),
      await test.as(member).send('POST /gateway/order/previewSku', { body: { skuId: 'starter', quantity: 1 } }),
    ];

    await test.db
      .updateTable('skuStock')
      .set(before ?? sold)
      .where('skuId', '=', 'starter')
      .execute();
    for (const reply of replies) {
      expect(reply).toFailWith('SKU_SOLD_OUT');
      expect(reply.envelope.data).toEqual({ left: 0 });
    }
  });

  it('of more than 2,000 yuan needs a real name', async () => {
    const refused = await placeSku(test, member, { skuId: 'dcu-1000', quantity: 3 });
    expect(refused).toFailWith('REAL_NAME_REQUIRED');
    expect(refused.envelope.data).toEqual({ cause: 'LARGE_PAYMENT' });

    await setProofs(test, member, { isRealName: true });

    expect((await placeSku(test, member, { skuId: 'dcu-1000', quantity: 3 })).data.payableFen).toBe(300_000);
  });

  it('answers the same key with the same order, also later, and another body with a conflict', async () => {
    const headers = { 'idempotency-key': 'the-same-purchase' };
    const first = await placeSku(test, member, { expectedPayableFen: 5_000 }, headers);
    await cancelOrder(test, member, first.data.orderId);

    const again = await placeSku(test, member, { expectedPayableFen: 5_000 }, headers);
    const other = await placeSku(test, member, { skuId: 'dcu-10', expectedPayableFen: 1_000 }, headers);

    expect(again.data).toEqual(first.data);
    expect(other).toFailWith('IDEMPOTENCY_CONFLICT');
  });
});

describe('fulfilling', () => {
  it('brings base, bonus and coupon DCU as lots of their own and spends what was set aside', async () => {
    await givePoints(test, member, 1_000n);
    const dcuCoupon = { kind: 'DCU', amountFen: null, dcu: '7.5', validDays: 10 } as const;
    const couponId = await giveCoupon(test, member, dcuCoupon);
    const { orderId } = (await placeSku(test, member, { skuId: 'dcu-100', couponId, points: 1_000 })).data;

    expect([await pay(test, orderId), await pay(test, orderId)]).toEqual([true, false]);

    const lots = await test.db
      .selectFrom('dcuLot')
      .select(['source', 'granted', 'expiresAt'])
      .where('orderId', '=', orderId)
      .orderBy('id')
      .execute();
    const now = (await findOrder(test, member, orderId)).fulfilledAt ?? '';
    const inDays = (days: number) => new Date(Date.parse(now) + days * 24 * 60 * MINUTE);
    expect(lots).toEqual([
      { source: 'purchase', granted: 100_000_000n, expiresAt: inDays(365) },
      { source: 'gift', granted: 5_000_000n, expiresAt: inDays(365) },
      { source: 'coupon', granted: 7_500_000n, expiresAt: inDays(10) },
    ]);
    // 9,000 fen of cash earn 90 points.
    expect(await belongings(test, member)).toEqual({ micro: 112_500_000n, points: 90n, heldPoints: 0n, coupons: ['USED'] });
    expect(await findOrder(test, member, orderId)).toMatchObject({ state: 'FULFILLED', pointsEarned: 90, actions: ['refund'] });
  });

  it('of a package begins it and brings its first month', async () => {
    const { orderId, brings } = (await placePackage(test, member, { packageId: 'pro', months: 3 })).data;
    expect(brings.package).toMatchObject({ effect: 'NEW', levelFlag: 2, months: 3, monthlyDcu: 120 });

    await pay(test, orderId);

    expect(await belongings(test, member)).toMatchObject({ micro: 120_000_000n });
    expect(await test.services.membership.getRights(member.memberId)).toMatchObject({ levelFlag: 2 });
  });

  it('of a higher package counts the credit it set aside', async () => {
    await pay(test, (await placePackage(test, member, { packageId: 'standard', months: 1 })).data.orderId);
    const upgrade = (await placePackage(test, member, { packageId: 'pro', months: 1 })).data;
    expect(upgrade).toMatchObject({ listFen: 9_900, brings: { package: { effect: 'UPGRADE', firstDcu: 90 } } });
    expect(upgrade.upgradeCreditFen).toBeGreaterThan(2_800);

    // Nothing else may count on it, until the order is cancelled.
    const other = (await placePackage(test, member, { packageId: 'max', months: 1 })).data;
    expect(other.upgradeCreditFen).toBe(0);
    await cancelOrder(test, member, other.orderId);
    await pay(test, upgrade.orderId);

    const { list } = (await test.as(member).send('POST /gateway/purchasedPackageItem/find', { body: {} })).data;
    expect(list.map(({ state, levelFlag }) => [levelFlag, state])).toEqual([
      [2, 'ACTIVE'],
      [1, 'UPGRADED'],
    ]);
    expect(await belongings(test, member)).toMatchObject({ micro: 120_000_000n });
  });
});

describe('cancelling', () => {
  it('gives everything back, once', async () => {
    await givePoints(test, member, 400n);
    const couponId = await giveCoupon(test, member);
    const { orderId } = (await placeSku(test, member, { couponId, points: 400 })).data;

    const cancelled = (
      await test.as(member).send('POST /gateway/order/cancel', { body: { orderId, reason: '  changed my mind ' } })
    ).data;

    expect(cancelled).toMatchObject({
      state: 'CANCELLED',
      cancelReason: 'changed my mind',
      actions: [],
      coupon: { state: 'AVAILABLE' },
    });
    expect(cancelled.timeline.at(-1)).toMatchObject({ from: 'PENDING', to: 'CANCELLED', actor: 'member' });
    expect(await belongings(test, member)).toEqual({ micro: 0n, points: 400n, heldPoints: 0n, coupons: ['AVAILABLE'] });
    const again = await cancelOrder(test, member, orderId);
    expect(again).toFailWith('ORDER_STATE_CONFLICT');
    expect(again.envelope.data).toEqual({ state: 'CANCELLED', action: 'cancel' });
  });

  it('is refused for what is paid, and for another’s like for a missing one', async () => {
    const { orderId } = (await placeSku(test, member)).data;
    await pay(test, orderId);
    const stranger = await test.buildMember();

    expect(await cancelOrder(test, member, orderId)).toFailWith('ORDER_STATE_CONFLICT');
    expect(await cancelOrder(test, stranger, orderId)).toFailWith('NOT_FOUND');
    expect(await cancelOrder(test, member, STRANGE_ID)).toFailWith('NOT_FOUND');
    expect(await test.as(null).send('POST /gateway/order/cancel', { body: { orderId } })).toFailWith('UNAUTHORIZED');
  });

  it('answers the same key with the same cancelled order', async () => {
    const { orderId } = (await placeSku(test, member)).data;
    const headers = { 'idempotency-key': 'cancel-it-once' };

    const [first, again] = [
      await test.as(member).send('POST /gateway/order/cancel', { body: { orderId }, headers }),
      await test.as(member).send('POST /gateway/order/cancel', { body: { orderId }, headers }),
    ];

    expect(again.data).toEqual(first.data);
  });
});

describe('expiry', () => {
  it('closes an order when its time is over, and gives everything back', async () => {
    await givePoints(test, member, 400n);
    const couponId = await giveCoupon(test, member);
    const { orderId } = (await placeSku(test, member, { couponId, points: 400 })).data;
    await advance(test.db, 30 * MINUTE - 1);
    await test.services.orders.expireDue();
    expect((await findOrder(test, member, orderId)).state).toBe('PENDING');
    await advance(test.db, 1);

    await test.services.orders.expireDue();

    const order = await findOrder(test, member, orderId);
    expect(order).toMatchObject({ state: 'EXPIRED', closedAt: order.payUntil, actions: [] });
    expect(order.timeline.at(-1)).toMatchObject({ to: 'EXPIRED', reason: 'TIME_OVER', actor: 'system' });
    expect(await belongings(test, member)).toEqual({ micro: 0n, points: 400n, heldPoints: 0n, coupons: ['AVAILABLE'] });
    expect(await pay(test, orderId)).toBe(false);
  });
});
