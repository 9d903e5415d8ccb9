import { errors } from '../../contract/errors';
import { createKeyPair, signNotice } from '../../drivers/payment/sandbox/sandboxSignature';
import { paymentAlarms } from '../../metrics';
import { buildTestApp, type TestApp } from '../../testing/buildTestApp';
import type { TestMember } from '../../testing/factories';
import { advance } from '../../testing/testDatabase';
import { belongings, cancelOrder, placeSku } from '../order/orderWorld';
import { moneyComes, notify, paidNotice, type Said, signed } from './noticeWorld';
import { attemptOf, brokenPromises, deliver, moneyOf } from './paymentWorld';

const DCU = 1_000_000n;
let test: TestApp;
let member: TestMember;
let orderId: string;
let paymentId: string;
beforeAll(async () => {
  test = await buildTestApp();
  await test.app.listen({ host: '127.0.0.1', port: 0 });
  await advance(test.db, 0);
});
beforeEach(async () => {
  member = await test.buildMember({ remainDcuMicro: 0n });
  ({ orderId } = (await placeSku(test, member)).data);
  ({ paymentId } = await attemptOf(test, member, orderId));
});
afterEach(async () => {
  jest.restoreAllMocks();
  expect(await brokenPromises(test)).toEqual([]);
});
afterAll(() => test.close());

const ACKNOWLEDGED = { status: 200, text: 'success', type: 'text/plain; charset=utf-8' };
const money = () => moneyOf(test, orderId);
const statesOf = async () => {
  const { order, payments, refunds } = await money();
  return [order.state, ...payments.map(({ state }) => state).sort(), ...refunds.map(({ reason, state }) => `${reason} ${state}`)];
};
const owns = async () => (await belongings(test, member)).micro;
const say = async (said: Said) => notify(test, await signed(test, said));

async function alarms(alarm = 'noticeRefused'): Promise<number> {
  const { values } = await paymentAlarms.get();
  return values.find(({ labels }) => labels.alarm === alarm)?.value ?? 0;
}

/** Refused with an alarm, and nothing is applied. */
async function expectRefused(answer: { status: number; text: string }, alarmed: number): Promise<void> {
  const { status, code } = errors.PAYMENT_NOTICE_REFUSED;
  expect([answer.status, JSON.parse(answer.text).code]).toEqual([status, code]);
  expect(await alarms()).toBe(alarmed + 1);
  expect(await statesOf()).toEqual(['PENDING', 'SUBMITTED']);
  expect(await owns()).toBe(0n);
}

describe('a notice that is not the provider’s word about our payment', () => {
  it.each([
    ['is signed by nobody', async () => ({ body: JSON.stringify(await paidNotice(test, paymentId)), headers: {} })],
    [
      'is signed with another key',
      async () => {
        const body = JSON.stringify(await paidNotice(test, paymentId));
        return { body, headers: signNotice(Buffer.from(body), createKeyPair().privateKey, test.clock.nowMs()) };
      },
    ],
    [
      'was changed by a byte',
      async () => {
        const { body, headers } = await signed(test, await paidNotice(test, paymentId));
        return { body: `${body} `, headers };
      },
    ],
    [
      'has another time than was signed',
      async () => {
        const { body, headers } = await signed(test, await paidNotice(test, paymentId), 301_000);
        return { body, headers: { ...headers, 'sandbox-timestamp': String(test.clock.nowMs()) } };
      },
    ],
    ['was signed too long ago', async () => signed(test, await paidNotice(test, paymentId), 301_000)],
    ['says nothing that can be read', async () => signed(test, { paymentId })],
  ])('is refused with an alarm, and nothing is applied: it %s', async (_words, notice) => {
    const alarmed = await alarms();

    await expectRefused(await notify(test, await notice()), alarmed);
  });

  it.each<[string, Said]>([
    ['another application', { appId: 'atelier-other-app' }],
    ['another seller', { sellerId: 'somebody' }],
    ['less money', { amountFen: '4999' }],
    ['more money', { amountFen: '5001' }],
    ['another currency', { currency: 'USD' }],
    ['a payment nobody made', { paymentId: '0190a000-0000-7000-8000-000000000000' }],
  ])('is refused with an alarm, and nothing is applied: it tells of %s', async (_words, changes) => {
    const alarmed = await alarms();

    await expectRefused(await say(await paidNotice(test, paymentId, changes)), alarmed);
  });

  it('is nobody’s where we have no such provider', async () => {
    const notice = await signed(test, await paidNotice(test, paymentId));

    expect((await notify(test, notice, 'elsewhere')).status).toBe(errors.NOT_FOUND.status);
    expect(await statesOf()).toEqual(['PENDING', 'SUBMITTED']);
  });
});

