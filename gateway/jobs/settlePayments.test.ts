import { placeSku } from '../domains/order/orderWorld';
import { moneyComes } from '../domains/payment/noticeWorld';
import { attemptOf, brokenPromises, choose, moneyOf } from '../domains/payment/paymentWorld';
import { ProviderUnreachable } from '../drivers/payment/paymentProvider';
import { paymentAlarms } from '../metrics';
import { buildTestApp, type TestApp } from '../testing/buildTestApp';
import type { TestMember } from '../testing/factories';
import { advance } from '../testing/testDatabase';
import { createSettlePaymentsLoop } from './settlePayments';

describe('the loop that settles payments', () => {
  let test: TestApp;
  let member: TestMember;
  let orderId: string;
  beforeAll(async () => {
    // Nothing listens: no notice ever comes.
    test = await buildTestApp();
    await advance(test.db, 0);
  });
  beforeEach(async () => {
    member = await test.buildMember();
    ({ orderId } = (await placeSku(test, member)).data);
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    expect(await brokenPromises(test)).toEqual([]);
    // What a test leaves open is over for the next.
    await advance(test.db, 3_600_000);
    await settle();
    await test.services.orders.expireDue();
  });
  afterAll(() => test.close());

  const provider = () => test.services.sandbox.provider;
  const settle = () => createSettlePaymentsLoop({ ...test.services, log: test.app.log }).runOnce();
  const statesOf = async () => {
    const { order, payments } = await moneyOf(test, orderId);
    return [order.state, ...payments.map(({ state }) => state)];
  };
  const askedFor = async () => (await moneyOf(test, orderId)).payments.map(({ queries, nextQueryAt }) => [queries, nextQueryAt]);

  it('finds the money of which no notice came', async () => {
    const { paymentId } = await attemptOf(test, member, orderId);
    await choose(test, paymentId, 'approve');
    expect(await settle()).toBe(0);

    await advance(test.db, 15_000);
    expect(await settle()).toBe(1);

    expect(await statesOf()).toEqual(['FULFILLED', 'SUCCEEDED']);
    await advance(test.db, 600_000);
    expect(await settle()).toBe(0);
  });

  it('asks for an attempt that waits later and later, at most every five minutes', async () => {
    await attemptOf(test, member, orderId);
    const asked = jest.spyOn(provider(), 'query');
    for (const seconds of [15, 15, 30, 60, 120, 240, 300]) {
      await advance(test.db, seconds * 1_000 - 1);
      expect(await settle()).toBe(0);
      await advance(test.db, 1);
      expect(await settle()).toBe(1);
    }
    expect(asked).toHaveBeenCalledTimes(7);
    expect(await statesOf()).toEqual(['PENDING', 'SUBMITTED']);
  });

  it('ends an attempt that failed or that the provider never heard of', async () => {
    const { paymentId } = await attemptOf(test, member, orderId);
    await choose(test, paymentId, 'decline');
    jest.spyOn(provider(), 'create').mockRejectedValueOnce(new ProviderUnreachable('time-out'));
    await test.as(member).send('POST /gateway/order/payPending', { body: { orderId, method: 'sandbox-card' } });
    expect(await statesOf()).toEqual(['PENDING', 'SUBMITTED', 'UNKNOWN']);

    await advance(test.db, 15_000);
    await settle();

    expect(await statesOf()).toEqual(['PENDING', 'FAILED', 'CLOSED']);
    expect(await attemptOf(test, member, orderId)).toMatchObject({ state: 'SUBMITTED' });
  });

  it('shows no code it does not have: an attempt cut off before its code was kept gets it when the payer asks again', async () => {
    const { create } = provider();
    jest.spyOn(provider(), 'create').mockImplementationOnce(async (trade) => {
      await create(trade);
      throw new ProviderUnreachable('the answer was lost');
    });
    await test.as(member).send('POST /gateway/order/payPending', { body: { orderId, method: 'sandbox' } });
    await advance(test.db, 15_000);
    await settle();
    expect(await statesOf()).toEqual(['PENDING', 'UNKNOWN']);

    const shown = await attemptOf(test, member, orderId);

    expect(shown.qrText).toMatch(/\/sandbox\/cashier\//);
    expect(await statesOf()).toEqual(['PENDING', 'SUBMITTED']);
  });

  it('closes attempts whose time is over at the provider, and pays where one turns out paid', async () => {
    await attemptOf(test, member, orderId);
    const card = await attemptOf(test, member, orderId, 'sandbox-card');
    await choose(test, card.paymentId, 'approve');
    const closed = jest.spyOn(provider(), 'close');

    await advance(test.db, 30 * 60_000);
    expect(await settle()).toBe(2);
    await settle();

    expect(closed).toHaveBeenCalledTimes(2);
    expect((await statesOf()).sort()).toEqual(['CLOSED', 'FULFILLED', 'SUCCEEDED']);
  });

  it('asks a provider that does not answer again later, and goes on with the others', async () => {
    const { paymentId } = await attemptOf(test, member, orderId);
    const other = (await placeSku(test, member)).data;
    const second = await attemptOf(test, member, other.orderId);
    for (const id of [paymentId, second.paymentId]) await choose(test, id, 'approve');
    const at = await advance(test.db, 15_000);
    jest.spyOn(provider(), 'query').mockRejectedValueOnce(new ProviderUnreachable('time-out'));

    expect(await settle()).toBe(2);

    expect(await statesOf()).toEqual(['PENDING', 'SUBMITTED']);
    expect(await askedFor()).toEqual([[1, new Date(at.getTime() + 15_000)]]);
    expect((await moneyOf(test, other.orderId)).order.state).toBe('FULFILLED');
    await advance(test.db, 15_000);
    await settle();
    expect(await statesOf()).toEqual(['FULFILLED', 'SUCCEEDED']);
  });

  it('takes on each attempt once where two gateways run it', async () => {
    await attemptOf(test, member, orderId);
    await attemptOf(test, member, orderId, 'sandbox-card');
    const asked = jest.spyOn(provider(), 'query');
    await advance(test.db, 15_000);

    const counts = await Promise.all([settle(), settle(), settle()]);

    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(2);
    expect(asked).toHaveBeenCalledTimes(2);
  });

  it('applies no money of a wrong amount, and raises an alarm', async () => {
    const { paymentId } = await attemptOf(test, member, orderId);
    await moneyComes(test, paymentId);
    const wrong = { status: 'PAID', providerTxn: 'SBX-1', amountFen: 4_999n, currency: 'CNY', paidAt: new Date() } as const;
    jest.spyOn(provider(), 'query').mockResolvedValueOnce(wrong);
    const before = await alarms();

    await advance(test.db, 15_000);
    await settle();

    expect(await statesOf()).toEqual(['PENDING', 'SUBMITTED']);
    expect(await alarms()).toBe(before + 1);
  });

  it('takes an attempt for closed only where the provider says so of one without money', async () => {
    await attemptOf(test, member, orderId);
    jest.spyOn(provider(), 'close').mockResolvedValueOnce('PAID');

    expect(await test.as(member).send('POST /gateway/order/cancel', { body: { orderId } })).toFailWith(
      'PAYMENT_PROVIDER_UNAVAILABLE',
    );

    expect(await statesOf()).toEqual(['PENDING', 'SUBMITTED']);
  });

  async function alarms(): Promise<number> {
    const { values } = await paymentAlarms.get();
    return values.find(({ labels }) => labels.alarm === 'wrongMoney')?.value ?? 0;
  }
});
