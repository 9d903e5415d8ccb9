import { useRequest } from 'ahooks';
import { useState } from 'react';
import type { Purchase } from '@/services/order';
import { loadQuote, type Wish } from './loadQuote';

const SETTLE_MS = 300;

/**
 * The live price of what is chosen. It is asked for when choosing has come to rest; an answer to an older choice never
 * replaces a newer one, and until the new price is there the old one stands, marked as old (`isStale`).
 */
export function useQuote(purchase: Purchase | null, couponId: string | undefined) {
  const [wish, setWish] = useState<Wish>({ couponId, points: 0 });
  const key = JSON.stringify([purchase, wish.couponId === undefined ? 'best' : wish.couponId, wish.points]);
  const request = useRequest(async () => purchase && { quote: await loadQuote(purchase, wish), key }, {
    ready: purchase !== null,
    refreshDeps: [key],
    debounceWait: SETTLE_MS,
    debounceLeading: true,
    // The page shows it in place of the price; without this line ahooks would log it as unhandled.
    onError: () => undefined,
  });
  const { data, error, loading, refresh } = request;
  const quote = data?.quote;
  const isStale = data?.key !== key;
  return {
    quote,
    error,
    isLoading: loading,
    refresh,
    isStale,
    /** What the fields show: the wish at once, and what was really counted as soon as that is known. */
    couponId: isStale && wish.couponId !== undefined ? wish.couponId : (quote?.couponId ?? null),
    points: isStale ? wish.points : (quote?.points.used ?? wish.points),
    hasDroppedCoupon: !isStale && typeof wish.couponId === 'string' && quote?.couponId !== wish.couponId,
    setCoupon: (chosen: string | null) => setWish((old) => ({ ...old, couponId: chosen })),
    setPoints: (points: number) => setWish((old) => ({ ...old, points })),
  };
}

export type LiveQuote = ReturnType<typeof useQuote>;
