import { useRequest } from 'ahooks';
import { useEffect, useRef, useState } from 'react';
import { useIdempotencyKey } from '@/hooks/useIdempotencyKey';
import { type Order, type Payment, payOrder, type Repayable } from '@/services/order';

/** How the last attempt of an order without an open one ended; undefined where there was none. */
function lastEnded(order: Order | undefined): Payment | undefined {
  const latest = order?.payments.reduce<Payment | undefined>(
    (last, payment) => (last && last.createdAt > payment.createdAt ? last : payment),
    undefined,
  );
  return latest && (latest.state === 'FAILED' || latest.state === 'CLOSED') ? latest : undefined;
}

/**
 * The attempt to pay: which way, what is open, and how the one before ended. The first attempt by the only way there is
 * starts by itself; after one that failed the member decides.
 */
export function useAttempt(repayable: Repayable, order: Order | undefined, onMoved: () => void) {
  const { orderId, methods, payment } = repayable;
  const [chosen, setChosen] = useState<string>();
  const method = chosen ?? payment?.method ?? methods[0]?.method;
  const once = useIdempotencyKey('payOrder');
  const { run, loading, error } = useRequest((by: string) => once([orderId, by], (key) => payOrder(orderId, by, key)), {
    manual: true,
    onSuccess: onMoved,
    onError: onMoved,
  });

  const isFirst = order !== undefined && order.payments.length === 0 && payment === null && methods.length === 1;
  const hasStarted = useRef(false);
  useEffect(() => {
    if (!isFirst || hasStarted.current || method === undefined) return;
    hasStarted.current = true;
    run(method);
  }, [isFirst, method, run]);

  const open = payment?.method === method ? payment : null;
  return {
    method,
    choose: setChosen,
    open,
    ended: open || loading ? undefined : lastEnded(order),
    error: open ? undefined : error,
    isStarting: loading || (isFirst && !error),
    start: () => method !== undefined && run(method),
  };
}
