import type { FastifyBaseLogger } from 'fastify';
import { type Db, inTransaction, readNow, type Tx } from '../../db/client';
import type { PaymentProvider, RefundVerdict } from '../../drivers/payment/paymentProvider';
import { failpoint } from '../../failpoint';
import type { Coupons, Orders, Packages, Points, Wallets } from './neighbours';
import { selectPayment, selectPaymentForUpdate } from './payment.repository';
import { raiseAlarm } from './paymentAlarm';
import {
  addRefundedToPayment,
  claimRefund,
  endRefund,
  type StoredRefund,
  selectDueRefunds,
  selectGivenBack,
  selectRefundForUpdate,
  selectWithdrawn,
  withdrawalKey,
} from './refund.repository';

export interface RefundSendDeps {
  db: Db;
  ledger: Pick<Wallets, 'lockWallet' | 'grantDcu'>;
  orders: Pick<Orders, 'lockOrder' | 'move'>;
  points: Pick<Points, 'returnForRefund'>;
  packages: Pick<Packages, 'restoreAfterRefund'>;
  coupons: Pick<Coupons, 'restore'>;
  provider: PaymentProvider;
  log: FastifyBaseLogger;
}

const BATCH = 100;
/** After more than an hour of tries somebody is to ask the provider by other ways; it is tried on all the same. */
const LATE_TRIES = 10;

export type RefundSendService = ReturnType<typeof createRefundSendService>;

/** Brings refunds that are written down to their end, however often the provider must be asked. */
export function createRefundSendService(deps: RefundSendDeps) {
  const { db, log } = deps;

  /** One try. `now`: whether it is due or not. What the provider does not answer is tried again when it is due. */
  async function send(refundId: string, when: 'now' | 'due'): Promise<void> {
    const refund = await claimRefund(db, refundId, await readNow(db), when === 'due');
    if (!refund) return;
    const verdict = await ask(deps, refund);
    await failpoint('order.refund.submitted');
    if (verdict === 'PENDING') {
      if (refund.tries >= LATE_TRIES)
        raiseAlarm(log, { alarm: 'refundLate', why: refund.reason, orderId: refund.orderId, refundId });
      return;
    }
    await inTransaction(db, (tx) => end(deps, tx, refund, verdict));
    if (verdict === 'FAILED') {
      raiseAlarm(log, { alarm: 'refundRefused', why: refund.reason, orderId: refund.orderId, refundId });
    }
  }

  return {
    send,
    /** Tries every refund that is due; how many there were. One that fails leaves the others. */
    async sendDue(): Promise<number> {
      const due = await selectDueRefunds(db, await readNow(db), BATCH);
      for (const refundId of due) {
        try {
          await send(refundId, 'due');
        } catch (err) {
          log.warn({ err, refundId }, 'a refund was not sent');
        }
      }
      return due.length;
    },
  };
}

/** What the provider makes of a refund; one that gives no answer has it under way. */
async function ask({ db, provider, log }: RefundSendDeps, refund: StoredRefund): Promise<RefundVerdict> {
  const { id: refundId, paymentId, amountFen } = refund;
  if (paymentId === null) return 'SUCCEEDED';
  const payment = await selectPayment(db, paymentId);
  if (!payment || payment.providerTxn === null) throw new Error(`refund ${refundId} is of no money`);
  try {
    const before = refund.tries > 1 ? await provider.queryRefund(refundId) : 'MISSING';
    if (before !== 'MISSING') return before;
    const { providerTxn, amountFen: totalFen } = payment;
    return await provider.refund({ refundId, providerTxn, amountFen, totalFen, currency: 'CNY' });
  } catch (err) {
    log.warn({ err, refundId }, 'the payment provider gave no answer to a refund');
    return 'PENDING';
  }
}

/** Writes the end of a refund, once: the provider's answer may reach several of us. */
async function end(deps: RefundSendDeps, tx: Tx, { id, memberId, orderId }: StoredRefund, verdict: 'SUCCEEDED' | 'FAILED') {
  await deps.ledger.lockWallet(tx, memberId);
  const order = await deps.orders.lockOrder(tx, orderId);
  const seen = await selectRefundForUpdate(tx, id);
  if (!order || seen.state === 'SUCCEEDED' || seen.state === 'FAILED') return;
  const payment = seen.paymentId === null ? null : await selectPaymentForUpdate(tx, seen.paymentId);
  const endedAt = await readNow(tx);
  if (seen.reason === 'SURPLUS') await endRefund(tx, id, { state: verdict, endedAt, failure: verdict === 'FAILED' ? REFUSED : '' });
  else if (verdict === 'SUCCEEDED') await succeed(deps, tx, seen, order.refundedFen, endedAt);
  else await giveBack(deps, tx, seen, endedAt);
  if (payment && verdict === 'SUCCEEDED') await addRefundedToPayment(tx, payment.id, seen.amountFen);
  await failpoint('order.refund.ended');
}

const REFUSED = 'PROVIDER_REFUSED';

async function succeed(deps: RefundSendDeps, tx: Tx, refund: StoredRefund, refundedFen: bigint, endedAt: Date): Promise<void> {
  const { id: refundId, orderId, memberId, returnedPoints, amountFen } = refund;
  await deps.points.returnForRefund(tx, { memberId, orderId, refundId, points: returnedPoints, what: 'spent' });
  await deps.orders.move(tx, {
    ...{ orderId, from: 'REFUNDING', to: refund.isWhole ? 'REFUNDED' : 'PART_REFUNDED', reason: 'REFUND_SENT', actor: 'provider' },
    at: endedAt,
    refundedFen: refundedFen + amountFen,
    evidence: { refundId, refundFen: Number(amountFen) },
  });
  const returnsCoupon = refund.returnsCoupon && (await deps.coupons.restore(tx, orderId, endedAt));
  await endRefund(tx, refundId, { state: 'SUCCEEDED', endedAt, returnsCoupon });
}

/** The provider refused at last: DCU come back with the time they had left, points and package as they were. */
async function giveBack(deps: RefundSendDeps, tx: Tx, refund: StoredRefund, endedAt: Date): Promise<void> {
  const { id: refundId, orderId, memberId, createdAt, withdrawnPoints } = refund;
  const pausedMs = endedAt.getTime() - createdAt.getTime();
  const withdrawn = await selectWithdrawn(tx, refundId);
  if (refund.endsPackage) await deps.packages.restoreAfterRefund(tx, orderId);
  for (const [index, { micro, expiresAt }] of withdrawn.entries()) {
    await deps.ledger.grantDcu(tx, {
      ...{ memberId, micro, kind: 'refund', source: 'refund', orderId, refType: 'order', refId: orderId },
      // Nobody could use them meanwhile: what is taken of their time is given back, too.
      expiresAt: expiresAt && new Date(expiresAt.getTime() + pausedMs),
      idemKey: `${withdrawalKey(refundId)}:back:${index + 1}`,
    });
  }
  await deps.points.returnForRefund(tx, { memberId, orderId, refundId, points: withdrawnPoints, what: 'withdrawn' });
  await endRefund(tx, refundId, { state: 'FAILED', endedAt, failure: REFUSED, returnsCoupon: false });
  const { refunds } = await selectGivenBack(tx, orderId);
  const to = refunds > 0 ? 'PART_REFUNDED' : 'FULFILLED';
  await deps.orders.move(tx, {
    orderId,
    from: 'REFUNDING',
    to,
    reason: 'REFUND_REFUSED',
    actor: 'provider',
    at: endedAt,
    evidence: { refundId },
  });
}
