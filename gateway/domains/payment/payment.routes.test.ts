import { v7 as uuidv7 } from 'uuid';
import { ProviderUnreachable } from '../../drivers/payment/paymentProvider';
import { buildTestApp, type TestApp } from '../../testing/buildTestApp';
import type { TestMember } from '../../testing/factories';
import { advance } from '../../testing/testDatabase';
import { cancelOrder, findOrder, placeSku } from '../order/orderWorld';
import { attemptOf, brokenPromises, choose, deliver, moneyOf, payOrder } from './paymentWorld';

describe('paying an order', () => {
  let test: TestApp;
  let member: TestMember;
  let orderId: string;
  beforeAll(async () => {
    test = await buildTestApp();
    await test.app.listen({ host: '127.0.0.1', port: 0 });
    await advance(test.db, 0);
  });
  beforeEach(async () => {
    member = await test.buildMember();
    ({ orderId } = (await placeSku(test, member)).data);
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    expect(await brokenPromises(test)).toEqual([]);
  });
  afterAll(() => test.close());

  const provider = () => test.services.sandbox.provider;
  const pay = (who: TestMember | null, body: object, headers = {}) =>
    test.as(who).send('POST /gateway/order/payPending', { body, headers });
  const stateOf = async () => (await moneyOf(test, orderId)).order.state;
  const paymentStates = async () => (await moneyOf(test, orderId)).payments.map((payment) => payment.state);

  it('shows a code, and money fulfils the order by a signed notice over HTTP', async () => {
    const payment = await attemptOf(test, member, orderId);
    expect(payment).toMatchObject({ orderId, method: 'sandbox', state: 'SUBMITTED', amountFen: 5_000 });
    expect(payment.qrText).toMatch(/^http:\/\/127\.0\.0\.1:8000\/sandbox\/cashier\/[\w-]{43}$/);

    await choose(test, payment.paymentId, 'approve');
    expect(await deliver(test)).toBe(1);

    const order = await findOrder(test, member, orderId);
    expect(order).toMatchObject({ state: 'FULFILLED', pointsEarned: 50, payments: [{ state: 'SUCCEEDED' }] });
    expect(order.timeline.at(-1)).toMatchObject({ to: 'FULFILLED', actor: 'provider', evidence: { provider: 'sandbox' } });
    expect((await test.services.ledger.readWallet(test.db, member.memberId)).posted).toBe(150_000_000n);
  });

  it('answers the attempt that is open instead of making another, one a method', async () => {
    const first = await attemptOf(test, member, orderId);

    expect(await attemptOf(test, member, orderId)).toEqual(first);
    expect((await attemptOf(test, member, orderId, 'sandbox-card')).paymentId).not.toBe(first.paymentId);
    expect(await paymentStates()).toEqual(['SUBMITTED', 'SUBMITTED']);
  });

  it('makes one attempt of fifty requests under one key, and refuses the key for another order', async () => {
    const headers = { 'idempotency-key': `pay-${uuidv7()}` };
    const replies = await Promise.all(Array.from({ length: 50 }, () => pay(member, { orderId, method: 'sandbox' }, headers)));

    expect(new Set(replies.map((reply) => reply.data.paymentId)).size).toBe(1);
    expect(await paymentStates()).toEqual(['SUBMITTED']);
    expect(await pay(member, { orderId, method: 'sandbox-card' }, headers)).toFailWith('IDEMPOTENCY_CONFLICT');
  });

  it('refuses a visitor, another’s order, an unknown way to pay and an order that cannot be paid', async () => {
    const stranger = await test.buildMember();

    expect(await pay(null, { orderId, method: 'sandbox' })).toFailWith('UNAUTHORIZED');
    expect(await pay(stranger, { orderId, method: 'sandbox' })).toFailWith('NOT_FOUND');
    expect(await pay(member, { orderId, method: 'gold' })).toFailWith('PAYMENT_METHOD_UNAVAILABLE');
    await cancelOrder(test, member, orderId);
    expect(await pay(member, { orderId, method: 'sandbox' })).toFailWith('ORDER_STATE_CONFLICT');
  });

  it('refuses an order whose time is over before the loop has closed it', async () => {
    await advance(test.db, 30 * 60_000);

    expect(await pay(member, { orderId, method: 'sandbox' })).toFailWith('ORDER_STATE_CONFLICT');
  });

  it('says when the provider gives no answer, and the same attempt goes on when it does', async () => {
    jest.spyOn(provider(), 'create').mockRejectedValueOnce(new ProviderUnreachable('time-out'));
    expect(await pay(member, { orderId, method: 'sandbox' })).toFailWith('PAYMENT_PROVIDER_UNAVAILABLE');
    expect(await paymentStates()).toEqual(['UNKNOWN']);

    expect(await attemptOf(test, member, orderId)).toMatchObject({ state: 'SUBMITTED' });
    expect(await paymentStates()).toEqual(['SUBMITTED']);
  });

  it('cancels a paid order never: what the provider took is applied instead', async () => {
    const { paymentId } = await attemptOf(test, member, orderId);
    await choose(test, paymentId, 'slow');

    expect(await cancelOrder(test, member, orderId)).toFailWith('ORDER_STATE_CONFLICT');

    expect(await stateOf()).toBe('FULFILLED');
  });

  it('does not cancel while the provider cannot say whether it was paid', async () => {
    await attemptOf(test, member, orderId);
    jest.spyOn(provider(), 'close').mockRejectedValueOnce(new ProviderUnreachable('time-out'));

    expect(await cancelOrder(test, member, orderId)).toFailWith('PAYMENT_PROVIDER_UNAVAILABLE');
    expect(await stateOf()).toBe('PENDING');
  });

  describe('what is still payable', () => {
    const find = (who: TestMember | null) => test.as(who).send('GET /gateway/order/repayFind', { query: { orderId } });

    it('is said with its time, the ways to pay and the attempt that is open', async () => {
      expect((await find(member)).data).toMatchObject({ payableFen: 5_000, state: 'PENDING', payment: null });
      const payment = await attemptOf(test, member, orderId);

      expect((await find(member)).data).toMatchObject({
        methods: [
          { method: 'sandbox', name: 'Sandbox wallet', isSandbox: true },
          { method: 'sandbox-card', name: 'Sandbox bank card', isSandbox: true },
        ],
        payment,
      });
    });

    it('is nothing of an order that is paid or over', async () => {
      await payOrder(test, member, orderId);

      expect((await find(member)).data).toMatchObject({ state: 'FULFILLED', payableFen: 0, methods: [], payment: null });
    });

    it('is nobody else’s to know', async () => {
      expect(await find(null)).toFailWith('UNAUTHORIZED');
      expect(await find(await test.buildMember())).toFailWith('NOT_FOUND');
    });
  });
});
