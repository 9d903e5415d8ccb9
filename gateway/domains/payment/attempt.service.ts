import type { FastifyBaseLogger } from 'fastify';
import type { Config } from '../../config';
import type { OrderPaymentCalls } from '../../contract/orderPayment';
import { type Db, inTransaction, readNow } from '../../db/client';
import { findAnswer, type IdempotentRequest, runOnce } from '../../db/idempotency';
import type { PaymentProvider, TradeEntrance } from '../../drivers/payment/paymentProvider';
import { failpoint } from '../../failpoint';
import type { Language } from '../../locales/messages';
import { Refusal } from '../../refusal';
import { requireAction } from '../order/order.rules';
import type { StoredOrder } from '../order/orderState.service';
import type { MoneyService } from './money.service';
import type { Orders, Wallets } from './neighbours';
import {
  claimDuePayments,
  openAttempt,
  type StoredPayment,
  selectOpenPayments,
  selectPayment,
  updateOpenState,
  updateShown,
} from './payment.repository';

export interface AttemptDeps {
  db: Db;
  config: Pick<Config, 'publicUrl'>;
  ledger: Pick<Wallets, 'lockWallet'>;
  orders: Pick<Orders, 'requireMine' | 'lockMine' | 'stateOf' | 'presentPayment'>;
  provider: PaymentProvider;
  money: MoneyService;
  log: FastifyBaseLogger;
}

interface Viewer {
  memberId: string;
  language: Language;
}

type PaymentView = OrderPaymentCalls['POST /gateway/order/payPending']['data'];
type Repayment = OrderPaymentCalls['GET /gateway/order/repayFind']['data'];

export const NOTIFY_PATH = '/gateway/payment/notify/';
const SETTLE_BATCH = 100;

export type AttemptService = ReturnType<typeof createAttemptService>;

/** Attempts to pay orders. Each is written before the provider hears of it, and the provider is asked outside every transaction. */
export function createAttemptService(deps: AttemptDeps) {
  const { db, provider, orders, money, log } = deps;

  /** Throws PAYMENT_PROVIDER_UNAVAILABLE; whether the provider did what it was asked is then not known. */
  async function asked<T>(paymentId: string, ask: () => Promise<T>): Promise<T> {
    try {
      return await ask();
    } catch (err) {
      log.warn({ err, paymentId }, 'the payment provider gave no answer');
      throw new Refusal('PAYMENT_PROVIDER_UNAVAILABLE');
    }
  }

  /** Ends an attempt, or finds that it was paid. Throws PAYMENT_PROVIDER_UNAVAILABLE. */
  async function close(payment: StoredPayment): Promise<'CLOSED' | 'PAID'> {
    const verdict = await asked(payment.id, () => provider.close(payment.id));
    if (verdict === 'CLOSED') {
      await money.believe(payment, { status: 'CLOSED' });
      return 'CLOSED';
    }
    const view = await asked(payment.id, () => provider.query(payment.id));
    // It has money and does not show it: what became of the attempt is not known, and nothing may be built on its being closed.
    if (view.status !== 'PAID') throw new Refusal('PAYMENT_PROVIDER_UNAVAILABLE');
    // Money of a wrong amount is for people to settle; until then the order neither ends nor is fulfilled.
    if ((await money.believe(payment, view)) !== 'PAID') throw new Refusal('PAYMENT_PROVIDER_UNAVAILABLE');
    return 'PAID';
  }

  /** One attempt that is due. */
  async function settle(payment: StoredPayment, at: Date): Promise<void> {
    const state = await orders.stateOf(db, payment.orderId);
    if (state !== 'PENDING' || payment.expiresAt <= at) await close(payment);
    else await money.believe(payment, await asked(payment.id, () => provider.query(payment.id)));
  }

  return {
    /**
     * Makes an attempt, or answers the one that is open. Throws NOT_FOUND, ORDER_STATE_CONFLICT, PAYMENT_METHOD_UNAVAILABLE,
     * PAYMENT_PROVIDER_UNAVAILABLE.
     */
    async pay(
      memberId: string,
      { orderId, method }: { orderId: string; method: string },
      idempotency: IdempotentRequest | null,
    ): Promise<PaymentView> {
      const first = await findAnswer<PaymentView>(db, memberId, idempotency);
      if (first) return first.answer;
      const { order, attempt } = await begin(deps, memberId, { orderId, method });
      const shown = attempt.state === 'SUBMITTED' ? attempt : await submit(deps, order, attempt);
      const answer = orders.presentPayment(shown);
      if (!idempotency) return answer;
      return inTransaction(db, (tx) => runOnce(tx, memberId, idempotency, () => Promise.resolve(answer)));
    },

    /** What is still payable and how. Throws NOT_FOUND. */
    async findRepayment({ memberId, language }: Viewer, orderId: string): Promise<Repayment> {
      // Before the order: a payment that arrives in between must not leave an order that waits and nothing it waits for.
      const open = await selectOpenPayments(db, orderId);
      const order = await orders.requireMine(memberId, orderId);
      const isPayable = order.state === 'PENDING' && order.payUntil > (await readNow(db));
      const shown = open.filter((payment) => payment.state === 'SUBMITTED').at(-1);
      const { name, isSandbox, methods } = provider;
      return {
        orderId: order.id,
        orderNo: order.orderNo,
        state: order.state,
        payableFen: isPayable ? Number(order.payableFen) : 0,
        payUntil: order.payUntil.toISOString(),
        methods: isPayable ? methods.map((one) => ({ method: one.method, name: one.name[language] || name, isSandbox })) : [],
        payment: isPayable && shown ? orders.presentPayment(shown) : null,
      };
    },

    /** Closes every open attempt at the provider; PAID: one turned out paid, and is dealt with. Throws PAYMENT_PROVIDER_UNAVAILABLE. */
    async closeAttempts(orderId: string): Promise<'CLOSED' | 'PAID'> {
      let verdict: 'CLOSED' | 'PAID' = 'CLOSED';
      for (const payment of await selectOpenPayments(db, orderId)) if ((await close(payment)) === 'PAID') verdict = 'PAID';
      return verdict;
    },

    /** Asks the provider for attempts nobody told us the end of, and closes those whose time is over; how many were asked for. */
    async settleDue(): Promise<number> {
      const at = await readNow(db);
      const due = await claimDuePayments(db, at, SETTLE_BATCH);
      for (const payment of due) {
        try {
          await settle(payment, at);
        } catch (err) {
          log.warn({ err, paymentId: payment.id }, 'an attempt to pay could not be settled');
        }
      }
      return due.length;
    },
  };
}

