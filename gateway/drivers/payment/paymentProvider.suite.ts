import type { IncomingHttpHeaders } from 'node:http';
import { v7 as uuidv7 } from 'uuid';
import { type NewTrade, NoticeUnbelievable, type PaymentNotice, type PaymentProvider } from './paymentProvider';

/** A provider with a payer at its other end. */
export interface ProviderHarness {
  provider: PaymentProvider;
  /** The payer's choice. */
  pay(paymentId: string): Promise<void>;
  decline(paymentId: string): Promise<void>;
  /** From now on refunds of this payment are refused, or take a while. */
  setRefunds(paymentId: string, mode: 'refuse' | 'later'): Promise<void>;
  /** Lets what takes a while be over. */
  wait(): Promise<void>;
  /** Notices as they came over HTTP since the last look. */
  received(): Promise<{ rawBody: Buffer; headers: IncomingHttpHeaders }[]>;
  newTrade(): Promise<NewTrade>;
  close(): Promise<void>;
}

/** What every provider of payments promises. */
export function describePaymentProvider(name: string, open: () => Promise<ProviderHarness>): void {
  describe(`the payment provider ${name}`, () => {
    let harness: ProviderHarness;
    let provider: PaymentProvider;
    beforeAll(async () => {
      harness = await open();
      ({ provider } = harness);
    });
    afterAll(() => harness.close());

    async function created(): Promise<NewTrade> {
      const trade = await harness.newTrade();
      await provider.create(trade);
      return trade;
    }

    async function paid(): Promise<{ trade: NewTrade; providerTxn: string }> {
      const trade = await created();
      await harness.pay(trade.paymentId);
      const view = await provider.query(trade.paymentId);
      if (view.status !== 'PAID') throw new Error(`the trade is ${view.status}`);
      return { trade, providerTxn: view.providerTxn };
    }

    const askOf = ({ trade, providerTxn }: Awaited<ReturnType<typeof paid>>, amountFen = trade.amountFen) => ({
      ...{ refundId: uuidv7(), providerTxn, amountFen },
      ...{ totalFen: trade.amountFen, currency: 'CNY' as const },
    });

    async function notices(): Promise<PaymentNotice[]> {
      return Promise.all((await harness.received()).map(({ rawBody, headers }) => provider.verifyNotice(rawBody, headers)));
    }

    it('offers ways to pay in both languages', () => {
      expect(provider.methods.length).toBeGreaterThan(0);
      for (const { name: words } of provider.methods) expect(Object.values(words).every((word) => word.length > 0)).toBe(true);
    });

    it('makes one trade of a payment, however often it is asked for', async () => {
      const trade = await harness.newTrade();

      const [first, second] = [await provider.create(trade), await provider.create(trade)];

      expect(first.qrText).toMatch(/^https?:/);
      expect(second).toEqual(first);
      expect(await provider.query(trade.paymentId)).toEqual({ status: 'WAITING' });
    });

    it('has never heard of a payment that was not asked for', async () => {
      expect(await provider.query(uuidv7())).toEqual({ status: 'MISSING' });
      expect(await provider.close(uuidv7())).toBe('CLOSED');
      expect(await provider.queryRefund(uuidv7())).toBe('MISSING');
    });

    it('takes money and tells of it, signed', async () => {
      await harness.received();
      const { trade, providerTxn } = await paid();

      const told = await notices();

      const money = { providerTxn, amountFen: trade.amountFen, currency: 'CNY', paidAt: expect.any(Date) };
      expect(await provider.query(trade.paymentId)).toEqual({ status: 'PAID', ...money });
      expect(told).toEqual([{ ...provider.account, paymentId: trade.paymentId, trade: { status: 'PAID', ...money } }]);
    });

    it('says that a payment failed', async () => {
      const trade = await created();
      await harness.received();

      await harness.decline(trade.paymentId);

      expect(await provider.query(trade.paymentId)).toEqual({ status: 'FAILED' });
      expect(await notices()).toEqual([{ ...provider.account, paymentId: trade.paymentId, trade: { status: 'FAILED' } }]);
    });

    it('believes no notice that was changed, signed by nobody, or is not one', async () => {
      await paid();
      const [notice] = await harness.received();
      if (!notice) throw new Error('there was no notice');
      const { rawBody, headers } = notice;
      const changed = Buffer.from(rawBody.toString().replace(/"amountFen":"\d/, '"amountFen":"9'));

      for (const [bytes, sent] of [
        [changed, headers],
        [Buffer.concat([rawBody, Buffer.from(' ')]), headers],
        [rawBody, {}],
        [Buffer.alloc(0), headers],
      ] as const) {
        await expect(provider.verifyNotice(bytes, sent)).rejects.toThrow(NoticeUnbelievable);
      }
      await expect(provider.verifyNotice(rawBody, headers)).resolves.toBeDefined();
    });

    it('closes a trade for good, unless it is paid', async () => {
      const trade = await created();

      expect(await provider.close(trade.paymentId)).toBe('CLOSED');
      expect(await provider.close(trade.paymentId)).toBe('CLOSED');
      expect(await provider.query(trade.paymentId)).toEqual({ status: 'CLOSED' });
      expect(await provider.close((await paid()).trade.paymentId)).toBe('PAID');
    });

    it('gives money back once for an id, in parts, and never more than came', async () => {
      const payment = await paid();
      const part = askOf(payment, payment.trade.amountFen - 1n);

      expect(await provider.refund(part)).toBe('SUCCEEDED');
      expect(await provider.refund(part)).toBe('SUCCEEDED');
      expect(await provider.queryRefund(part.refundId)).toBe('SUCCEEDED');
      expect(await provider.refund(askOf(payment, 2n))).toBe('FAILED');
      expect(await provider.refund(askOf(payment, 1n))).toBe('SUCCEEDED');
      expect(await provider.refund(askOf(payment, 1n))).toBe('FAILED');
    });

    it('gives one refund once to many who ask at a time', async () => {
      const payment = await paid();
      const ask = askOf(payment);

      const verdicts = await Promise.all(Array.from({ length: 8 }, () => provider.refund(ask)));

      expect(new Set(verdicts)).toEqual(new Set(['SUCCEEDED']));
      expect(await provider.refund(askOf(payment, 1n))).toBe('FAILED');
    });

    it('refuses a refund for good, and lets one take its time', async () => {
      const [refused, slow] = [await paid(), await paid()];
      await harness.setRefunds(refused.trade.paymentId, 'refuse');
      await harness.setRefunds(slow.trade.paymentId, 'later');
      const [no, later] = [askOf(refused), askOf(slow)];

      expect(await provider.refund(no)).toBe('FAILED');
      expect(await provider.refund(no)).toBe('FAILED');
      expect(await provider.refund(later)).toBe('PENDING');
      expect(await provider.queryRefund(later.refundId)).toBe('PENDING');
      await harness.wait();
      expect(await provider.queryRefund(later.refundId)).toBe('SUCCEEDED');
    });
  });
}
