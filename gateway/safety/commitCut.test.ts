import { v7 as uuidv7 } from 'uuid';
import type { Calls } from '../contract/calls';
import { belongings, giveCoupon, givePoints, placeSku } from '../domains/order/orderWorld';
import { attemptOf, brokenPromises, buySku, choose, moneyOf } from '../domains/payment/paymentWorld';
import { buildTestApp, type TestApp } from '../testing/buildTestApp';
import { type CuttingProxy, startCuttingProxy } from '../testing/cuttingProxy';
import type { TestMember } from '../testing/factories';
import { advance } from '../testing/testDatabase';

const MINUTE = 60_000;
/** More commits than any of these calls makes. */
const COMMITS_MOST = 12;

let test: TestApp;
let proxy: CuttingProxy;
/** A gateway beside it on the same database, whose connections are lost. */
let cut: TestApp;
beforeAll(async () => {
  test = await buildTestApp();
  proxy = await startCuttingProxy(test.url);
  cut = await buildTestApp({ url: proxy.url });
  await cut.app.listen({ host: '127.0.0.1', port: 0 });
  await advance(test.db, 0);
});
afterAll(async () => {
  await cut.close();
  await proxy.close();
  await test.close();
});

/** What a member asks for, and what there is to see of it afterwards, however often it was asked for. */
interface Act {
  ask(): Promise<unknown>;
  effect(): Promise<unknown>;
  once: unknown;
}

const keyed = () => ({ 'idempotency-key': uuidv7() });
const send = <K extends keyof Calls>(member: TestMember, key: K, body: Calls[K]['body'], headers: Record<string, string>) =>
  cut.as(member).send(key, { body, headers });