/** The attempt that is open, or a new one, written and committed. */
async function begin(
  { db, ledger, orders, provider }: AttemptDeps,
  memberId: string,
  { orderId, method }: { orderId: string; method: string },
): Promise<{ order: StoredOrder; attempt: StoredPayment }> {
  return inTransaction(db, async (tx) => {
    const { at: createdAt } = await ledger.lockWallet(tx, memberId);
    const order = await orders.lockMine(tx, memberId, orderId);
    requireAction(order.state, 'pay');
    if (order.payUntil <= createdAt) throw new Refusal('ORDER_STATE_CONFLICT', { data: { state: order.state, action: 'pay' } });
    if (!provider.methods.some((offered) => offered.method === method)) throw new Refusal('PAYMENT_METHOD_UNAVAILABLE');
    const { id, payableFen: amountFen, payUntil: expiresAt } = order;
    const attempt = { orderId: id, memberId, provider: provider.name, method, amountFen, createdAt, expiresAt };
    return { order, attempt: await openAttempt(tx, attempt) };
  });
}

/** Shows an attempt to the provider. One it does not answer stays, as UNKNOWN, until it says what became of it. */
async function submit(
  { db, provider, config, log }: AttemptDeps,
  order: StoredOrder,
  attempt: StoredPayment,
): Promise<StoredPayment> {
  await failpoint('order.pay.written');
  let entrance: TradeEntrance;
  try {
    entrance = await provider.create({
      ...{ paymentId: attempt.id, orderNo: order.orderNo, method: attempt.method, subject: order.title },
      ...{ amountFen: attempt.amountFen, currency: 'CNY', expiresAt: attempt.expiresAt },
      notifyUrl: new URL(NOTIFY_PATH + provider.name, config.publicUrl).href,
      returnUrl: new URL(`/success?order=${order.id}`, config.publicUrl).href,
    });
  } catch (err) {
    log.warn({ err, paymentId: attempt.id }, 'the payment provider did not take an attempt');
    await updateOpenState(db, attempt.id, 'UNKNOWN');
    throw new Refusal('PAYMENT_PROVIDER_UNAVAILABLE');
  }
  await failpoint('order.pay.submitted');
  const shown = await updateShown(db, attempt.id, entrance);
  if (shown) return shown;
  const ended = await selectPayment(db, attempt.id);
  // Cancelled or over meanwhile: nobody is to be shown a code that must not be paid.
  if (ended && ended.providerTxn !== null) return ended;
  throw new Refusal('ORDER_STATE_CONFLICT', { data: { state: order.state, action: 'pay' } });
}
