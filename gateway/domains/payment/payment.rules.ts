import { type OrderState, type PaymentState, paymentTransitions } from '../../contract/orderStates';
import type { PaymentNotice, TakenMoney, TradeView } from '../../drivers/payment/paymentProvider';

/** Attempts that may still be paid as far as we know. */
export const OPEN_STATES = ['CREATED', 'SUBMITTED', 'UNKNOWN'] as const satisfies readonly PaymentState[];

export function isOpen(state: PaymentState): boolean {
  return OPEN_STATES.some((open) => open === state);
}

/** True where the state machine lets an attempt go from one state to another. */
export function canMovePayment(from: PaymentState, to: PaymentState): boolean {
  return paymentTransitions[from].includes(to);
}

/** An attempt as far as it decides what money for it means. */
export interface Attempt {
  state: PaymentState;
  amountFen: bigint;
  currency: string;
  providerTxn: string | null;
}

/**
 * What money for an attempt means. `apply`: it pays the order. `orphan`: no order needs it, it goes back. `second`: the attempt has
 * its money, this is more of it and goes back as well. `known`: this very money was dealt with.
 */
export type MoneyMeans = 'apply' | 'orphan' | 'second' | 'known';

/** Pure; asked under the locks of order and attempt, with what is written by then. */
export function whatMoneyMeans(
  attempt: Attempt,
  order: { state: OrderState; hasAppliedPayment: boolean },
  money: { providerTxn: string; isTxnKnown: boolean },
): MoneyMeans {
  if (money.isTxnKnown || attempt.providerTxn === money.providerTxn) return 'known';
  if (attempt.providerTxn !== null) return 'second';
  return order.state === 'PENDING' && !order.hasAppliedPayment ? 'apply' : 'orphan';
}

/** What the provider's word without money makes of an attempt; null: nothing. Money is never undone by a word that comes late. */
export function stateAfterWord(state: PaymentState, status: Exclude<TradeView['status'], 'PAID'>): PaymentState | null {
  if (!isOpen(state)) return null;
  if (status === 'FAILED') return 'FAILED';
  // What the provider never heard of cannot be paid; a request still on its way finds the attempt closed, and its money is not lost.
  if (status === 'CLOSED' || status === 'MISSING') return 'CLOSED';
  // WAITING is no way to pay: one that was never shown becomes SUBMITTED with its code, when the payer asks again.
  return null;
}

/** Why money said to be paid is not what we asked for; null where it is. */
export function whyMoneyIsWrong(attempt: Pick<Attempt, 'amountFen' | 'currency'>, money: TakenMoney): string | null {
  if (money.currency !== attempt.currency) return 'CURRENCY';
  if (money.amountFen !== attempt.amountFen) return 'AMOUNT';
  return null;
}

/** Why a notice is not about our account; null where it is. */
export function whyNoticeIsForeign(notice: PaymentNotice, account: { appId: string; sellerId: string }): string | null {
  if (notice.appId !== account.appId) return 'APP';
  if (notice.sellerId !== account.sellerId) return 'SELLER';
  return null;
}

const SECOND_MS = 1_000;

/** Until an attempt is asked for again after so many times: sooner while it is young, at most every five minutes. */
export function queryDelayMs(queries: number): number {
  return Math.min(15 * SECOND_MS * 2 ** Math.min(queries, 10), 300 * SECOND_MS);
}

/** Until a refund is tried again: seconds at first, at most an hour; it is never given up. */
export function refundDelayMs(tries: number): number {
  return Math.min(5 * SECOND_MS * 2 ** Math.min(tries, 12), 3_600 * SECOND_MS);
}
