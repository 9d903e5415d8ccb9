import { v7 as uuidv7 } from 'uuid';
import { buildTestApp, type TestApp } from '../../testing/buildTestApp';
import type { TestMember } from '../../testing/factories';
import { advance, clockOf } from '../../testing/testDatabase';
import { attemptOf, brokenPromises, choose, moneyOf, payOrder } from '../payment/paymentWorld';
import { belongings, cancelOrder, giveCoupon, givePoints, placePackage, placeSku, stockOf } from './orderWorld';

const IS_DEEP = process.env.ATELIER_DEEP === '1';
const MINUTE = 60_000;
const BUYERS = IS_DEEP ? 500 : 120;
/** So many ask at the same moment; two gateways with ten connections each would turn more away. */
const CROWD = 60;
const ROUNDS = IS_DEEP ? 5 : 1;

let first: TestApp;
let second: TestApp;
let member: TestMember;
beforeAll(async () => {
  first = await buildTestApp();
  second = await buildTestApp({ url: first.url });
  await first.app.listen({ host: '127.0.0.1', port: 0 });
  await pass(0);
});
beforeEach(async () => {
  member = await first.buildMember({ remainDcuMicro: 0n });
});
afterEach(async () => expect(await brokenPromises(first)).toEqual([]));
afterAll(async () => {
  await second.close();
  await first.close();
});

/** Time goes on for both gateways: what one signs, the other must not find old. */
async function pass(ms: number): Promise<void> {
  clockOf(second.db).set(await advance(first.db, ms));
}

/** The two gateways take turns. */
const gateway = (nth: number): TestApp => (nth % 2 === 0 ? first : second);
const crowd = <T>(size: number, act: (test: TestApp, nth: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: size }, (_, nth) => act(gateway(nth), nth)));

interface Reply {
  envelope: { success: boolean; code: number };
}

/** How many were served, and that all others heard the one refusal. */
function expectServed(replies: readonly Reply[], served: number, refusal: Parameters<jest.Matchers<void>['toFailWith']>[0]): void {
  const refused = replies.filter(({ envelope }) => !envelope.success);
  for (const reply of refused) expect(reply).toFailWith(refusal);
  expect(replies.length - refused.length).toBe(served);
}

describe('orders placed at the same time', () => {
  it('share one coupon: it goes to exactly one of twenty', async () => {
    const couponId = await giveCoupon(first, member, { minimumFen: 0 });
    const replies = await crowd(20, (test) => placeSku(test, member, { skuId: 'dcu-50', couponId, expectedPayableFen: 4_000 }));

    expectServed(replies, 1, 'COUPON_UNUSABLE');
    expect(await belongings(first, member)).toMatchObject({ coupons: ['RESERVED'] });
  });

  it('share points: what is set aside for one is not there for the twentieth', async () => {
    await givePoints(first, member, 500n);
    const body = { skuId: 'dcu-10', points: 200, expectedPayableFen: 800 };
    const replies = await crowd(20, (test) => placeSku(test, member, body));

    expectServed(replies, 2, 'POINTS_TOO_MANY');
    expect(await belongings(first, member)).toMatchObject({ points: 500n, heldPoints: 400n });
  });

  it('share an upgrade credit: one of ten counts on it, the others hear of the new price', async () => {
    const { orderId } = (await placePackage(first, member, { packageId: 'standard', months: 12 })).data;
    await payOrder(first, member, orderId);
    const asked = { packageId: 'max', months: 1 };
    const { data: seen } = await first.as(member).send('POST /gateway/order/estimatePackagePrice', { body: asked });
    expect(seen.upgradeCreditFen).toBeGreaterThan(0);
    const body = { ...asked, expectedPayableFen: seen.payableFen, priceVersion: seen.priceVersion };
    const replies = await crowd(10, (test) => test.as(member).send('POST /gateway/order/placePackage', { body }));

    expectServed(replies, 1, 'PRICE_CHANGED');
  });

  it('are at most five unpaid ones of a member', async () => {
    const replies = await crowd(10, (test) => placeSku(test, member, { skuId: 'dcu-10', expectedPayableFen: 1_000 }));

    expectServed(replies, 5, 'TOO_MANY_PENDING_ORDERS');
  });

  it('under fifty equal keys are one', async () => {
    const headers = { 'idempotency-key': uuidv7() };
    const replies = await crowd(50, (test) => placeSku(test, member, { expectedPayableFen: 5_000 }, headers));

    expect(new Set(replies.map(({ data }) => data.orderId)).size).toBe(1);
    const { data: page } = await first.as(member).send('POST /gateway/order/pageFind', { body: {} });
    expect(page.total).toBe(1);
  });

  it('of a limited offer are one a member', async () => {
    const replies = await crowd(10, (test) => placeSku(test, member, { skuId: 'starter', expectedPayableFen: 1_500 }));

    expectServed(replies, 1, 'SKU_ALREADY_PENDING');
  });

  it('of the last ten pieces are ten, whoever wants one', async () => {
    const gone = await stockOf(first, 'starter');
    const taken = (gone?.reserved ?? 0) + (gone?.sold ?? 0);
    await first.db
      .updateTable('skuStock')
      .set({ initial: taken + 10 })
      .where('skuId', '=', 'starter')
      .execute();
    const replies: Reply[] = [];
    for (let from = 0; from < BUYERS; from += CROWD) {
      const buyers = await crowd(Math.min(CROWD, BUYERS - from), (test) => test.buildMember({ remainDcuMicro: 0n }));
      const wanting = { skuId: 'starter', expectedPayableFen: 1_500 };
      replies.push(...(await crowd(buyers.length, (test, nth) => placeSku(test, buyers[nth] ?? member, wanting))));
    }

    expect(replies).toHaveLength(BUYERS);
    expectServed(replies, 10, 'SKU_SOLD_OUT');
    expect(await stockOf(first, 'starter')).toMatchObject({ initial: taken + 10, reserved: (gone?.reserved ?? 0) + 10 });
  }, 120_000);
});

