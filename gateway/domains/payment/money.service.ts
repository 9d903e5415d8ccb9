import type { FastifyBaseLogger } from 'fastify';
import { type Db, inTransaction, readNow, type Tx } from '../../db/client';
import type { PaymentProvider, TakenMoney, TradeView } from '../../drivers/payment/paymentProvider';
import { failpoint } from '../../failpoint';
import type { Orders, Wallets } from './neighbours';
import {
  askOpenPaymentsNow,
  insertOrphan,
  isMoneyKnown,
  type StoredPayment,
  selectAppliedPayment,
  selectPaymentForUpdate,
  updateOpenState,
  updateTaken,
} from './payment.repository';
import { type MoneyMeans, stateAfterWord, whatMoneyMeans, whyMoneyIsWrong } from './payment.rules';
import { raiseAlarm } from './paymentAlarm';
import { insertRefund } from './refund.repository';

export interface MoneyDeps {
  db: Db;
  ledger: Pick<Wallets, 'lockWallet'>;
  orders: Pick<Orders, 'lockOrder' | 'fulfil'>;
  provider: PaymentProvider;
  log: FastifyBaseLogger;
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
      await ledger.lockWallet(tx, payment.memberId);
      const order = await orders.lockOrder(tx, payment.orderId);
      if (!order) throw new Error(`payment ${payment.id} has no order`);
      const attempt = await selectPaymentForUpdate(tx, payment.id);
      const means = whatMoneyMeans(
        attempt,
        { state: order.state, hasAppliedPayment: (await selectAppliedPayment(tx, order.id)) !== undefined },
        { providerTxn: money.providerTxn, isTxnKnown: await isMoneyKnown(tx, attempt.provider, money.providerTxn) },
      );
      await steps[means](tx, attempt, money);
      return means;
    });
  }

  const steps: Readonly<Record<MoneyMeans, (tx: Tx, attempt: StoredPayment, money: TakenMoney) => Promise<void>>> = {
    known: () => Promise.resolve(),
    async apply(tx, { id, orderId, provider }, { providerTxn, paidAt }) {
      const appliedAt = await readNow(tx);
      await updateTaken(tx, id, { state: 'SUCCEEDED', providerTxn, paidAt, appliedAt });
      await orders.fulfil(tx, { orderId, actor: 'provider', evidence: { paymentId: id, provider, providerTxn } });
      await askOpenPaymentsNow(tx, orderId, appliedAt);
      await failpoint('order.pay.applied');
    },
    async orphan(tx, attempt, { providerTxn, paidAt }) {
      await updateTaken(tx, attempt.id, { state: 'ORPHAN', providerTxn, paidAt, appliedAt: null });
      await giveBack(tx, attempt, attempt.id);
    },
    async second(tx, attempt, money) {
      await giveBack(tx, attempt, await insertOrphan(tx, attempt, money));
    },
  };

  async function giveBack(tx: Tx, { orderId, memberId, amountFen }: StoredPayment, paymentId: string): Promise<void> {
    const createdAt = await readNow(tx);
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
