import type { FastifyBaseLogger } from 'fastify';
import { type Db, inTransaction, type Tx } from '../../db/client';
import type { PaymentProvider, TakenMoney, TradeView } from '../../drivers/payment/paymentProvider';
import { failpoint } from '../../failpoint';
import type { StoredOrder } from '../order/orderState.service';
import type { Orders, Wallets } from './neighbours';
import {
  askOpenPaymentsNow,
  insertOrphan,
  type MoneyFacts,
  type StoredPayment,
  selectAttemptForMoney,
  updateOpenState,
  updateTaken,
} from './payment.repository';
import { type MoneyMeans, stateAfterWord, whatMoneyMeans, whyMoneyIsWrong } from './payment.rules';
import { raiseAlarm } from './paymentAlarm';
import { insertRefund } from './refund.repository';

export interface MoneyDeps {
  db: Db;
  ledger: Pick<Wallets, 'lockWallets'>;
  orders: Pick<Orders, 'lockOrder' | 'fulfil'>;
  provider: PaymentProvider;
  log: FastifyBaseLogger;
}

/** Money that came for an attempt, with all that is read under the locks. */
interface Taking {
  order: StoredOrder;
  attempt: StoredPayment & MoneyFacts;
  money: TakenMoney;
  at: Date;
}

export type MoneyService = ReturnType<typeof createMoneyService>;

/** What the provider says of an attempt, made true on our side; the same word any number of times, in any order, comes to the same. */
export function createMoneyService(deps: MoneyDeps) {
  const { db, ledger, orders, log } = deps;

  /**
   * Money that came: pays the order, or goes back. Amount and currency were compared by the caller. All under the locks of wallet, order
   * and attempt, with what is written by then: two notices at once are one after the other here.
   */
  async function take(payment: StoredPayment, money: TakenMoney): Promise<MoneyMeans> {
    return inTransaction(db, async (tx) => {
      const { at } = await ledger.lockWallets(tx, payment.memberId);
      const order = await orders.lockOrder(tx, payment.orderId);
      if (!order) throw new Error(`payment ${payment.id} has no order`);
      const attempt = await selectAttemptForMoney(tx, payment.id, money.providerTxn);
      const means = whatMoneyMeans(attempt, { ...attempt, state: order.state }, { ...attempt, providerTxn: money.providerTxn });
      await steps[means](tx, { order, attempt, money, at });
      return means;
    });
  }

  const steps: Readonly<Record<MoneyMeans, (tx: Tx, taking: Taking) => Promise<void>>> = {
    known: () => Promise.resolve(),
    async apply(tx, { order, attempt, money: { providerTxn, paidAt }, at }) {
      const { id, provider } = attempt;
      await updateTaken(tx, id, { state: 'SUCCEEDED', providerTxn, paidAt, appliedAt: at });
      await orders.fulfil(tx, { order, actor: 'provider', evidence: { paymentId: id, provider, providerTxn } });
      if (attempt.hasOthersOpen) await askOpenPaymentsNow(tx, order.id, at);
      await failpoint('order.pay.applied');
    },
    async orphan(tx, { attempt, money: { providerTxn, paidAt }, at }) {
      await updateTaken(tx, attempt.id, { state: 'ORPHAN', providerTxn, paidAt, appliedAt: null });
      await giveBack(tx, attempt, attempt.id, at);
    },
    async second(tx, { attempt, money, at }) {
      await giveBack(tx, attempt, await insertOrphan(tx, attempt, money), at);
    },
  };

  async function giveBack(
    tx: Tx,
    { orderId, memberId, amountFen }: StoredPayment,
    paymentId: string,
    createdAt: Date,
  ): Promise<void> {
    await insertRefund(tx, {
      ...{ orderId, memberId, paymentId, amountFen, createdAt, reason: 'SURPLUS', isWhole: true, actor: 'system' },
      idemKey: `surplus:${paymentId}`,
    });
    log.info({ orderId, paymentId }, 'money that no order needs goes back');
  }

  return {
    take,

    /** What the provider answered when asked; `PAID` where the attempt's money is dealt with by now. */
    async believe(payment: StoredPayment, view: TradeView): Promise<'PAID' | 'OTHER'> {
      if (view.status !== 'PAID') {
        const state = stateAfterWord(payment.state, view.status);
        if (state) await updateOpenState(db, payment.id, state);
        return 'OTHER';
      }
      const why = whyMoneyIsWrong(payment, view);
      const subject = { paymentId: payment.id, orderId: payment.orderId };
      if (why !== null) {
        raiseAlarm(log, { alarm: 'wrongMoney', why, ...subject });
        return 'OTHER';
      }
      try {
        await take(payment, view);
      } catch (error) {
        // It is told and asked for again; a payer who waits for what was paid needs somebody to know.
        raiseAlarm(log, { alarm: 'notApplied', why: error instanceof Error ? error.message : 'UNKNOWN', ...subject });
        throw error;
      }
      return 'PAID';
    },
  };
}
