import { usePage, wordFilter } from '@/hooks/usePage';
import { usePollWhile } from '@/hooks/usePollWhile';
import { type OrderRow, pageOrders } from '@/services/order';
import { type OrderState, orderStates } from '../../../../../../../gateway/contract/orderStates';

type OrderKind = OrderRow['kind'];

/** As the filter lists them; the compiler notices a kind that is missing. */
const kindNames: Readonly<Record<OrderKind, true>> = { SKU: true, PACKAGE: true };
export const orderKinds = Object.keys(kindNames) as OrderKind[];

export interface OrderFilters {
  state: OrderState;
  kind: OrderKind;
}

const filters = { state: wordFilter(orderStates), kind: wordFilter(orderKinds) };

function isAnyRefunding({ list }: { list: OrderRow[] }): boolean {
  return list.some(({ state }) => state === 'REFUNDING');
}

/** The member's orders, fresh while they are looked at: an order is paid, runs out and is refunded elsewhere, too. */
export function useOrders() {
  const page = usePage<OrderRow, OrderFilters>({ load: pageOrders, filters });
  usePollWhile(page, isAnyRefunding);
  return page;
}

export type OrderPage = ReturnType<typeof useOrders>;
