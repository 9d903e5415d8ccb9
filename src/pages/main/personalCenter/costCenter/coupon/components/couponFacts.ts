import type { Coupon } from '@/services/coupon';
import { formatPrice } from '@/utils/formatMoney';
import { formatNumber } from '@/utils/formatNumber';
import { formatDate, formatDuration } from '@/utils/formatTime';
import { asNamed, currentLanguage } from '@/utils/language';
import type { Text } from '@/utils/words';

const SOON_MS = 3 * 24 * 3_600_000;

/** What it takes off or adds, in the fewest words. */
export function valueWords({ kind, amountFen, percent, dcu }: Coupon, text: Text): string {
  return text(`coupon.value.${kind}`, {
    amount: formatPrice(amountFen ?? 0),
    percent: percent ?? 0,
    dcu: formatNumber(dcu ?? 0),
  });
}

/** From which orders on it counts, and how much at most. */
export function conditionWords({ minimumFen, capFen }: Coupon, text: Text): string[] {
  const from = minimumFen > 0 ? text('coupon.minimum', { amount: formatPrice(minimumFen) }) : text('coupon.minimum.none');
  return capFen === null ? [from] : [from, text('coupon.cap', { amount: formatPrice(capFen) })];
}

/** What it can be used on: the named products, or all of its scope. */
export function fitWords({ scope, fits }: Coupon, text: Text): string {
  if (fits.length === 0) return text(`coupon.fits.${scope}`);
  const names = new Intl.ListFormat(currentLanguage(), { type: 'conjunction' }).format(fits.map(asNamed));
  return text('coupon.fits.named', { names });
}

export type CouponMark = 'soon' | 'notYet' | 'reserved' | 'used' | 'expired';

/** What there is to say of its state beside its dates; null where it can simply be used. */
export function markOf({ state, startsAt, endsAt }: Coupon, atMs: number): CouponMark | null {
  if (state === 'USED') return 'used';
  if (state === 'RESERVED') return 'reserved';
  const leftMs = new Date(endsAt).getTime() - atMs;
  if (leftMs <= 0) return 'expired';
  if (new Date(startsAt).getTime() > atMs) return 'notYet';
  return leftMs < SOON_MS ? 'soon' : null;
}

/** When it can be used, or when that was. */
export function dateWords({ startsAt, endsAt, usedAt }: Coupon, mark: CouponMark | null, text: Text): string {
  if (mark === 'used') return text('coupon.used', { date: formatDate(usedAt ?? endsAt) });
  if (mark === 'expired') return text('coupon.expired', { date: formatDate(endsAt) });
  if (mark === 'notYet') return text('coupon.between', { from: formatDate(startsAt), until: formatDate(endsAt) });
  return text('coupon.until', { date: formatDate(endsAt) });
}

/** The mark in words; empty where the date says it already. */
export function markWords({ endsAt }: Coupon, mark: CouponMark | null, text: Text, atMs: number): string {
  if (mark === 'soon') return text('coupon.soon', { duration: formatDuration(new Date(endsAt).getTime() - atMs) });
  if (mark === 'notYet') return text('coupon.notYet');
  return mark === 'reserved' ? text('coupon.reserved') : '';
}
