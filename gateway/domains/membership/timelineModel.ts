import { lesser } from '../../bigints';
import { creditInstants } from '../order/order.rules';
import type { DueGrant } from './grantSchedule.rules';
import { isLive, type PackageItem, type Part, partsOf, type Stretch } from './layout.rules';
import { giftItem, type Offered, planOrder } from './packageOrder.rules';
import { refundValueOf } from './packageValue.rules';
import { beginBought, beginGift, bringUpToDate, endRefunded, restoreRefunded, type Timeline } from './timeline.rules';

interface Pending {
  orderId: string;
  offer: Offered;
  payableFen: bigint;
  creditFen: bigint;
  payUntilMs: number;
}

interface Refund {
  itemId: string;
  cashFen: bigint;
  withdrawnMicro: bigint;
}

const PAY_MS = 30 * 60_000;

/** One member's packages and money in memory, driven by the rules alone; tests play random histories on it. */
export class TimelineModel {
  items = new Map<string, PackageItem>();
  /** What stood in force when, as it was written down; the part that is past never changes. */
  periods: Stretch[] = [];
  pending: Pending[] = [];
  refunds: Refund[] = [];
  payables = new Map<string, bigint>();
  grants = new Map<string, DueGrant[]>();
  paidFen = 0n;
  /** DCU that were taken by refunds and came back. */
  returnedMicro = 0n;
  private readonly itemOfOrder = new Map<string, string>();
  private made = 0;

  constructor(public atMs: number) {}

  private live(): PackageItem[] {
    return [...this.items.values()].filter(isLive);
  }

  private named(kind: string): string {
    this.made += 1;
    return `${String(this.made).padStart(4, '0')}-${kind}`;
  }

  private keep({ items, grants }: Omit<Timeline, 'stretches'>): void {
    for (const item of items) this.items.set(item.itemId, item);
    for (const { itemId, ...grant } of grants) this.grants.set(itemId, [...(this.grants.get(itemId) ?? []), grant]);
  }

  private change(work: (parts: Part[]) => Timeline): void {
    this.look();
    const timeline = work(partsOf(this.live(), this.atMs));
    this.keep(timeline);
    const past = this.periods.filter((one) => one.fromMs < this.atMs);
    this.periods = [...past.map((one) => ({ ...one, toMs: Math.min(one.toMs, this.atMs) })), ...timeline.stretches];
  }

  pass(ms: number): void {
    this.atMs += ms;
  }

  /** What the loop does, whenever it comes. */
  look(): void {
    this.keep(bringUpToDate(this.live(), this.atMs));
  }

  place(offer: Offered, priceFen: bigint): void {
    this.look();
    const payUntilMs = this.atMs + PAY_MS;
    const countedToMs = creditInstants(new Date(this.atMs))[0].getTime();
    const plan = planOrder(partsOf(this.live(), this.atMs), offer, { atMs: this.atMs, countedToMs });
    const creditFen = lesser(plan.creditFen, priceFen);
    const orderId = this.named('order');
    const credited = plan.creditItemId === null ? undefined : this.items.get(plan.creditItemId);
    if (credited) this.items.set(credited.itemId, { ...credited, creditOrderId: orderId });
    this.pending.push({ orderId, offer, payableFen: priceFen - creditFen, creditFen, payUntilMs });
  }

  /** The package it began; undefined where nothing was to be paid. */
  pay(which: number): string | undefined {
    const order = this.pending.splice(which % Math.max(this.pending.length, 1), 1)[0];
    if (!order) return undefined;
    const itemId = this.named('item');
    this.paidFen += order.payableFen;
    this.itemOfOrder.set(order.orderId, itemId);
    this.payables.set(itemId, order.payableFen);
    this.change((parts) => beginBought(parts, { ...order, ...order.offer, itemId }, this.atMs));
    return itemId;
  }

  cancel(which: number): void {
    const order = this.pending.splice(which % Math.max(this.pending.length, 1), 1)[0];
    for (const item of this.items.values())
      if (order && item.creditOrderId === order.orderId) this.items.set(item.itemId, { ...item, creditOrderId: null });
  }

  gift(rank: { packageId: string; levelFlag: number; cpuCores: number }, days: number): string {
    const gift = giftItem({ ...rank, itemId: this.named('gift'), totalMs: days * 86_400_000 }, this.atMs);
    this.change((parts) => beginGift(parts, gift, this.atMs));
    return gift.item.itemId;
  }

  /** One of the packages that could be refunded now. */
  refundable(which: number): Part | undefined {
    this.look();
    const parts = partsOf(this.live(), this.atMs).filter(({ item }) => item.source === 'ORDER' && item.creditOrderId === null);
    return parts[which % Math.max(parts.length, 1)];
  }

  /** Ends it after so many of its DCU were taken back. */
  refund(part: Part, withdrawnMicro: bigint): void {
    const { itemId } = part.item;
    const payableFen = this.payables.get(itemId) ?? 0n;
    this.refunds.push({ itemId, withdrawnMicro, cashFen: lesser(refundValueOf(part, withdrawnMicro), payableFen) });
    this.change((parts) => endRefunded(parts, itemId, this.atMs));
  }

  /** The provider refuses the last refund: everything comes back. */
  refuse(): string | undefined {
    const refund = this.refunds.pop();
    const item = refund && this.items.get(refund.itemId);
    if (item) this.change((parts) => restoreRefunded(parts, item, this.atMs));
    this.returnedMicro += refund?.withdrawnMicro ?? 0n;
    return item?.itemId;
  }

  /** Milliseconds a package was in force up to now. */
  livedMs(itemId: string): number {
    const own = this.periods.filter((one) => one.itemId === itemId && one.fromMs < this.atMs);
    return own.reduce((sum, one) => sum + Math.min(one.toMs, this.atMs) - one.fromMs, 0);
  }

  /** Cash that stays with us for a package, and the DCU that stay with the member for it. */
  retained(item: PackageItem): { fen: bigint; micro: bigint } {
    const refund = this.refunds.find((one) => one.itemId === item.itemId);
    const nextId = item.state === 'UPGRADED' && item.creditOrderId ? this.itemOfOrder.get(item.creditOrderId) : undefined;
    const carriedMicro = (nextId && this.items.get(nextId)?.carriedMicro) || 0n;
    return {
      fen: item.valueFen - item.creditedFen - (refund?.cashFen ?? 0n),
      micro: item.grantedMicro + item.carriedMicro - (refund?.withdrawnMicro ?? 0n) - carriedMicro,
    };
  }
}
