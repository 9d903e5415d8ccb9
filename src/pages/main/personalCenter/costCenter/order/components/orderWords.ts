import type { Order, OrderRow } from '@/services/order';
import type { Text, Word } from '@/utils/words';

/** What was bought; how many pieces only where there can be several. */
export function titleOf({ title, quantity, kind }: Pick<OrderRow, 'title' | 'quantity' | 'kind'>, text: Text): string {
  return kind === 'SKU' && quantity > 1 ? text('purchase.times', { title, quantity }) : title;
}

type OrderEvent = Order['timeline'][number];

/** What a step of an order's life was, in plain words. */
export function eventWord({ from, to, actor }: OrderEvent): Word {
  const isOwn = actor === 'member';
  switch (to) {
    case 'PENDING':
      return 'order.event.placed';
    case 'FULFILLED':
      if (from === 'REFUNDING') return 'order.event.refused';
      // With something to pay only the provider's word, or ours for it, hands anything over.
      return isOwn ? 'order.event.free' : 'order.event.paid';
    case 'CANCELLED':
      return isOwn ? 'order.event.CANCELLED.member' : 'order.event.CANCELLED.other';
    case 'REFUNDING':
      return isOwn ? 'order.event.REFUNDING.member' : 'order.event.REFUNDING.other';
    default:
      return `order.event.${to}`;
  }
}
