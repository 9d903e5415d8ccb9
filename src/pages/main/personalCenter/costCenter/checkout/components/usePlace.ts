import { useModel, useNavigate } from '@umijs/max';
import { useRequest } from 'ahooks';
import { useState } from 'react';
import { useIdempotencyKey } from '@/hooks/useIdempotencyKey';
import { type Agreed, type Order, type Purchase, placeOrder, type Quote, type Reductions } from '@/services/order';
import { isCallError } from '@/utils/callError';
import { errorCodes } from '@/utils/errorCodes';
import { payPath, successPath } from '@/utils/orderPaths';

interface Agreement extends Reductions, Agreed {}

/** A price other than the member agreed to, and what it was agreed as. */
export interface PriceChange {
  old: Agreement;
  next: Agreement;
}

function changeOf(error: Error, old: Agreement): PriceChange | null {
  if (!isCallError(error, errorCodes.PRICE_CHANGED)) return null;
  const { payableFen, priceVersion } = (error.data ?? {}) as { payableFen?: unknown; priceVersion?: unknown };
  if (typeof payableFen !== 'number' || typeof priceVersion !== 'number') return null;
  return { old, next: { ...old, expectedPayableFen: payableFen, priceVersion } };
}

/** Places the order as the member saw it and leads on to paying; another price now is asked about before anything is ordered. */
export function usePlace(purchase: Purchase | null, refreshQuote: () => void) {
  const navigate = useNavigate();
  const { refresh: refreshBalance } = useModel('balance');
  const { refreshUser } = useModel('session');
  const once = useIdempotencyKey('placeOrder');
  const [change, setChange] = useState<PriceChange | null>(null);

  const handlePlaced = (order: Order) => {
    setChange(null);
    // Back leads to where the choice began, not to a form that would order the same again.
    if (order.state === 'PENDING') return navigate(payPath(order.orderId), { replace: true });
    refreshBalance();
    refreshUser().catch(() => undefined);
    return navigate(successPath(order.orderId), { replace: true });
  };
  const { run, loading, error } = useRequest(
    async (agreed: Agreement) => {
      if (!purchase) return;
      handlePlaced(await once([purchase, agreed], (key) => placeOrder(purchase, agreed, key)));
    },
    {
      manual: true,
      onError: (failure, [agreed]) => {
        setChange(changeOf(failure, agreed));
        // Whatever was refused, what is shown may be old.
        if (isCallError(failure)) refreshQuote();
      },
    },
  );
  return {
    change,
    isPlacing: loading,
    error: change ? undefined : error,
    place: (quote: Quote) =>
      run({
        couponId: quote.couponId,
        points: quote.points.used,
        expectedPayableFen: quote.payableFen,
        priceVersion: quote.priceVersion,
      }),
    accept: () => change && run(change.next),
    decline: () => setChange(null),
  };
}
