import { Client } from 'pg';
import { buildTestApp, type TestApp } from '../../testing/buildTestApp';
import type { TestMember } from '../../testing/factories';
import { advance } from '../../testing/testDatabase';
import { paidNotice, signed } from './noticeWorld';
import { attemptOf, choose, moneyOf } from './paymentWorld';

/** Statements that went to the database, whoever sent them. */
let statements = 0;
const sent = Client.prototype.query;
let test: TestApp;
let member: TestMember;
beforeAll(async () => {
  // Before anything connects: a connection keeps the method it finds.
  Client.prototype.query = function counted(this: Client, ...args: unknown[]) {
    statements += 1;
    return Reflect.apply(sent, this, args);
  };
  test = await buildTestApp();
  await test.app.listen({ host: '127.0.0.1', port: 0 });
  await advance(test.db, 0);
  member = await test.buildMember({ remainDcuMicro: 0n });
});
afterAll(async () => {
  Client.prototype.query = sent;
  await test.close();
});

async function costOf<T>(step: () => Promise<T>): Promise<{ answer: T; cost: number }> {
  const before = statements;
  const answer = await step();
  return { answer, cost: statements - before };
}

const WANTED = { skuId: 'dcu-10', quantity: 1, expectedPayableFen: 1_000, priceVersion: 1 };

/** One purchase of DCU, each step with what it cost. */
async function purchase() {
  const place = await costOf(() => test.as(member).send('POST /gateway/order/placeSku', { body: WANTED }));
  const { orderId } = place.answer.data;
  const pay = await costOf(() => attemptOf(test, member, orderId));
  const { paymentId } = pay.answer;
  const approve = await costOf(() => choose(test, paymentId, 'approve'));
  const { body, headers } = await signed(test, await paidNotice(test, paymentId));
  const notice = await costOf(() =>
    test.app.inject({
      ...{ method: 'POST', url: '/gateway/payment/notify/sandbox', payload: body },
      headers: { 'content-type': 'application/json', ...headers },
    }),
  );
  expect((await moneyOf(test, orderId)).order.state).toBe('FULFILLED');
  return { place: place.cost, pay: pay.cost, approve: approve.cost, notice: notice.cost };
}

describe('a purchase', () => {
  it('is so few statements, each a round trip to the database', async () => {
    // What is read once for ever, like the key of the provider, is read by the first.
    await purchase();

    const cost = await purchase();

    // Session, begin, wallets, member, coupons, orders waiting, order, what is answered, commit, audit.
    expect(cost.place).toBeLessThanOrEqual(10);
    // Session, begin, wallet, order, attempt, commit; the provider's trade; what it shows, audit.
    expect(cost.pay).toBeLessThanOrEqual(9);
    // The test looks the trade up; begin, trade, money, commit.
    expect(cost.approve).toBeLessThanOrEqual(5);
    // Attempt; begin, wallets, order, attempt, its money, running labs, lot, points, order, commit.
    expect(cost.notice).toBeLessThanOrEqual(11);
    expect(Math.min(...Object.values(cost))).toBeGreaterThan(0);
  });
});
