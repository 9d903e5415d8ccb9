import { v7 as uuidv7 } from 'uuid';
import type { OrderPaymentCalls } from '../../contract/orderPayment';
import { type Db, inTransaction, type Tx } from '../../db/client';
import { findAnswer, type IdempotentRequest, runOnce } from '../../db/idempotency';
import { dcuFromMicro } from '../../dcu';
import { failpoint } from '../../failpoint';
import type { Language } from '../../locales/messages';
import { Refusal } from '../../refusal';
import type { OrderView } from '../order/order.presenter';
import { requireAction } from '../order/order.rules';
import type { Orders } from './neighbours';
import { insertRefund, type StoredRefund, selectRefund, selectRefundByKey, withdrawalKey } from './refund.repository';
import { type PlanDeps, type Planned, planRefund } from './refundPlan.service';
import type { RefundSendService } from './refundSend.service';

export interface RefundDeps extends PlanDeps {
  db: Db;
  orders: Pick<Orders, 'get' | 'requireMine' | 'lockOrder' | 'move'>;
  sending: RefundSendService;
}

interface Viewer {
  memberId: string;
  language: Language;
}

type RefundQuote = OrderPaymentCalls['GET /gateway/order/refundQuote']['data'];

/** Who gives an order back, and on what terms. */
export interface RefundAsk {
  order: { id: string; memberId: string };
  reason: 'MEMBER' | 'OPERATOR';
  /** What the member saw; null: whatever it is now. */
  expectedFen: bigint | null;
  /** At most so much DCU; null: all that is unused. */
  mostMicro: bigint | null;
  note: string;
  actor: string;
  idemKey: string;
  /** Written together with the refund, once. */
  record?: (tx: Tx, refund: StoredRefund) => Promise<void>;
}

export type RefundService = ReturnType<typeof createRefundService>;

/**
 * Giving back what an order bought. DCU, points and package are taken and REFUNDING is committed first; then the provider is asked; then
 * the order is REFUNDED or PART_REFUNDED, or everything is given back.
 */
export function createRefundService(deps: RefundDeps) {
  const { db, orders, sending } = deps;

  /** Begins a refund, once for its key, and tries it. Throws ORDER_STATE_CONFLICT, NOTHING_TO_REFUND, PRICE_CHANGED, IDEMPOTENCY_CONFLICT. */
  async function refund(ask: RefundAsk): Promise<StoredRefund & { isNew: boolean }> {
    const { id, isNew } = await inTransaction(db, (tx) => begin(deps, tx, ask));
    await failpoint('order.refund.committed');
    // A repetition must neither ask the provider out of turn nor bring the next try further off.
    await sending.send(id, isNew ? 'now' : 'due');
    return { ...found(await selectRefund(db, id), id), isNew };
  }

  /** What a refund would come to now; nothing of it is kept. */
  function tryOut(order: { id: string; memberId: string }, mostMicro: bigint | null): Promise<Planned> {
    return triedOut(db, (tx) => planRefund(deps, tx, order, { mostMicro, expectedFen: null }));
  }

  return {
    refund,
    tryOut,

    /** What would come back now. Throws NOT_FOUND. */
    async quote(memberId: string, orderId: string): Promise<RefundQuote> {
      const seen = await orders.requireMine(memberId, orderId);
      // Labs are settled as the refund itself would, so that the figures are those it would have; nothing of it is kept.
      return presentQuote(seen.id, await tryOut(seen, null));
    },

    /** Throws NOT_FOUND, ORDER_STATE_CONFLICT, NOTHING_TO_REFUND, PRICE_CHANGED. */
    async refundMine(
      viewer: Viewer,
      ask: { orderId: string; expectedRefundFen: number; reason: string },
      idempotency: IdempotentRequest | null,
    ): Promise<OrderView> {
      const { memberId } = viewer;
      const first = await findAnswer<OrderView>(db, memberId, idempotency);
      if (first) return first.answer;
      const order = await orders.requireMine(memberId, ask.orderId);
      await refund({
        ...{ order, reason: 'MEMBER', expectedFen: BigInt(ask.expectedRefundFen), mostMicro: null, note: ask.reason },
        ...{ actor: memberId, idemKey: `member:${memberId}:${idempotency?.key ?? uuidv7()}` },
      });
      return inTransaction(db, (tx) => runOnce(tx, memberId, idempotency, () => orders.get(viewer, order.id, tx)));
    },
  };
}

