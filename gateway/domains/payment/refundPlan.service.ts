import { lesser } from '../../bigints';
import { orderActionsOf, type RefundCause } from '../../contract/orderStates';
import { readNow, type Tx } from '../../db/client';
import { availableMicro } from '../ledger/lot.rules';
import type { StoredOrder } from '../order/orderState.service';
import type { Coupons, Orders, Packages, Points, Wallets } from './neighbours';
import { type StoredPayment, selectAppliedPayment } from './payment.repository';
import { selectGivenBack, selectOrderLots } from './refund.repository';
import { bringsAnything, type OrderMoney, planDcuRefund, planPackageRefund, type RefundPlan, refundInstants } from './refund.rules';

export interface PlanDeps {
  ledger: Wallets;
  orders: Pick<Orders, 'lockOrder'>;
  points: Points;
  packages: Packages;
  coupons: Coupons;
  fenPerPoint: bigint;
}

/** What giving an order back would bring, as it is under its locks. */
export interface Planned {
  order: StoredOrder;
  payment: StoredPayment | undefined;
  plan: RefundPlan;
  isPossible: boolean;
  /** Why it is not possible; null where it is, and where the order's state says it already. */
  cause: RefundCause | null;
  endsPackage: boolean;
  returnsCoupon: boolean;
  at: Date;
}

const NOTHING: RefundPlan = {
  ...{ refundFen: 0n, uses: [], withdrawnMicro: 0n, withdrawnPoints: 0n, spentPointsFen: 0n, returnedPoints: 0n },
  ...{ forfeitedFen: 0n, isWhole: false, isUntouched: false },
};

/** What of an order at most, and what the member saw of it; null: all of it, whatever it is now. */
export interface RefundTerms {
  mostMicro: bigint | null;
  expectedFen: bigint | null;
}

/**
 * Locks what a refund needs and says what it would bring. The member's labs are settled first, so that what is unused is known to the
 * micro-DCU; what they are promised is not touched. Time is counted a little ahead, as the member saw it a moment ago where that still holds.
 */
export async function planRefund(
  deps: PlanDeps,
  tx: Tx,
  { id, memberId }: { id: string; memberId: string },
  terms: RefundTerms,
): Promise<Planned> {
  const { ledger, orders } = deps;
  await ledger.lockWallet(tx, memberId);
  await ledger.settleMember(tx, memberId);
  const order = await orders.lockOrder(tx, id);
  if (!order) throw new Error(`order ${id} is gone`);
  const at = await readNow(tx);
  const payment = await selectAppliedPayment(tx, id);
  const nothing = { order, payment, at, plan: NOTHING, isPossible: false, cause: null, endsPackage: false, returnsCoupon: false };
  if (!orderActionsOf(order.state).includes('refund')) return nothing;
  const money = await moneyOf(deps, tx, order);
  const endsPackage = order.kind === 'PACKAGE';
  const plan = endsPackage
    ? await planOfPackage(deps, tx, order, money, { at, ...terms })
    : await planOfDcu(deps, tx, order, money, { at, ...terms });
  if (typeof plan === 'string') return { ...nothing, cause: plan };
  const returnsCoupon = plan.isUntouched && (await isCouponValid(deps, tx, order, at));
  const isPossible = bringsAnything(plan, returnsCoupon);
  const cause = isPossible ? null : plan.isWhole ? 'NOTHING_LEFT' : 'HELD_BY_LABS';
  return { order, payment, at, plan, endsPackage, returnsCoupon, isPossible, cause };
}

async function moneyOf({ points, fenPerPoint }: PlanDeps, tx: Tx, order: StoredOrder): Promise<OrderMoney> {
  const { payableFen, pointsUsed, pointsEarned, memberId } = order;
  const balance = await points.balanceOf(tx, memberId);
  const before = await selectGivenBack(tx, order.id);
  return { payableFen, pointsUsed, pointsEarned, before, fenPerPoint, freePoints: balance.points - balance.held };
}

async function planOfDcu(
  { ledger }: PlanDeps,
  tx: Tx,
  { id, memberId }: StoredOrder,
  money: OrderMoney,
  { at, mostMicro }: Pick<RefundTerms, 'mostMicro'> & { at: Date },
): Promise<RefundPlan> {
  const free = availableMicro(await ledger.lockWallet(tx, memberId), await ledger.lotsOf(tx, memberId), at.getTime());
  return planDcuRefund(money, await selectOrderLots(tx, id, at), mostMicro === null ? free : lesser(free, mostMicro));
}

async function planOfPackage(
  { packages }: PlanDeps,
  tx: Tx,
  { id }: StoredOrder,
  money: OrderMoney,
  { at, expectedFen }: Pick<RefundTerms, 'expectedFen'> & { at: Date },
): Promise<RefundPlan | RefundCause> {
  const [now, ...before] = refundInstants(at);
  const planTo = async (countedTo: Date) => {
    const ended = await packages.planRefund(tx, id, countedTo);
    return typeof ended === 'string' ? ended : planPackageRefund(money, ended);
  };
  for (const countedTo of expectedFen === null ? [] : before) {
    const seen = await planTo(countedTo);
    if (typeof seen !== 'string' && seen.refundFen === expectedFen) return seen;
  }
  return planTo(now);
}

async function isCouponValid({ coupons }: PlanDeps, tx: Tx, { memberId, couponId }: StoredOrder, at: Date): Promise<boolean> {
  return couponId !== null && (await coupons.get(tx, memberId, couponId)).endsAt > at;
}
