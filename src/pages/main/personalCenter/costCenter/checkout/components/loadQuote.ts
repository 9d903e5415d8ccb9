import { estimatePurchase, type Purchase, previewPurchase, type Quote } from '@/services/order';
import { isCallError } from '@/utils/callError';
import { errorCodes } from '@/utils/errorCodes';

export interface Wish {
  /** The coupon the member chose; null: none; undefined: whichever is best. */
  couponId?: string | null | undefined;
  points: number;
}

/**
 * The price of a purchase as near to the member's wish as it goes: a coupon that does not fit any more gives way to the
 * best one, points above what the order takes come down to it. The quote says what was counted.
 */
export async function loadQuote(purchase: Purchase, { couponId, points }: Wish): Promise<Quote> {
  let chosen = couponId;
  if (chosen !== undefined) {
    try {
      return await estimatePurchase(purchase, { couponId: chosen, points });
    } catch (error) {
      if (isCallError(error, errorCodes.COUPON_UNUSABLE)) chosen = undefined;
      else if (!isCallError(error, errorCodes.POINTS_TOO_MANY)) throw error;
    }
  }
  const base =
    chosen === undefined ? await previewPurchase(purchase) : await estimatePurchase(purchase, { couponId: chosen, points: 0 });
  const usable = Math.min(points, base.points.most);
  return usable === 0 ? base : estimatePurchase(purchase, { couponId: base.couponId, points: usable });
}
