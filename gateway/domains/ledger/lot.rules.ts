import { greater, lesser } from '../../bigints';

/** A part of a balance: what is left of one grant, and until when it may be burnt. Instants are milliseconds since the epoch. */
export interface Lot {
  lotId: bigint;
  remaining: bigint;
  grantedAtMs: number;
  expiresAtMs: number | null;
}

export interface LotUse {
  lotId: bigint;
  micro: bigint;
}

const NEVER = Number.POSITIVE_INFINITY;

/** When a lot ends to be valid; infinity for one that never expires. */
export function endOf(lot: Lot): number {
  return lot.expiresAtMs ?? NEVER;
}

/** Burn order: soonest expiring first, those that never expire last, then the oldest. */
export function inBurnOrder(lots: readonly Lot[]): Lot[] {
  return [...lots].sort(
    (a, b) => compare(endOf(a), endOf(b)) || compare(a.grantedAtMs, b.grantedAtMs) || compare(a.lotId, b.lotId),
  );
}

function compare<T extends number | bigint>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

export function remainingOf(lots: readonly Lot[]): bigint {
  return lots.reduce((sum, lot) => sum + lot.remaining, 0n);
}

/** True when the lot may pay for usage over the whole of [fromMs, toMs). */
export function isValidOver(lot: Lot, fromMs: number, toMs: number): boolean {
  return lot.grantedAtMs <= fromMs && toMs <= endOf(lot);
}

/** Instants strictly inside (fromMs, toMs) at which what may be burnt changes; usage is cut there. Lots must be those with a remainder. */
export function cutsWithin(lots: readonly Lot[], fromMs: number, toMs: number): number[] {
  const bounds = lots.flatMap((lot) => [lot.grantedAtMs, endOf(lot)]);
  return [...new Set(bounds)].filter((at) => fromMs < at && at < toMs).sort(compare);
}

/**
 * Takes `micro` of usage over [fromMs, toMs) from lots in burn order: valid ones first. What a hold kept of an expired lot is
 * taken last, so that a bill that was covered when its lease was given can always be written.
 * Throws when all lots together do not cover it: then wallet and lots disagree.
 */
export function burn<L extends Lot>(
  lots: readonly L[],
  micro: bigint,
  fromMs: number,
  toMs: number,
): { uses: LotUse[]; lots: L[] } {
  const uses: LotUse[] = [];
  const left = new Map(lots.map((lot) => [lot.lotId, lot]));
  let due = micro;
  const take = (isValid: boolean): void => {
    for (const lot of lots) {
      if (due === 0n) return;
      if (lot.remaining === 0n || isValidOver(lot, fromMs, toMs) !== isValid) continue;
      const taken = lesser(lot.remaining, due);
      uses.push({ lotId: lot.lotId, micro: taken });
      left.set(lot.lotId, { ...lot, remaining: lot.remaining - taken });
      due -= taken;
    }
  };
  take(true);
  take(false);
  if (due > 0n) throw new Error(`the lots do not cover ${micro} micro-DCU of usage`);
  return { uses, lots: [...left.values()] };
}

/** Sets `micro` aside from the lots that last longest, where usage at an unknown later time does the least harm. */
export function reserveFromLongest(lots: readonly Lot[], micro: bigint): Lot[] {
  let due = micro;
  return [...lots]
    .reverse()
    .map((lot) => {
      const taken = lesser(lot.remaining, due);
      due -= taken;
      return { ...lot, remaining: lot.remaining - taken };
    })
    .reverse();
}

/** What may be newly held at an instant: neither what is held already nor what expired and waits for its breakage. */
export function availableMicro(wallet: { posted: bigint; held: bigint }, lots: readonly Lot[], atMs: number): bigint {
  const expired = remainingOf(lots.filter((lot) => endOf(lot) <= atMs));
  return greater(wallet.posted - wallet.held - expired, 0n);
}

/** How much of an expired lot can go: what neither a hold needs nor usage from before the expiry may still burn. */
export function expirableMicro(wallet: { posted: bigint; held: bigint }, lot: Lot, keptMicro: bigint): bigint {
  return greater(lesser(lot.remaining - keptMicro, wallet.posted - wallet.held), 0n);
}
