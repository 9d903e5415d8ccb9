import { addBillingMonths } from '../../billingCalendar';
import type { PackageEffect } from '../../contract/membership';
import { carriedOver, grantedAfter } from './grantSchedule.rules';
import { beginOf, byRank, type PackageItem, type Part } from './layout.rules';
import { creditOf } from './packageValue.rules';

/** A package as an order names it. */
export interface Offered {
  packageId: string;
  levelFlag: number;
  cpuCores: number;
  months: number;
  monthlyMicro: bigint;
}

/** What an order for a package would do. */
export interface PackagePlan {
  effect: PackageEffect;
  startsAt: Date;
  endsAt: Date;
  /** The running package it replaces against credit; null where none is credited. */
  creditItemId: string | null;
  /** Before the new price caps it. */
  creditFen: bigint;
  /** DCU of its first month. */
  firstMicro: bigint;
}

/**
 * What an order for a package placed now would do, its credit counted to an instant to come. Only the running package is credited, only where it was
 * bought, permits less and no other order counts on it; anything else that is displaced waits and loses nothing.
 */
export function planOrder(parts: readonly Part[], offer: Offered, ask: { atMs: number; countedToMs: number }): PackagePlan {
  const running = parts.find(({ item }) => item.state === 'ACTIVE');
  const isLower = running !== undefined && byRank(running.item, offer) > 0;
  const promisedMicro = offer.monthlyMicro * BigInt(offer.months);
  const isCreditable = isLower && running.item.source === 'ORDER' && running.item.creditOrderId === null;
  const creditFen = isCreditable ? creditOf(running, { ...ask, promisedMicro }) : 0n;
  const credited = isCreditable && creditFen > 0n ? running : null;
  const startsAtMs = beginOf(parts, offer, ask.atMs);
  const carriedMicro = credited ? carriedOver(credited, promisedMicro) : 0n;
  return {
    effect: effectOf(running, offer),
    startsAt: new Date(startsAtMs),
    endsAt: addBillingMonths(new Date(startsAtMs), offer.months),
    creditItemId: credited?.item.itemId ?? null,
    creditFen,
    firstMicro: grantedAfter({ monthlyMicro: offer.monthlyMicro, carriedMicro }, 1),
  };
}

function effectOf(running: Part | undefined, offer: Offered): PackageEffect {
  if (!running) return 'NEW';
  const rank = byRank(running.item, offer);
  if (rank > 0) return 'UPGRADE';
  return rank === 0 && running.item.packageId === offer.packageId ? 'RENEW' : 'QUEUE';
}

/** The package an order bought, before it is laid out among the member's others. */
export function boughtItem(
  bought: Offered & { itemId: string; valueFen: bigint; carriedMicro: bigint },
  others: readonly Part[],
  atMs: number,
): Part {
  const startsAtMs = beginOf(others, bought, atMs);
  const endsAtMs = addBillingMonths(new Date(startsAtMs), bought.months).getTime();
  const { itemId, packageId, levelFlag, cpuCores, months, monthlyMicro, carriedMicro, valueFen } = bought;
  const fixed = { itemId, packageId, levelFlag, cpuCores, months, monthlyMicro, carriedMicro, valueFen };
  return newPart({ ...fixed, source: 'ORDER', startsAtMs, endsAtMs, createdAtMs: atMs });
}

/** A gift: days of a package, without value and DCU. */
export function giftItem(
  gift: { itemId: string; packageId: string; levelFlag: number; cpuCores: number; totalMs: number },
  atMs: number,
): Part {
  const { totalMs, ...rest } = gift;
  const nothing = { months: null, monthlyMicro: 0n, carriedMicro: 0n, valueFen: 0n };
  return newPart({ ...rest, ...nothing, source: 'GIFT', startsAtMs: atMs, endsAtMs: atMs + totalMs, createdAtMs: atMs });
}

type Begun = Omit<
  PackageItem,
  'totalMs' | 'grantedMicro' | 'grantsMade' | 'nextGrantAtMs' | 'state' | 'endedAtMs' | 'creditOrderId' | 'creditedFen'
>;

function newPart(begun: Begun): Part {
  const totalMs = begun.endsAtMs - begun.startsAtMs;
  const untouched = { grantedMicro: 0n, grantsMade: 0, nextGrantAtMs: null, endedAtMs: null, creditOrderId: null, creditedFen: 0n };
  return { item: { ...begun, ...untouched, totalMs, state: 'QUEUED' }, leftMs: totalMs };
}