describe('a notice of money', () => {
  it('comes from no page and nobody’s session, and is answered with the provider’s own word', async () => {
    const { body, headers } = await signed(test, await paidNotice(test, paymentId));
    const foreign = {
      ...headers,
      origin: 'https://provider.example',
      'sec-fetch-site': 'cross-site',
      'content-type': 'text/plain',
    };

    expect(await notify(test, { body, headers: foreign })).toEqual(ACKNOWLEDGED);

    expect(await statesOf()).toEqual(['FULFILLED', 'SUCCEEDED']);
    expect(await owns()).toBe(50n * DCU);
  });

  it('told fifty times at once pays once', async () => {
    const notice = await signed(test, await paidNotice(test, paymentId));

    const answers = await Promise.all(Array.from({ length: 50 }, () => notify(test, notice)));

    expect(new Set(answers.map((answer) => JSON.stringify(answer)))).toEqual(new Set([JSON.stringify(ACKNOWLEDGED)]));
    expect(await statesOf()).toEqual(['FULFILLED', 'SUCCEEDED']);
    expect(await owns()).toBe(50n * DCU);
  });

  it('is not undone by what is told late, and comes after what was told too early', async () => {
    expect(await say(await paidNotice(test, paymentId, { status: 'FAILED' }))).toEqual(ACKNOWLEDGED);
    expect(await statesOf()).toEqual(['PENDING', 'FAILED']);
    const paid = await paidNotice(test, paymentId);
    expect(await say(paid)).toEqual(ACKNOWLEDGED);
    expect(await statesOf()).toEqual(['FULFILLED', 'SUCCEEDED']);

    for (const status of ['CLOSED', 'FAILED', 'PAID']) expect(await say({ ...paid, status })).toEqual(ACKNOWLEDGED);

    expect(await statesOf()).toEqual(['FULFILLED', 'SUCCEEDED']);
    expect(await owns()).toBe(50n * DCU);
  });

  it('is acknowledged once it is committed, and not before', async () => {
    const notice = await signed(test, await paidNotice(test, paymentId));
    let isAnswered = false;
    const waiting = await test.db.startTransaction().execute();
    await test.services.ledger.lockWallet(waiting, member.memberId);
    const answer = notify(test, notice).finally(() => {
      isAnswered = true;
    });
    const blocked = `select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    while ((await test.pool.query(blocked)).rows[0].n === 0) await new Promise((resolve) => setImmediate(resolve));
    expect([isAnswered, await statesOf()]).toEqual([false, ['PENDING', 'SUBMITTED']]);

    await waiting.rollback().execute();

    expect(await answer).toEqual(ACKNOWLEDGED);
    expect(await statesOf()).toEqual(['FULFILLED', 'SUCCEEDED']);
  });

  it('that could not be kept is not acknowledged and raises an alarm, and told again it pays', async () => {
    jest.spyOn(test.services.orders, 'fulfil').mockRejectedValueOnce(new Error('the disk is full'));
    const notice = await signed(test, await paidNotice(test, paymentId));
    const alarmed = await alarms('notApplied');
    expect((await notify(test, notice)).status).toBe(500);
    expect(await statesOf()).toEqual(['PENDING', 'SUBMITTED']);
    expect(await alarms('notApplied')).toBe(alarmed + 1);

    expect(await notify(test, notice)).toEqual(ACKNOWLEDGED);

    expect(await statesOf()).toEqual(['FULFILLED', 'SUCCEEDED']);
  });
});

describe('money no order needs', () => {
  it('that comes after the order was cancelled goes back', async () => {
    await cancelOrder(test, member, orderId);
    await moneyComes(test, paymentId);

    await deliver(test);

    expect(await statesOf()).toEqual(['CANCELLED', 'ORPHAN', 'SURPLUS REQUESTED']);
    await test.services.refundSending.sendDue();
    expect(await statesOf()).toEqual(['CANCELLED', 'ORPHAN', 'SURPLUS SUCCEEDED']);
    expect(await owns()).toBe(0n);
  });

  it('that comes after the order’s time was over goes back', async () => {
    await advance(test.db, 30 * 60_000);
    await test.services.orders.expireDue();
    await moneyComes(test, paymentId);

    await deliver(test);
    await test.services.refundSending.sendDue();

    expect(await statesOf()).toEqual(['EXPIRED', 'ORPHAN', 'SURPLUS SUCCEEDED']);
    expect((await money()).payments).toMatchObject([{ refundedFen: 5_000n }]);
  });

  it('pays all the same while nobody has closed the order whose time is over', async () => {
    await advance(test.db, 30 * 60_000);
    await moneyComes(test, paymentId);

    await deliver(test);

    expect(await statesOf()).toEqual(['FULFILLED', 'SUCCEEDED']);
  });

  it('is the second of an attempt, kept in a row of its own', async () => {
    await moneyComes(test, paymentId, 2);

    await deliver(test);

    expect(await statesOf()).toEqual(['FULFILLED', 'ORPHAN', 'SUCCEEDED', 'SURPLUS REQUESTED']);
    await test.services.refundSending.sendDue();
    expect(await statesOf()).toEqual(['FULFILLED', 'ORPHAN', 'SUCCEEDED', 'SURPLUS SUCCEEDED']);
    expect(await owns()).toBe(50n * DCU);
  });

  it('is that of another attempt; one still open is closed', async () => {
    const card = await attemptOf(test, member, orderId, 'sandbox-card');
    await moneyComes(test, paymentId);
    await deliver(test);
    expect(await statesOf()).toEqual(['FULFILLED', 'SUBMITTED', 'SUCCEEDED']);
    await test.services.payments.settleDue();
    expect(await statesOf()).toEqual(['FULFILLED', 'CLOSED', 'SUCCEEDED']);

    await moneyComes(test, card.paymentId);
    await deliver(test);
    await test.services.refundSending.sendDue();

    expect(await statesOf()).toEqual(['FULFILLED', 'ORPHAN', 'SUCCEEDED', 'SURPLUS SUCCEEDED']);
  });

  it('is that of nineteen of twenty who pay at once by two ways', async () => {
    const card = await attemptOf(test, member, orderId, 'sandbox-card');
    await moneyComes(test, paymentId, 10);
    await moneyComes(test, card.paymentId, 10);

    expect(await deliver(test)).toBe(20);
    await test.services.refundSending.sendDue();

    const { order, payments, refunds } = await money();
    expect(order).toMatchObject({ state: 'FULFILLED', refundedFen: 0n, pointsEarned: 50n });
    expect(payments.filter(({ appliedAt }) => appliedAt !== null)).toHaveLength(1);
    expect(payments.filter(({ state, refundedFen }) => state === 'ORPHAN' && refundedFen === 5_000n)).toHaveLength(19);
    expect(refunds.map(({ reason, state }) => `${reason} ${state}`)).toEqual(Array(19).fill('SURPLUS SUCCEEDED'));
    expect(await owns()).toBe(50n * DCU);
    const { rows } = await test.pool.query(
      `select sum(m.amount_fen - refunded_fen)::bigint as kept from sandbox_money m
      join sandbox_trade t on t.id = trade_id where payment_id in ($1, $2)`,
      [paymentId, card.paymentId],
    );
    expect(rows).toEqual([{ kept: 5_000n }]);
  });
});

it('slows down whoever sends notices that are refused', async () => {
  const forged = { body: JSON.stringify(await paidNotice(test, paymentId)), headers: {} };
  const statuses = new Set<number>();
  for (let sent = 0; sent < 61; sent += 1) statuses.add((await notify(test, forged)).status);

  expect(statuses).toEqual(new Set([errors.PAYMENT_NOTICE_REFUSED.status, errors.TOO_MANY_REQUESTS.status]));
});
