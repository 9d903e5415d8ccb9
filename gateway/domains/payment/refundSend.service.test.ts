import { ProviderUnreachable } from '../../drivers/payment/paymentProvider';
import { createSendRefundsLoop } from '../../jobs/sendRefunds';
import { paymentAlarms } from '../../metrics';
import { buildTestApp, type TestApp } from '../../testing/buildTestApp';
import type { TestMember } from '../../testing/factories';
import { advance } from '../../testing/testDatabase';
import { belongings, findOrder, giveCoupon, givePoints, placeSku } from '../order/orderWorld';
import {
  attemptOf,
  brokenPromises,
  buyPackage,
  buySku,
  choose,
  deliver,
  giveBack,
  givenBackBySandbox,
  moneyOf,
  quoteRefund,
  useDcu,
} from './paymentWorld';

const DCU = 1_000_000n;
const DAY_MS = 86_400_000;

describe('a refund the provider has a say in', () => {
  let test: TestApp;
  let member: TestMember;
  beforeAll(async () => {
    test = await buildTestApp();
    await test.app.listen({ host: '127.0.0.1', port: 0 });
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

  const provider = () => test.services.sandbox.provider;
  const owns = () => belongings(test, member);
  const refund = async (orderId: string) => (await giveBack(test, member, orderId)).data;
  const send = () => createSendRefundsLoop({ ...test.services, log: test.app.log }).runOnce();
  const lotsOf = async () =>
    (await test.services.ledger.lotsOf(test.db, member.memberId)).map(({ remaining, expiresAtMs }) => [remaining, expiresAtMs]);

  async function alarms(alarm: string): Promise<number> {
    const { values } = await paymentAlarms.get();
    return values.find(({ labels }) => labels.alarm === alarm)?.value ?? 0;
  }

  async function buy(body: Parameters<typeof buySku>[2] = { skuId: 'dcu-100' }) {
    const order = await buySku(test, member, body);
    return { orderId: order.orderId, paymentId: order.payments[0]?.paymentId ?? '' };
  }

  it('gives DCU and points back as they were where it is refused', async () => {
    await givePoints(test, member, 500n);
    const couponId = await giveCoupon(test, member);
    const { orderId, paymentId } = await buy({ skuId: 'dcu-100', points: 500, couponId });
    await useDcu(test, orderId, 40n * DCU);
    await choose(test, paymentId, 'refuse');
    const [before, lots, seen, alarmed] = [
      await owns(),
      await lotsOf(),
      await quoteRefund(test, member, orderId),
      await alarms('refundRefused'),
    ];

    const order = await refund(orderId);

    expect(order).toMatchObject({ state: 'FULFILLED', refundedFen: 0, refunds: [{ state: 'FAILED' }], actions: ['refund'] });
    expect(order.timeline.at(-1)).toMatchObject({ from: 'REFUNDING', to: 'FULFILLED', reason: 'REFUND_REFUSED' });
    expect(await owns()).toEqual(before);
    expect(await lotsOf()).toEqual([[65n * DCU, lots[0]?.[1]]]);
    expect(await quoteRefund(test, member, orderId)).toEqual(seen);
    expect(await alarms('refundRefused')).toBe(alarmed + 1);

    await choose(test, paymentId, 'accept');
    expect(await refund(orderId)).toMatchObject({ state: 'REFUNDED', refundedFen: seen.refundFen });
  });

  it('gives a package back with the time it had left where it is refused, and it can be given back again', async () => {
    const { order, paymentId } = await buyPackage(test, member);
    const { orderId } = order;
    await advance(test.db, 10 * DAY_MS);
    await choose(test, paymentId, 'refuse');
    const [before, lots, rights] = [await owns(), await lotsOf(), await test.services.membership.getRights(member.memberId)];
    const seen = await quoteRefund(test, member, orderId);

    expect(await refund(orderId)).toMatchObject({ state: 'FULFILLED', refunds: [{ state: 'FAILED' }] });

    expect(await test.services.membership.getRights(member.memberId)).toEqual(rights);
    expect(await owns()).toEqual(before);
    expect(new Set((await lotsOf()).map(([, expiresAtMs]) => expiresAtMs))).toEqual(
      new Set(lots.map(([, expiresAtMs]) => expiresAtMs)),
    );

    await choose(test, paymentId, 'accept');
    const ended = await refund(orderId);
    expect(ended).toMatchObject({ state: 'REFUNDED', refunds: [{ state: 'FAILED' }, { state: 'SUCCEEDED' }] });
    expect(await givenBackBySandbox(test, paymentId)).toEqual([BigInt(ended.refundedFen)]);
    // The same as the first time, but for moments that went by.
    expect(seen.refundFen - ended.refundedFen).toBeLessThan(10);
    const takenMicro = before.micro - (await owns()).micro;
    expect(seen.withdrawnDcu - Number(takenMicro) / Number(DCU)).toBeLessThan(0.1);
  });

  it('gives back the time that went by until it was refused', async () => {
    const bought = await buy();
    const pack = await buyPackage(test, member);
    const [lot] = await lotsOf().then((lots) => lots.filter(([micro]) => micro === 100n * DCU));
    const { memberExpirationDate } = await test.services.membership.getRights(member.memberId);
    for (const paymentId of [bought.paymentId, pack.paymentId]) await choose(test, paymentId, 'later');
    expect(await refund(bought.orderId)).toMatchObject({ state: 'REFUNDING', actions: [], refunds: [{ state: 'SUBMITTED' }] });
    expect(await refund(pack.order.orderId)).toMatchObject({ state: 'REFUNDING' });
    // What the package brought for the minutes to which its refund is counted stays.
    expect((await owns()).micro).toBeLessThan(DCU / 100n);
    expect((await test.services.membership.getRights(member.memberId)).levelFlag).toBe(0);

    await advance(test.db, 3 * DAY_MS);
    jest.spyOn(provider(), 'queryRefund').mockResolvedValue('FAILED');
    expect(await send()).toBe(2);

    const after = await test.services.membership.getRights(member.memberId);
    expect(Date.parse(after.memberExpirationDate) - Date.parse(memberExpirationDate)).toBe(3 * DAY_MS);
    expect(await lotsOf()).toContainEqual([105n * DCU, Number(lot?.[1]) + 3 * DAY_MS]);
    expect(await owns()).toMatchObject({ micro: 135n * DCU, points: 129n });
  });

  it('goes back to part of it being given back where only a later part is refused', async () => {
    const { orderId, paymentId } = await buy();
    const part = {
      order: { id: orderId, memberId: member.memberId },
      reason: 'OPERATOR',
      expectedFen: null,
      note: '',
      actor: 'test',
    } as const;
    await test.services.refunds.refund({ ...part, mostMicro: 21n * DCU, idemKey: `test:${orderId}` });
    await choose(test, paymentId, 'refuse');

    expect(await refund(orderId)).toMatchObject({ state: 'PART_REFUNDED', refundedFen: 2_000 });
    await choose(test, paymentId, 'accept');
    expect(await refund(orderId)).toMatchObject({ state: 'REFUNDED', refundedFen: 10_000 });
    expect(await givenBackBySandbox(test, paymentId)).toEqual([10_000n]);
  });

  it('that takes its time is brought to its end by the loop', async () => {
    const { orderId, paymentId } = await buy({ skuId: 'dcu-50', couponId: await giveCoupon(test, member) });
    await choose(test, paymentId, 'later');
    expect((await refund(orderId)).state).toBe('REFUNDING');
    expect(await giveBack(test, member, orderId, { seenFen: 4_000 })).toFailWith('ORDER_STATE_CONFLICT');
    await advance(test.db, 5_000);
    await send();
    expect((await findOrder(test, member, orderId)).state).toBe('REFUNDING');

    await advance(test.db, 20_000);
    await Promise.all([send(), send(), send()]);

    expect(await findOrder(test, member, orderId)).toMatchObject({ state: 'REFUNDED', refundedFen: 4_000 });
    expect((await owns()).coupons).toEqual(['AVAILABLE']);
    expect(await givenBackBySandbox(test, paymentId)).toEqual([4_000n]);
    expect(await send()).toBe(0);
  });

  it('is asked for once where the answer was lost, and later and later while there is none', async () => {
    const { orderId, paymentId } = await buy();
    const { refund: done } = provider();
    jest.spyOn(provider(), 'refund').mockImplementationOnce(async (ask) => {
      await done(ask);
      throw new ProviderUnreachable('time-out');
    });
    const asked = jest.spyOn(provider(), 'queryRefund').mockRejectedValueOnce(new ProviderUnreachable('time-out'));
    expect((await refund(orderId)).state).toBe('REFUNDING');
    expect(await send()).toBe(0);
    await advance(test.db, 5_000);
    expect(await send()).toBe(1);
    await advance(test.db, 9_999);
    expect(await send()).toBe(0);
    expect(asked).toHaveBeenCalledTimes(1);

    await advance(test.db, 1);
    expect(await send()).toBe(1);

    expect((await findOrder(test, member, orderId)).state).toBe('REFUNDED');
    expect(await givenBackBySandbox(test, paymentId)).toEqual([10_000n]);
  });

  it('raises an alarm when a provider gives no answer for more than an hour, and is never given up', async () => {
    const { orderId } = await buy();
    const unreachable = jest.spyOn(provider(), 'refund').mockRejectedValue(new ProviderUnreachable('gone'));
    const before = await alarms('refundLate');
    await refund(orderId);
    for (let tries = 2; tries < 10; tries += 1) {
      await advance(test.db, 3_600_000);
      expect(await send()).toBe(1);
    }
    expect(await alarms('refundLate')).toBe(before);

    await advance(test.db, 3_600_000);
    await send();
    expect(await alarms('refundLate')).toBe(before + 1);

    unreachable.mockRestore();
    await advance(test.db, 3_600_000);
    await send();
    expect((await findOrder(test, member, orderId)).state).toBe('REFUNDED');
  });

  it('that fails on our side leaves the others and is tried again', async () => {
    const [first, second] = [await buy(), await buy()];
    for (const { orderId, paymentId } of [first, second]) {
      await choose(test, paymentId, 'later');
      await refund(orderId);
    }
    await advance(test.db, 20_000);
    jest.spyOn(test.services.orders, 'move').mockRejectedValueOnce(new Error('the disk is full'));

    expect(await send()).toBe(2);
    const states = async () => [
      (await moneyOf(test, first.orderId)).order.state,
      (await moneyOf(test, second.orderId)).order.state,
    ];
    expect((await states()).sort()).toEqual(['REFUNDED', 'REFUNDING']);

    await advance(test.db, 60_000);
    await send();
    expect(await states()).toEqual(['REFUNDED', 'REFUNDED']);
  });

  describe('of money that no order needs', () => {
    async function doublePaid(): Promise<{ orderId: string; paymentId: string }> {
      const { orderId } = (await placeSku(test, member)).data;
      const { paymentId } = await attemptOf(test, member, orderId);
      await choose(test, paymentId, 'double');
      await deliver(test);
      return { orderId, paymentId };
    }

    it('sends back the second money, and the order keeps the first', async () => {
      const { orderId, paymentId } = await doublePaid();
      expect((await moneyOf(test, orderId)).payments.map(({ state }) => state).sort()).toEqual(['ORPHAN', 'SUCCEEDED']);

      expect(await send()).toBe(1);

      const { order, payments, refunds } = await moneyOf(test, orderId);
      expect(order).toMatchObject({ state: 'FULFILLED', refundedFen: 0n });
      expect(refunds).toMatchObject([{ reason: 'SURPLUS', state: 'SUCCEEDED', amountFen: 5_000n }]);
      expect(payments.map(({ state, refundedFen }) => [state, refundedFen]).sort()).toEqual([
        ['ORPHAN', 5_000n],
        ['SUCCEEDED', 0n],
      ]);
      expect(await givenBackBySandbox(test, paymentId)).toEqual([0n, 5_000n]);
      expect((await owns()).micro).toBe(50n * DCU);
      expect(await refund(orderId)).toMatchObject({ state: 'REFUNDED', refundedFen: 5_000 });
      expect(await givenBackBySandbox(test, paymentId)).toEqual([5_000n, 5_000n]);
    });

    it('raises an alarm where it is refused, and the order stays as it is', async () => {
      const { orderId, paymentId } = await doublePaid();
      await choose(test, paymentId, 'refuse');
      const before = await alarms('refundRefused');

      await send();

      expect(await moneyOf(test, orderId)).toMatchObject({ order: { state: 'FULFILLED' }, refunds: [{ state: 'FAILED' }] });
      expect(await alarms('refundRefused')).toBe(before + 1);
      await advance(test.db, DAY_MS);
      expect(await send()).toBe(0);
    });
  });
});
