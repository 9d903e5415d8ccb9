/** The life of an order. Source: orders and payment in the rules; the database holds the same table. */
export const orderStates = ['PENDING', 'FULFILLED', 'CANCELLED', 'EXPIRED', 'REFUNDING', 'REFUNDED', 'PART_REFUNDED'] as const;
export type OrderState = (typeof orderStates)[number];

export const orderTransitions: Readonly<Record<OrderState, readonly OrderState[]>> = {
  PENDING: ['FULFILLED', 'CANCELLED', 'EXPIRED'],
  FULFILLED: ['REFUNDING'],
  CANCELLED: [],
  EXPIRED: [],
  // Back to where it came from when the provider refuses the refund.
  REFUNDING: ['REFUNDED', 'PART_REFUNDED', 'FULFILLED'],
  REFUNDED: [],
  PART_REFUNDED: ['REFUNDING'],
};

export const orderActions = ['pay', 'cancel', 'refund'] as const;
export type OrderAction = (typeof orderActions)[number];

/** What a member may ask for in each state: the page's buttons and the gateway's refusals come from this one table. */
const actionsByState: Readonly<Record<OrderState, readonly OrderAction[]>> = {
  PENDING: ['pay', 'cancel'],
  FULFILLED: ['refund'],
  CANCELLED: [],
  EXPIRED: [],
  REFUNDING: [],
  REFUNDED: [],
  PART_REFUNDED: ['refund'],
};

export function orderActionsOf(state: OrderState): readonly OrderAction[] {
  return actionsByState[state];
}

/** An attempt to pay an order, as the provider and we know it. */
export const paymentStates = ['CREATED', 'SUBMITTED', 'SUCCEEDED', 'FAILED', 'CLOSED', 'UNKNOWN', 'ORPHAN'] as const;
export type PaymentState = (typeof paymentStates)[number];

/** CREATED: ours alone. SUBMITTED: the provider shows it. UNKNOWN: asked of the provider. ORPHAN: money nobody's order needs; it goes back. */
export const paymentTransitions: Readonly<Record<PaymentState, readonly PaymentState[]>> = {
  CREATED: ['SUBMITTED', 'SUCCEEDED', 'FAILED', 'CLOSED', 'UNKNOWN', 'ORPHAN'],
  SUBMITTED: ['SUCCEEDED', 'FAILED', 'CLOSED', 'UNKNOWN', 'ORPHAN'],
  UNKNOWN: ['SUBMITTED', 'SUCCEEDED', 'FAILED', 'CLOSED', 'ORPHAN'],
  // Money can come after the provider said that none would.
  FAILED: ['SUCCEEDED', 'ORPHAN'],
  CLOSED: ['SUCCEEDED', 'ORPHAN'],
  SUCCEEDED: [],
  ORPHAN: [],
};

export const refundStates = ['REQUESTED', 'SUBMITTED', 'SUCCEEDED', 'FAILED'] as const;
export type RefundState = (typeof refundStates)[number];

/** MEMBER and OPERATOR give back what an order bought; SURPLUS is money that no order needed. */
export const refundReasons = ['MEMBER', 'OPERATOR', 'SURPLUS'] as const;
export type RefundReason = (typeof refundReasons)[number];

/**
 * Why an order cannot be given back: a waiting order counts on its package; that is over or replaced; running labs are promised what is left;
 * nothing would come back.
 */
export const refundCauses = ['CREDIT_RESERVED', 'PACKAGE_OVER', 'HELD_BY_LABS', 'NOTHING_LEFT'] as const;
export type RefundCause = (typeof refundCauses)[number];
