import { useModel, useNavigate } from '@umijs/max';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import type { OrderRow } from '@/services/order';
import { payPath } from '@/utils/orderPaths';
import type { OrderAction } from '../../../../../../../gateway/contract/orderStates';

const CancelDialog = lazy(() => import('@/components/Purchase/CancelDialog'));
const RefundDialog = lazy(() => import('./RefundDialog'));

export type OnOrderAction = (order: OrderRow, action: OrderAction) => void;

interface Question {
  order: OrderRow;
  action: Exclude<OrderAction, 'pay'>;
  isOpen: boolean;
}

/** What the buttons of an order do: paying is a page of its own, cancelling and giving back are asked about first. */
export function useOrderActions(refreshList: () => void): { act: OnOrderAction; dialogs: ReactNode; version: number } {
  const navigate = useNavigate();
  const { refresh: refreshBalance } = useModel('balance');
  const { refreshUser } = useModel('session');
  const [question, setQuestion] = useState<Question | null>(null);
  // Whoever shows one order asks for it again when this moves.
  const [version, setVersion] = useState(0);

  const act: OnOrderAction = (order, action) => {
    if (action === 'pay') navigate(payPath(order.orderId));
    else setQuestion({ order, action, isOpen: true });
  };
  const propsOf = ({ order, isOpen }: Question) => ({
    order,
    isOpen,
    onClose: () => setQuestion((old) => old && { ...old, isOpen: false }),
    onChanged: () => {
      refreshList();
      setVersion((old) => old + 1);
      refreshBalance();
      refreshUser().catch(() => undefined);
    },
  });
  const dialogs = question && (
    <Suspense key={question.order.orderId}>
      {question.action === 'cancel' ? <CancelDialog {...propsOf(question)} /> : <RefundDialog {...propsOf(question)} />}
    </Suspense>
  );
  return { act, dialogs, version };
}
