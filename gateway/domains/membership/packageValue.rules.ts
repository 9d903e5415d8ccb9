import { greater } from '../../bigints';
import { broughtAheadMicro, grantsDue, promisedMicro } from './grantSchedule.rules';
import type { Part } from './layout.rules';

/** The value of so many DCU of a package, rounded up: what is deducted is never in the member's favour. */
function worthOf({ item }: Part, micro: bigint): bigint {
  const promised = greater(promisedMicro(item), 1n);
  return (item.valueFen * micro + promised - 1n) / promised;
}

function worthOfTime({ item }: Part, leftMs: number): bigint {
  return (item.valueFen * BigInt(leftMs)) / BigInt(item.totalMs);
}

/**
 * What the running package is worth to an order that replaces it, before the new price caps it, all as it will be at an instant to come:
 * the cash it stands for × the time then left, without the DCU it will have brought for time not lived as far as the new package promises
 * fewer. It falls by time alone, so counted to the end of the time to pay, or later, it is never in the member's favour.
 */
export function creditOf(part: Part, ask: { atMs: number; countedToMs: number; promisedMicro: bigint }): bigint {
  const soon = grantsDue(part.item, ask.countedToMs).reduce((sum, grant) => sum + grant.micro, 0n);
  const then = { ...part, leftMs: Math.max(part.leftMs - (ask.countedToMs - ask.atMs), 0) };
  const ahead = broughtAheadMicro(then, part.item.grantedMicro + soon);
  return greater(worthOfTime(then, then.leftMs) - worthOf(then, greater(ahead - ask.promisedMicro, 0n)), 0n);
}

/** Cash that comes back for a package that ends now, of whose DCU so many could be taken back; the order's own cash caps it. */
export function refundValueOf(part: Part, withdrawnMicro: bigint): bigint {
  const used = greater(broughtAheadMicro(part) - withdrawnMicro, 0n);
  return greater(worthOfTime(part, part.leftMs) - worthOf(part, used), 0n);
}

/** For so long a package none of whose DCU were used goes back with the coupon it was bought with. */
const FIRST_MS = 3_600_000;

/** Nothing of a package was used: it waits or has just begun, and of the DCU it brought, carried ones counted, none is missing. */
export function isUntouched(part: Part, dcu: { withdrawnMicro: bigint; ownRemainingMicro: bigint }): boolean {
  const { totalMs, grantedMicro } = part.item;
  const isUnused = dcu.ownRemainingMicro >= grantedMicro && broughtAheadMicro(part) <= dcu.withdrawnMicro;
  return isUnused && totalMs - part.leftMs <= FIRST_MS;
}
