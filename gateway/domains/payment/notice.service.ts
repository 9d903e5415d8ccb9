import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyBaseLogger } from 'fastify';
import type { Db } from '../../db/client';
import { NoticeUnbelievable, type PaymentNotice, type PaymentProvider } from '../../drivers/payment/paymentProvider';
import { failpoint } from '../../failpoint';
import { Refusal } from '../../refusal';
import type { MoneyService } from './money.service';
import { selectPayment } from './payment.repository';
import { whyMoneyIsWrong, whyNoticeIsForeign } from './payment.rules';
import { raiseAlarm } from './paymentAlarm';

export type NoticeService = ReturnType<typeof createNoticeService>;

/** What the provider tells us by itself. It is acknowledged once what it says is committed, and not before. */
export function createNoticeService({
  db,
  provider,
  money,
  log,
}: {
  db: Db;
  provider: PaymentProvider;
  money: Pick<MoneyService, 'believe'>;
  log: FastifyBaseLogger;
}) {
  function refuse(why: string, paymentId?: string): Refusal {
    raiseAlarm(log, { alarm: 'noticeRefused', why, ...(paymentId === undefined ? {} : { paymentId }) });
    return new Refusal('PAYMENT_NOTICE_REFUSED');
  }

  async function verify(rawBody: Buffer, headers: IncomingHttpHeaders): Promise<PaymentNotice> {
    try {
      return await provider.verifyNotice(rawBody, headers);
    } catch (error) {
      if (!(error instanceof NoticeUnbelievable)) throw error;
      throw refuse('SIGNATURE');
    }
  }

  return {
    /** Throws NOT_FOUND for a provider we have not, PAYMENT_NOTICE_REFUSED for whatever is not our provider's word about our payment. */
    async hear(providerName: string, rawBody: Buffer, headers: IncomingHttpHeaders): Promise<PaymentProvider['acknowledgement']> {
      if (providerName !== provider.name) throw new Refusal('NOT_FOUND');
      const notice = await verify(rawBody, headers);
      const foreign = whyNoticeIsForeign(notice, provider.account);
      if (foreign) throw refuse(foreign, notice.paymentId);
      const payment = await selectPayment(db, notice.paymentId);
      if (!payment || payment.provider !== provider.name) throw refuse('PAYMENT', notice.paymentId);
      const wrong = notice.trade.status === 'PAID' ? whyMoneyIsWrong(payment, notice.trade) : null;
      if (wrong) throw refuse(wrong, payment.id);
      await failpoint('order.pay.noticed');
      await money.believe(payment, notice.trade);
      await failpoint('order.pay.committed');
      return provider.acknowledgement;
    },
  };
}
