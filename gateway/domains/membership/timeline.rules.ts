import { lesser } from '../../bigints';
import { carriedOver, type DueGrant, grantsDue, withGrants } from './grantSchedule.rules';
import { advance, endItem, layOut, type PackageItem, type Part, partOfEnded, type Stretch } from './layout.rules';
import { boughtItem, type Offered } from './packageOrder.rules';
import { creditOf } from './packageValue.rules';

export interface ItemGrant extends DueGrant {
  itemId: string;
}

/** What a change leaves: every package it touched, what runs when from now on, and DCU to be granted. */
export interface Timeline {
  items: PackageItem[];
  stretches: Stretch[];
  grants: ItemGrant[];
}

/**
 * What time alone did: packages that ended and began, and the grants that are due, those of ended ones first. Every change begins with it,
 * so that no grant is lost to one that comes first. `refundedId` has no grant any more: its refund is reckoned by what it has brought.
 */
export function bringUpToDate(items: readonly PackageItem[], atMs: number, refundedId?: string): Omit<Timeline, 'stretches'> {
  const advanced = advance(items, atMs);
  const { items: granted, grants } = withDueGrants(
    advanced.filter((item) => item.itemId !== refundedId),
    atMs,
  );
  return { items: [...granted, ...advanced.filter((item) => item.itemId === refundedId)], grants };
}

function withDueGrants(items: readonly PackageItem[], atMs: number): Omit<Timeline, 'stretches'> {
  const grants: ItemGrant[] = [];
  const granted = items.map((item) => {
    if (item.state !== 'ACTIVE' && item.state !== 'ENDED') return item;
    const due = grantsDue(item, atMs);
    grants.push(...due.map((grant) => ({ ...grant, itemId: item.itemId })));
    return due.length === 0 && item.state === 'ACTIVE' ? item : withGrants(item, due, atMs);
  });
  return { items: granted, grants };
}

/** Lays out what lives after a change; whatever begins by it has its first grant at once. */
function rearrange(parts: readonly Part[], ended: readonly PackageItem[], atMs: number): Timeline {
  const { items, stretches } = layOut(parts, atMs);
  const { items: granted, grants } = withDueGrants(items, atMs);
  return { items: [...granted, ...ended], stretches, grants };
}

/** What an order bought and what it cost. */
export interface Bought extends Offered {
  itemId: string;
  orderId: string;
  payableFen: bigint;
  creditFen: bigint;
}

/**
 * Begins a bought package among those up to date. The one whose credit the order reserved ends for it; what it brought ahead is carried
 * over. Its value is the cash paid and the credit, as far as the time that was credited is still left: an order that is paid late brings no more.
 */
export function beginBought(parts: readonly Part[], bought: Bought, atMs: number): Timeline {
  const promisedMicro = bought.monthlyMicro * BigInt(bought.months);
  const credited = parts.find(({ item }) => item.creditOrderId === bought.orderId);
  const others = parts.filter((part) => part !== credited);
  const worthFen = credited ? creditOf(credited, { atMs, countedToMs: atMs, promisedMicro }) : 0n;
  const creditFen = lesser(worthFen, bought.creditFen);
  const carriedMicro = credited ? carriedOver(credited, promisedMicro) : 0n;
  const part = boughtItem({ ...bought, valueFen: bought.payableFen + creditFen, carriedMicro }, others, atMs);
  const ended = credited ? [{ ...endItem(credited, 'UPGRADED', atMs), creditedFen: creditFen }] : [];
  return rearrange([...others, part], ended, atMs);
}

/** Lays a gift out among packages that are up to date. */
export function beginGift(parts: readonly Part[], gift: Part, atMs: number): Timeline {
  return rearrange([...parts, gift], [], atMs);
}

/** Ends a package for its refund; what waited moves up. Throws `RangeError` for one that does not live. */
export function endRefunded(parts: readonly Part[], itemId: string, atMs: number): Timeline {
  const refunded = parts.find(({ item }) => item.itemId === itemId);
  if (!refunded) throw new RangeError(`package ${itemId} does not live`);
  return rearrange(
    parts.filter((part) => part !== refunded),
    [endItem(refunded, 'REFUNDED', atMs)],
    atMs,
  );
}

/** Brings a package back whose refund was refused, with all the time it had left. */
export function restoreRefunded(parts: readonly Part[], refunded: PackageItem, atMs: number): Timeline {
  return rearrange([...parts, partOfEnded(refunded)], [], atMs);
}