describe('the end of an order', () => {
  /** Lets every loop of both gateways run until nothing is due. */
  async function settleAll(times = 3): Promise<void> {
    for (let time = 0; time < times; time += 1) {
      await crowd(4, async ({ services }) => {
        await services.sandbox.sendNotices();
        await services.payments.settleDue();
        await services.orders.expireDue();
        await services.refundSending.sendDue();
      });
      await pass(6 * MINUTE);
    }
  }

  /** What came in and was not given back is what a fulfilled order costs, and nothing for any other; what it brings came once. */
  async function expectOneEnd(orderId: string): Promise<string> {
    const { order, refunds } = await moneyOf(first, orderId);
    const { rows } = await first.pool.query<{ kept: bigint }>(
      `select coalesce(sum(m.amount_fen - m.refunded_fen), 0)::bigint as kept from sandbox_money m
        join sandbox_trade t on t.id = m.trade_id join payment p on p.id = t.payment_id where p.order_id = $1`,
      [orderId],
    );
    const isFulfilled = order.state === 'FULFILLED';
    expect(rows[0]?.kept).toBe(isFulfilled ? order.payableFen : 0n);
    expect(refunds.every(({ reason, state }) => reason === 'SURPLUS' && state === 'SUCCEEDED')).toBe(true);
    const lots = await first.db.selectFrom('dcuLot').select('granted').where('orderId', '=', orderId).execute();
    expect(lots).toEqual(isFulfilled ? [{ granted: 50_000_000n }] : []);
    return order.state;
  }

  const buyers = (size: number) => crowd(size, (test) => test.buildMember({ remainDcuMicro: 0n }));
  async function placeWithAttempt(buyer: TestMember) {
    const { orderId } = (await placeSku(first, buyer)).data;
    return { buyer, orderId, paymentId: (await attemptOf(first, buyer, orderId)).paymentId };
  }
  /** What the payer does; too late is no fault. */
  const tryPaying = (test: TestApp, paymentId: string) => choose(test, paymentId, 'approve').catch((error: Error) => error.message);

  it('is one where it is paid and cancelled at once', async () => {
    const ends = new Set<string>();
    for (let round = 0; round < ROUNDS; round += 1) {
      const orders = await Promise.all((await buyers(10)).map(placeWithAttempt));
      await Promise.all(
        orders.flatMap(({ buyer, orderId, paymentId }, nth) => [
          tryPaying(gateway(nth), paymentId).then(() => gateway(nth).services.sandbox.sendNotices()),
          cancelOrder(gateway(nth + 1), buyer, orderId),
          gateway(nth).services.payments.settleDue(),
        ]),
      );
      await settleAll();
      for (const { orderId } of orders) ends.add(await expectOneEnd(orderId));
    }
    for (const end of ends) expect(['FULFILLED', 'CANCELLED', 'EXPIRED']).toContain(end);
  });

  it('is one where money comes as its time is over, and that money goes back or buys', async () => {
    const orders = await Promise.all((await buyers(10)).map(placeWithAttempt));
    for (const [nth, { paymentId }] of orders.entries()) await choose(first, paymentId, nth % 2 === 0 ? 'late' : 'approve');
    await pass(31 * MINUTE);
    await crowd(12, async ({ services }, nth) => {
      if (nth % 3 === 0) await services.orders.expireDue();
      else if (nth % 3 === 1) await services.sandbox.sendNotices();
      else await services.payments.settleDue();
    });
    await settleAll();

    const ends = [];
    for (const { orderId } of orders) ends.push(await expectOneEnd(orderId));
    expect(ends.filter((_, nth) => nth % 2 === 1)).toEqual(Array.from({ length: 5 }, () => 'FULFILLED'));
    for (const end of ends) expect(['FULFILLED', 'EXPIRED']).toContain(end);
  });

  it('is one where many pay it twice over, and all beyond the first money goes back', async () => {
    const orders = await Promise.all((await buyers(10)).map(placeWithAttempt));
    await Promise.all(
      orders.map(async ({ buyer, orderId, paymentId }, nth) => {
        const other = await attemptOf(second, buyer, orderId, 'sandbox-card');
        await Promise.all([
          choose(first, paymentId, nth % 2 === 0 ? 'double' : 'duplicate'),
          choose(second, other.paymentId, 'approve'),
        ]);
      }),
    );
    await crowd(8, ({ services }) => services.sandbox.sendNotices());
    await settleAll();

    for (const { orderId } of orders) {
      expect(await expectOneEnd(orderId)).toBe('FULFILLED');
      expect((await moneyOf(first, orderId)).refunds.length).toBeGreaterThan(0);
    }
  });

  it('is given back once, however many ask', async () => {
    const { orderId } = (await placeSku(first, member)).data;
    await payOrder(first, member, orderId);
    const body = { orderId, expectedRefundFen: 5_000, reason: '' };
    await crowd(10, (test) => test.as(member).send('POST /gateway/order/refund', { body }));
    await settleAll();

    const { order, refunds } = await moneyOf(first, orderId);
    expect(order).toMatchObject({ state: 'REFUNDED', refundedFen: 5_000n });
    expect(refunds).toMatchObject([{ state: 'SUCCEEDED', amountFen: 5_000n }]);
  });
});
