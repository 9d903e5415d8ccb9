import { microFromDcu } from '../dcu';
import { belongings, findOrder, giveCoupon, givePoints, placeSku } from '../domains/order/orderWorld';
import { brokenPromises, buyPackage, buySku, choose, givenBackBySandbox, moneyOf, useDcu } from '../domains/payment/paymentWorld';
import { buildTestApp, type TestApp } from '../testing/buildTestApp';
import type { TestMember } from '../testing/factories';
import { runCommand } from '../testing/runCommand';
import { advance } from '../testing/testDatabase';
import { CommandRefused } from './command';
import { refundOrder } from './refundOrder';

describe('order refund', () => {
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

  async function bought(body: Parameters<typeof buySku>[2] = { skuId: 'dcu-100' }) {
    const { orderId, orderNo, payments } = await buySku(test, member, body);
    return { orderId, orderNo, paymentId: payments[0]?.paymentId ?? '' };
  }

  const run = (order: string, options: Partial<Record<'ref' | 'reason' | 'dcu', string>> & { preview?: boolean } = {}) =>
    runCommand(test, refundOrder, { order, ref: `R-${order}`, reason: 'the outage', dcu: '', preview: false, ...options });
  const entries = (refundId: string | undefined) =>
    test.db.selectFrom('auditEntry').selectAll().where('subject', '=', String(refundId)).execute();
  const owns = () => belongings(test, member);

  it('says what would go and come, and changes nothing', async () => {
    await givePoints(test, member, 500n);
    const { orderId, orderNo } = await bought({ skuId: 'dcu-100', points: 500, couponId: await giveCoupon(test, member) });
    await givePoints(test, member, -80n);
    const before = await owns();

    expect(await run(orderNo, { preview: true })).toEqual([
      '',
      `Order ${orderNo} of ${member.username} would give back now`,
      '  what                  amount  goes',
      '  cash                  ¥84.20  to the member',
      '  DCU                   105     from the member',
      '  points earned         5       from the member',
      '  points spent already  ¥0.80   off the cash',
      '  points paid with      500     to the member',
      '  coupon                1       to the member',
    ]);

    expect(await owns()).toEqual(before);
    expect((await moneyOf(test, orderId)).refunds).toEqual([]);
  });

  it('gives back, by the operator’s name, and leaves who, what and why in the audit', async () => {
    const { orderId, orderNo, paymentId } = await bought();
    await useDcu(test, orderId, microFromDcu('52.5'));

    expect(await run(orderNo, { ref: 'T-7' })).toEqual([
      '',
      `Order ${orderNo} of ${member.username} gives back`,
      '  what           amount  goes',
      '  cash           ¥50.00  to the member',
      '  DCU            52.5    from the member',
      '  points earned  50      from the member',
      '',
      'It is done.',
    ]);

    const order = await findOrder(test, member, orderId);
    expect(order).toMatchObject({ state: 'REFUNDED', refundedFen: 5_000, refunds: [{ reason: 'OPERATOR', state: 'SUCCEEDED' }] });
    expect(order.timeline.at(-2)).toMatchObject({ to: 'REFUNDING', actor: 'operator' });
    expect(await givenBackBySandbox(test, paymentId)).toEqual([5_000n]);
    const [refund] = (await moneyOf(test, orderId)).refunds;
    expect(refund).toMatchObject({ actor: 'tester', note: 'the outage' });
    expect(await entries(refund?.id)).toMatchObject([
      {
        actorKind: 'operator',
        actor: 'tester',
        action: 'order refund',
        result: 'OK',
        note: 'T-7: the outage',
      },
    ]);
  });

  it('gives back once for a reference, however often and at once it is run', async () => {
    const { orderId, orderNo, paymentId } = await bought();

    const runs = await Promise.all(Array.from({ length: 8 }, () => run(orderNo, { dcu: '10' })));

    const { refunds } = await moneyOf(test, orderId);
    expect(refunds).toMatchObject([{ amountFen: 952n, withdrawnMicro: 10_000_000n }]);
    expect(await givenBackBySandbox(test, paymentId)).toEqual([952n]);
    const again = `Nothing more was done: under R-${orderNo}, order ${orderNo} of ${member.username} gave back before`;
    expect(runs.filter((lines) => lines.includes(again))).toHaveLength(7);
    expect(await entries(refunds[0]?.id)).toHaveLength(1);
  });

  it('gives back in parts under references of their own, which sum to the whole', async () => {
    const { orderId, orderNo } = await bought();
    for (const [ref, dcu] of [
      ['R-1', '33.333333'],
      ['R-2', '0.000001'],
      ['R-3', ''],
    ] as const) {
      await run(orderNo, { ref: `${ref}-${orderNo}`, dcu }).catch((error: unknown) => error);
    }

    expect((await moneyOf(test, orderId)).order).toMatchObject({ state: 'REFUNDED', refundedFen: 10_000n });
    expect(await owns()).toMatchObject({ micro: 0n, points: 0n });
  });

  it('ends a package, and knows no part of it', async () => {
    const { order } = await buyPackage(test, member);

    await expect(run(order.orderNo, { dcu: '5' })).rejects.toThrow(CommandRefused);
    expect(await run(order.orderNo)).toContain('  package        1       ends');

    expect(await findOrder(test, member, order.orderId)).toMatchObject({ state: 'REFUNDED', refundedFen: 2_899 });
  });

  it('says when the provider takes its time, and when it refused', async () => {
    const [slow, refused] = [await bought(), await bought()];
    await choose(test, slow.paymentId, 'later');
    await choose(test, refused.paymentId, 'refuse');

    expect((await run(slow.orderNo)).at(-1)).toMatch(/^The payment provider has it under way/);
    expect((await run(refused.orderNo)).at(-1)).toMatch(/^The payment provider refused it: everything was given back/);

    expect((await owns()).micro).toBe(105_000_000n);
  });

  it('refuses a reference of another order, an order there is not and what nothing is left of', async () => {
    const { orderNo } = await bought();
    await run(orderNo, { ref: `T-${orderNo}` });
    const other = await bought();
    const pending = (await placeSku(test, member)).data;

    await expect(run(other.orderNo, { ref: `T-${orderNo}` })).rejects.toThrow(
      new CommandRefused(`Under T-${orderNo}, order ${orderNo} was refunded before.`),
    );
    await expect(run('20200101000000000000')).rejects.toThrow(new CommandRefused('There is no order 20200101000000000000.'));
    await expect(run(pending.orderNo, { preview: true })).rejects.toThrow(
      new CommandRefused(`Nothing of order ${pending.orderNo}, which is PENDING, can be given back now.`),
    );
    await expect(run(orderNo)).rejects.toThrow('ORDER_STATE_CONFLICT');
    for (const dcu of ['0', '-1', '1e3', '0.0000001']) {
      await expect(run(other.orderNo, { dcu })).rejects.toThrow(/^--dcu is /);
    }
    expect((await owns()).micro).toBe(105_000_000n);
  });

  it('gives nothing back where its audit entry cannot be written', async () => {
    const { orderId, orderNo } = await bought();
    jest.spyOn(test.services.audit, 'write').mockRejectedValue(new Error('no room'));

    await expect(run(orderNo)).rejects.toThrow('no room');

    expect(await moneyOf(test, orderId)).toMatchObject({ order: { state: 'FULFILLED' }, refunds: [] });
    expect((await owns()).micro).toBe(105_000_000n);
  });
});