const acts: Record<string, (member: TestMember) => Promise<Act>> = {
  async 'placing an order'(member) {
    await givePoints(test, member, 400n);
    const couponId = await giveCoupon(test, member, { amountFen: 500, minimumFen: 0 });
    const body = { skuId: 'starter', quantity: 1, couponId, points: 200, expectedPayableFen: 800, priceVersion: 1 };
    const headers = keyed();
    return {
      ask: async () => (await send(member, 'POST /gateway/order/placeSku', body, headers)).data,
      effect: async () => ({ ...(await belongings(test, member)), orders: await ordersOf(member) }),
      once: { micro: 0n, points: 400n, heldPoints: 200n, coupons: ['RESERVED'], orders: ['PENDING'] },
    };
  },

  async 'placing an order with nothing to pay'(member) {
    const couponId = await giveCoupon(test, member, { amountFen: 2_000, minimumFen: 0 });
    const body = { skuId: 'starter', quantity: 1, couponId, points: 0, expectedPayableFen: 0, priceVersion: 1 };
    const headers = keyed();
    return {
      ask: async () => (await send(member, 'POST /gateway/order/placeSku', body, headers)).data,
      effect: async () => ({ ...(await belongings(test, member)), orders: await ordersOf(member) }),
      once: { micro: 30_000_000n, points: 0n, heldPoints: 0n, coupons: ['USED'], orders: ['FULFILLED'] },
    };
  },

  async 'asking for a way to pay'(member) {
    const { orderId } = (await placeSku(test, member)).data;
    const headers = keyed();
    return {
      ask: async () => (await send(member, 'POST /gateway/order/payPending', { orderId, method: 'sandbox' }, headers)).data,
      effect: async () => (await moneyOf(test, orderId)).payments.map(({ state, qrText }) => [state, qrText !== '']),
      once: [['SUBMITTED', true]],
    };
  },

  async 'a notice of money'(member) {
    const { orderId } = (await placeSku(test, member)).data;
    const { paymentId } = await attemptOf(test, member, orderId);
    await choose(test, paymentId, 'approve');
    return {
      ask: async () => {
        await advance(test.db, MINUTE);
        await cut.services.sandbox.sendNotices();
      },
      effect: async () => ({ ...(await belongings(test, member)), ...(await statesOf(orderId)) }),
      once: {
        ...{ micro: 50_000_000n, points: 50n, heldPoints: 0n, coupons: [] },
        ...{ order: 'FULFILLED', payments: ['SUCCEEDED'], refunds: [] },
      },
    };
  },

  async 'giving an order back'(member) {
    const { orderId } = await buySku(test, member);
    const headers = keyed();
    const body = { orderId, expectedRefundFen: 5_000, reason: '' };
    return {
      ask: async () => {
        await send(member, 'POST /gateway/order/refund', body, headers);
        await advance(test.db, MINUTE);
        await cut.services.refundSending.sendDue();
        return (await send(member, 'POST /gateway/order/refund', body, headers)).data;
      },
      effect: async () => ({ ...(await belongings(test, member)), ...(await statesOf(orderId)) }),
      once: {
        ...{ micro: 0n, points: 0n, heldPoints: 0n, coupons: [] },
        ...{ order: 'REFUNDED', payments: ['SUCCEEDED'], refunds: ['SUCCEEDED'] },
      },
    };
  },

  async 'cancelling an order'(member) {
    await givePoints(test, member, 400n);
    const couponId = await giveCoupon(test, member, { amountFen: 500, minimumFen: 0 });
    const { orderId } = (await placeSku(test, member, { skuId: 'starter', couponId, points: 400 })).data;
    await attemptOf(test, member, orderId);
    const headers = keyed();
    return {
      ask: async () => (await send(member, 'POST /gateway/order/cancel', { orderId }, headers)).data,
      effect: async () => ({ ...(await belongings(test, member)), ...(await statesOf(orderId)) }),
      once: {
        ...{ micro: 0n, points: 400n, heldPoints: 0n, coupons: ['AVAILABLE'] },
        ...{ order: 'CANCELLED', payments: ['CLOSED'], refunds: [] },
      },
    };
  },

  async 'taking a reward for points'(member) {
    await givePoints(test, member, 1_000n);
    const headers = keyed();
    const body = { rewardId: 'dcu-5', expectedPoints: 500 };
    return {
      ask: async () => (await send(member, 'POST /gateway/points/redeem', body, headers)).data,
      effect: () => belongings(test, member),
      once: { micro: 5_000_000n, points: 500n, heldPoints: 0n, coupons: [] },
    };
  },

  async 'redeeming a code'(member) {
    const headers = keyed();
    return {
      ask: async () => (await send(member, 'POST /gateway/membership/redeemCoupon', { code: 'WELCOME2026' }, headers)).data,
      effect: () => belongings(test, member),
      once: { micro: 0n, points: 0n, heldPoints: 0n, coupons: ['AVAILABLE'] },
    };
  },

  async 'starting a workshop'(member) {
    await givePoints(test, member, 500n);
    await test.as(member).send('POST /gateway/points/redeem', { body: { rewardId: 'dcu-5', expectedPoints: 500 } });
    const { workshopId } = await cut.buildWorkshop({ memberId: member.memberId });
    const headers = keyed();
    return {
      ask: async () => (await send(member, 'POST /gateway/workshop/start', { workshopId }, headers)).data,
      effect: async () => test.db.selectFrom('labSession').select('endedAt').where('memberId', '=', member.memberId).execute(),
      once: [{ endedAt: null }],
    };
  },
};

async function ordersOf({ memberId }: TestMember): Promise<string[]> {
  const orders = await test.db.selectFrom('order').select('state').where('memberId', '=', memberId).execute();
  return orders.map(({ state }) => state);
}

async function statesOf(orderId: string) {
  const { order, payments, refunds } = await moneyOf(test, orderId);
  return { order: order.state, payments: payments.map(({ state }) => state), refunds: refunds.map(({ state }) => state) };
}

it.each(Object.keys(acts))('%s is done once, at whichever commit the connection is lost', async (name) => {
  let commits = 0;
  for (let nth = 1; nth <= COMMITS_MOST; nth += 1) {
    const act = await acts[name]?.(await test.buildMember({ remainDcuMicro: 0n }));
    if (!act) throw new Error(`no act ${name}`);
    proxy.cutAtCommit(nth);
    // Whoever asked may hear anything: an answer, a refusal, that it is not known.
    const heard = await act.ask().catch((error: Error) => error);
    const wasCut = proxy.hasCut();
    proxy.cutAtCommit(0);

    const again = await act.ask();
    if (!(heard instanceof Error)) expect(again).toEqual(heard);
    expect(await act.effect()).toEqual(act.once);
    expect(await act.ask()).toEqual(again);
    expect(await act.effect()).toEqual(act.once);
    if (!wasCut) break;
    commits = nth;
  }
  expect(commits).toBeGreaterThan(0);
  expect(commits).toBeLessThan(COMMITS_MOST);
  expect(await brokenPromises(test)).toEqual([]);
});
