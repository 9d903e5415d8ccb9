import { billingDayOf, startOfBillingDay } from '../../billingCalendar';
import { missingFor } from '../../contract/entitlements';
import { limits } from '../../contract/limits';
import { type OrderAction, type OrderState, orderActionsOf, orderTransitions } from '../../contract/orderStates';
import { quoteInstants } from '../../quoteInstants';
import { Refusal } from '../../refusal';

const { orders } = limits;
export const PAY_MS = orders.payMinutes * 60_000;

/** A price that counts on a running package holds for this long at least, and for an hour mostly. */
const CREDIT_GRID = { gridMs: 3_600_000, holdsMs: 5 * 60_000 };

/**
 * Instants to which the credit of an order placed now may be counted, that of a price seen now first: each not before the end of the time
 * to pay, so that it is never in the member's favour.
 */
export function creditInstants(at: Date): [Date, ...Date[]] {
  return quoteInstants(new Date(at.getTime() + PAY_MS), CREDIT_GRID);
}

/** True where the state machine lets an order go from one state to another. */
export function canMove(from: OrderState, to: OrderState): boolean {
  return orderTransitions[from].includes(to);
}

/** Throws ORDER_STATE_CONFLICT where the order's state does not offer the action. */
export function requireAction(state: OrderState, action: OrderAction): void {
  if (!orderActionsOf(state).includes(action)) throw new Refusal('ORDER_STATE_CONFLICT', { data: { state, action } });
}

/** Twenty digits: the second it was placed in the billing time zone, and six that are drawn. */
export function orderNoOf(at: Date, drawn: number): string {
  const day = billingDayOf(at);
  const timeOfDay = new Date(at.getTime() - startOfBillingDay(day).getTime()).toISOString().slice(11, 19);
  return `${`${day}${timeOfDay}`.replace(/\D/g, '')}${String(drawn).padStart(6, '0')}`;
}

/** Who places an order, as far as it decides whether they may. */
export interface Buyer {
  isRealName: boolean;
  pendingOrders: number;
}

/** True for a payment of a size that needs a verified real name which the member lacks. */
export function lacksRealName(buyer: { isRealName: boolean }, payableFen: bigint): boolean {
  const missing = missingFor('payLargeAmount', { ...buyer, isStudent: false, levelFlag: 0 });
  return missing !== null && payableFen > BigInt(orders.realNameFromFen);
}

/** Throws REAL_NAME_REQUIRED (CUSTOM_PACKAGE): a package of one's own measure is sold to verified members. */
export function requireMayCustomise(buyer: { isRealName: boolean }): void {
  if (missingFor('customisePackage', { ...buyer, isStudent: false, levelFlag: 0 })) {
    throw new Refusal('REAL_NAME_REQUIRED', { data: { cause: 'CUSTOM_PACKAGE' } });
  }
}

/** Throws REAL_NAME_REQUIRED (LARGE_PAYMENT), TOO_MANY_PENDING_ORDERS. */
export function requireMayPlace(buyer: Buyer, payableFen: bigint): void {
  if (lacksRealName(buyer, payableFen)) throw new Refusal('REAL_NAME_REQUIRED', { data: { cause: 'LARGE_PAYMENT' } });
  // What is fulfilled at once never waits, so it is not one too many.
  if (payableFen > 0n && buyer.pendingOrders >= orders.pendingMost) {
    throw new Refusal('TOO_MANY_PENDING_ORDERS', { params: { limit: orders.pendingMost }, data: { limit: orders.pendingMost } });
  }
}

/** Throws SKU_ALREADY_PENDING or SKU_ALREADY_BOUGHT: a limited offer is one a member for ever, also where it was given back. */
export function requireFirstOfLimited(before: OrderState | undefined): void {
  if (before === undefined) return;
  throw new Refusal(before === 'PENDING' ? 'SKU_ALREADY_PENDING' : 'SKU_ALREADY_BOUGHT');
}

/** Throws PRICE_CHANGED with the price now, where it is not what the member saw. */
export function requireSeen(
  seen: { expectedPayableFen: number; priceVersion: number },
  now: { payableFen: bigint; priceVersion: number },
): void {
  if (BigInt(seen.expectedPayableFen) === now.payableFen && seen.priceVersion === now.priceVersion) return;
  const data = { payableFen: Number(now.payableFen), priceVersion: now.priceVersion };
  throw new Refusal('PRICE_CHANGED', { data });
}