/** Takes what goes and writes the refund: all in one transaction, under the locks of wallets and order. */
async function begin(deps: RefundDeps, tx: Tx, ask: RefundAsk): Promise<{ id: string; isNew: boolean }> {
  const { ledger, points, packages, orders } = deps;
  await ledger.lockWallet(tx, ask.order.memberId);
  const before = await selectRefundByKey(tx, ask.idemKey);
  if (before) {
    if (before.orderId !== ask.order.id) throw new Refusal('IDEMPOTENCY_CONFLICT');
    return { id: before.id, isNew: false };
  }
  const planned = await planRefund(deps, tx, ask.order, ask);
  requireRefundable(planned, ask.expectedFen);
  const { order, plan, at, payment } = planned;
  if (plan.refundFen > 0n && !payment) throw new Error(`order ${order.id} brings cash back and was paid with none`);
  const { id: orderId, memberId } = order;
  const refundId = uuidv7();
  const actor = ask.reason === 'MEMBER' ? 'member' : 'operator';
  const evidence = { refundId, refundFen: Number(plan.refundFen) };
  await orders.move(tx, { orderId, from: order.state, to: 'REFUNDING', reason: 'REFUND_ASKED', actor, evidence, at });
  if (plan.withdrawnMicro > 0n) {
    const withdrawal = { memberId, kind: 'refund', uses: plan.uses, idemKey: withdrawalKey(refundId) } as const;
    await ledger.withdrawDcu(tx, { ...withdrawal, refType: 'order', refId: orderId, note: order.orderNo, actor: ask.actor });
  }
  if (planned.endsPackage) await packages.endForRefund(tx, orderId);
  await points.withdrawForRefund(tx, { memberId, orderId, refundId, points: plan.withdrawnPoints });
  await failpoint('order.refund.withdrawn');
  const { refundFen: amountFen, withdrawnMicro, withdrawnPoints, spentPointsFen, returnedPoints, isWhole } = plan;
  await insertRefund(tx, {
    ...{ id: refundId, orderId, memberId, amountFen, withdrawnMicro, withdrawnPoints, spentPointsFen, returnedPoints, isWhole },
    ...{ reason: ask.reason, note: ask.note, actor: ask.actor, idemKey: ask.idemKey, createdAt: at },
    ...{ endsPackage: planned.endsPackage, returnsCoupon: planned.returnsCoupon },
    // Where nothing comes back in cash, no provider is asked.
    paymentId: amountFen > 0n ? (payment?.id ?? null) : null,
  });
  if (ask.record) await ask.record(tx, found(await selectRefund(tx, refundId), refundId));
  return { id: refundId, isNew: true };
}

class TriedOut<T> extends Error {
  constructor(readonly outcome: T) {
    super('tried out');
  }
}

/** What work would come to, by doing it in a transaction of which nothing is kept. */
async function triedOut<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  let tried: TriedOut<T> | undefined;
  try {
    return await inTransaction(db, async (tx) => {
      tried = new TriedOut(await work(tx));
      throw tried;
    });
  } catch (error) {
    if (tried !== undefined && error === tried) return tried.outcome;
    throw error;
  }
}

function found(refund: StoredRefund | undefined, id: string): StoredRefund {
  if (!refund) throw new Error(`refund ${id} is gone`);
  return refund;
}

function requireRefundable({ order, plan, isPossible, cause }: Planned, expectedFen: bigint | null): void {
  requireAction(order.state, 'refund');
  if (!isPossible) throw new Refusal('NOTHING_TO_REFUND', { data: { cause } });
  if (expectedFen === null || expectedFen === plan.refundFen) return;
  throw new Refusal('PRICE_CHANGED', { data: { refundFen: Number(plan.refundFen) } });
}

function presentQuote(orderId: string, { plan, isPossible, cause, endsPackage, returnsCoupon }: Planned): RefundQuote {
  return {
    orderId,
    isPossible,
    cause,
    refundFen: Number(plan.refundFen),
    withdrawnDcu: dcuFromMicro(plan.withdrawnMicro),
    endsPackage,
    withdrawnPoints: Number(plan.withdrawnPoints),
    forfeitedFen: Number(plan.forfeitedFen),
    spentPointsFen: Number(plan.spentPointsFen),
    returnedPoints: Number(plan.returnedPoints),
    returnsCoupon,
  };
}
