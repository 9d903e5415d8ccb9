import { greater } from '../../bigints';
import { broughtAheadMicro, grantsDue, promisedMicro } from './grantSchedule.rules';
import type { Part } from './layout.rules';

/** The value of so many DCU of a package, rounded up: what is deducted is never in the member's favour. */
function worthOf({ item }: Part, micro: bigint): bigint {
  const promised = greater(promisedMicro(item), 1n);
  return (item.valueFen * micro + promised - 1n) / promised;
}

function worthOfTime({ item }: Part, leftMs: number): bigint {
  return (item.valueFen * BigInt(Math.max(leftMs, 0))) / BigInt(item.totalMs);
}

/**
 * What the running package is worth to an order that replaces it, before the new price caps it: the cash it stands for × the time that
 * will be left when the order must be paid, without the DCU it brought for time not lived as far as the new package promises fewer.
 * Grants that come until then are counted as made.
 */
export function creditOf(part: Part, ask: { atMs: number; payUntilMs: number; promisedMicro: bigint }): bigint {
  const soon = grantsDue(part.item, ask.payUntilMs).reduce((sum, grant) => sum + grant.micro, 0n);
  const ahead = broughtAheadMicro(part, part.item.grantedMicro + soon);
  const leftThenMs = part.leftMs - (ask.payUntilMs - ask.atMs);
  return greater(worthOfTime(part, leftThenMs) - worthOf(part, greater(ahead - ask.promisedMicro, 0n)), 0n);
}

/** Cash that comes back for a package that ends now, of whose DCU so many could be taken back; the order's own cash caps it. */
export function refundValueOf(part: Part, withdrawnMicro: bigint): bigint {
  const used = greater(broughtAheadMicro(part) - withdrawnMicro, 0n);
  return greater(worthOfTime(part, part.leftMs) - worthOf(part, used), 0n);
}
