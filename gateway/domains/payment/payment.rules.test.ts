import { orderStates, paymentStates } from '../../contract/orderStates';
import type { PaymentNotice } from '../../drivers/payment/paymentProvider';
import {
  canMovePayment,
  isOpen,
  queryDelayMs,
  refundDelayMs,
  stateAfterWord,
  whatMoneyMeans,
  whyMoneyIsWrong,
  whyNoticeIsForeign,
} from './payment.rules';

const money = { providerTxn: 'txn-1', isTxnKnown: false };
const attempt = (state: (typeof paymentStates)[number]) => ({ state, amountFen: 100n, currency: 'CNY', providerTxn: null });

describe('money for an attempt', () => {
  const withoutMoney = paymentStates.filter((state) => state !== 'SUCCEEDED' && state !== 'ORPHAN');

  it.each(withoutMoney)('pays a pending order, whatever was said of the attempt before: %s', (state) => {
    expect(whatMoneyMeans(attempt(state), { state: 'PENDING', hasAppliedPayment: false }, money)).toBe('apply');
    expect(canMovePayment(state, 'SUCCEEDED')).toBe(true);
  });

  it.each(orderStates.filter((state) => state !== 'PENDING'))('is nobody’s for an order that is %s', (state) => {
    for (const from of withoutMoney) {
      expect(whatMoneyMeans(attempt(from), { state, hasAppliedPayment: state !== 'CANCELLED' }, money)).toBe('orphan');
      expect(canMovePayment(from, 'ORPHAN')).toBe(true);
    }
  });

  it('is nobody’s where another attempt paid the order', () => {
    expect(whatMoneyMeans(attempt('SUBMITTED'), { state: 'PENDING', hasAppliedPayment: true }, money)).toBe('orphan');
  });

  it.each(['SUCCEEDED', 'ORPHAN'] as const)('is more than was asked where the attempt, %s, has other money', (state) => {
    const paid = { ...attempt(state), providerTxn: 'txn-0' };

    expect(whatMoneyMeans(paid, { state: 'FULFILLED', hasAppliedPayment: true }, money)).toBe('second');
  });

  it('means nothing when it is told of again', () => {
    const paid = { ...attempt('SUCCEEDED'), providerTxn: 'txn-1' };

    expect(whatMoneyMeans(paid, { state: 'FULFILLED', hasAppliedPayment: true }, money)).toBe('known');
    expect(whatMoneyMeans(attempt('CLOSED'), { state: 'PENDING', hasAppliedPayment: false }, { ...money, isTxnKnown: true })).toBe(
      'known',
    );
  });

  it.each([
    ['another amount', { amountFen: 99n, currency: 'CNY' }, 'AMOUNT'],
    ['another currency', { amountFen: 100n, currency: 'USD' }, 'CURRENCY'],
    ['what was asked', { amountFen: 100n, currency: 'CNY' }, null],
  ])('is judged by amount and currency: %s', (_name, said, why) => {
    expect(whyMoneyIsWrong(attempt('SUBMITTED'), { ...said, providerTxn: 't', paidAt: new Date(0) })).toBe(why);
  });
});

describe('the provider’s word without money', () => {
  it.each(paymentStates)('moves an attempt only along the table: %s', (from) => {
    for (const status of ['WAITING', 'FAILED', 'CLOSED', 'MISSING'] as const) {
      const to = stateAfterWord(from, status);

      expect(to === null || canMovePayment(from, to)).toBe(true);
      expect(to === null || isOpen(from)).toBe(true);
    }
  });

  it('ends an open attempt that failed, is closed or was never heard of, and makes nothing of one that waits', () => {
    expect(stateAfterWord('SUBMITTED', 'FAILED')).toBe('FAILED');
    expect(stateAfterWord('UNKNOWN', 'CLOSED')).toBe('CLOSED');
    expect(stateAfterWord('CREATED', 'MISSING')).toBe('CLOSED');
    for (const state of paymentStates) expect(stateAfterWord(state, 'WAITING')).toBeNull();
  });
});

describe('a notice', () => {
  const notice: PaymentNotice = { appId: 'us', sellerId: 'our-shop', paymentId: 'p', trade: { status: 'WAITING' } };
  const account = { appId: 'us', sellerId: 'our-shop' };

  it('is ours by application and seller', () => {
    expect(whyNoticeIsForeign(notice, account)).toBeNull();
    expect(whyNoticeIsForeign({ ...notice, appId: 'them' }, account)).toBe('APP');
    expect(whyNoticeIsForeign({ ...notice, sellerId: 'their-shop' }, account)).toBe('SELLER');
  });
});

describe('waiting', () => {
  it('grows with each try and is bounded', () => {
    const tries = Array.from({ length: 60 }, (_, index) => index);
    for (const [delay, mostMs] of [
      [queryDelayMs, 300_000],
      [refundDelayMs, 3_600_000],
    ] as const) {
      const delays = tries.map(delay);

      expect(delays).toEqual([...delays].sort((a, b) => a - b));
      expect(delays.at(-1)).toBe(mostMs);
    }
  });
});
