import { greater, lesser } from '../../bigints';
import { creditInstants } from '../order/order.rules';
import { refundInstants } from '../payment/refund.rules';
import { broughtAheadMicro } from './grantSchedule.rules';
import { isLive, partsOf } from './layout.rules';
import type { Offered } from './packageOrder.rules';
import { bringUpToDate } from './timeline.rules';
import { TimelineModel } from './timelineModel';

interface ModelLot {
  itemId: string;
  remaining: bigint;
  expiresAtMs: number;
}

/** What a member bought, as plain figures; they are never asked of the rules again. */
interface Bought {
  fen: bigint;
  micro: bigint;
  totalMs: number;
  rank: number;
  leftMs: number;
  livedMs: number;
  /** Cash that came for it and cash that went back. */
  inFen: bigint;
  outFen: bigint;
  /** The package whose rest it was credited. */
  replaced: string | null;
  isOver: boolean;
  burntMicro: bigint;
  /** Lived of it after the time to which an order counted its credit, which was paid later than that: its price holds as long as nobody closes it. */
  lateMs: number;
}

interface Price {
  fen: bigint;
  payableFen: bigint;
  offer: Offered;
  countedToMs: number;
  /** The package whose rest was credited, and what was lived of it by then, once that is past. */
  credited: string | null;
  livedMs: number | null;
}

/** One member who buys packages, uses what they bring, upgrades, waits and gives back: the rules, and beside them books of plain arithmetic. */
export class PackageModel {
  readonly timeline: TimelineModel;
  readonly bought = new Map<string, Bought>();
  private lots: ModelLot[] = [];
  private readonly lotsOf = new Map<string, number>();
  private readonly prices: Price[] = [];
  private readonly taken: { itemId: string; lots: ModelLot[]; atMs: number; fen: bigint }[] = [];

  constructor(atMs: number) {
    this.timeline = new TimelineModel(atMs);
  }

  place(offer: Offered, fen: bigint): void {
    const countedToMs = creditInstants(new Date(this.timeline.atMs))[0].getTime();
    this.timeline.place(offer, fen);
    const placed = this.timeline.pending.at(-1);
    const credited = [...this.timeline.items.values()].find((item) => placed && item.creditOrderId === placed.orderId);
    const price = { fen, payableFen: placed?.payableFen ?? 0n, offer, countedToMs };
    this.prices.push({ ...price, credited: credited?.itemId ?? null, livedMs: null });
    this.look();
  }

  pay(which: number): void {
    const { timeline } = this;
    const price = this.prices.splice(which % Math.max(this.prices.length, 1), 1)[0];
    const itemId = timeline.pay(which);
    if (!price || itemId === undefined) return;
    const credited = this.bought.get(price.credited ?? '');
    if (credited) {
      credited.isOver = true;
      credited.lateMs = credited.livedMs - (price.livedMs ?? credited.livedMs);
    }
    const { months, monthlyMicro } = price.offer;
    const totalMs = timeline.items.get(itemId)?.totalMs ?? 0;
    this.bought.set(itemId, {
      ...{ fen: price.fen, micro: monthlyMicro * BigInt(months), totalMs, leftMs: totalMs, livedMs: 0, rank: rankOf(price.offer) },
      ...{ inFen: price.payableFen, outFen: 0n, replaced: price.credited, isOver: false, burntMicro: 0n, lateMs: 0 },
    });
    this.look();
  }

  cancel(which: number): void {
    this.prices.splice(which % Math.max(this.prices.length, 1), 1);
    this.timeline.cancel(which);
  }

  gift(pack: { packageId: string; levelFlag: number; cpuCores: number }, days: number): void {
    const itemId = this.timeline.gift(pack, days);
    const leftMs = days * 86_400_000;
    const nothing = { fen: 0n, micro: 0n, inFen: 0n, outFen: 0n, replaced: null, isOver: false, burntMicro: 0n, livedMs: 0 };
    this.bought.set(itemId, { ...nothing, totalMs: leftMs, leftMs, rank: rankOf(pack), lateMs: 0 });
    this.look();
  }

  /** Labs burn so much of all that can be burnt, soonest ending first. */
  use(percent: bigint): void {
    const valid = this.lots
      .filter(({ expiresAtMs }) => expiresAtMs > this.timeline.atMs)
      .sort((a, b) => a.expiresAtMs - b.expiresAtMs);
    let due = (sum(valid.map(({ remaining }) => remaining)) * percent) / 100n;
    for (const lot of valid) {
      const micro = lesser(lot.remaining, due);
      const pack = this.bought.get(lot.itemId);
      if (pack) pack.burntMicro += micro;
      lot.remaining -= micro;
      due -= micro;
    }
  }

  /** The whole way of a refund: counted ahead, DCU taken, package ended. */
  refund(which: number): void {
    const { timeline } = this;
    const itemId = timeline.refundable(which)?.item.itemId;
    if (itemId === undefined) return;
    const countedToMs = refundInstants(new Date(timeline.atMs))[0].getTime();
    const { items } = bringUpToDate([...timeline.items.values()].filter(isLive), countedToMs, itemId);
    const part = partsOf(items, countedToMs).find(({ item }) => item.itemId === itemId);
    const pack = this.bought.get(itemId);
    if (!part || !pack) return;
    const chain = this.chainOf(itemId).filter((id) => id === itemId || timeline.items.get(id)?.state === 'UPGRADED');
    let due = broughtAheadMicro(part);
    const lots: ModelLot[] = [];
    for (const lot of this.lots.filter((one) => chain.includes(one.itemId) && one.expiresAtMs > countedToMs)) {
      const micro = lesser(lot.remaining, due);
      lots.push({ ...lot, remaining: micro });
      lot.remaining -= micro;
      due -= micro;
    }
    timeline.refund(part, sum(lots.map(({ remaining }) => remaining)));
    const fen = timeline.refunds.at(-1)?.cashFen ?? 0n;
    pack.outFen += fen;
    pack.isOver = true;
    this.taken.push({ itemId, lots, fen, atMs: timeline.atMs });
    this.look();
  }

  /** The provider refuses the last one: package and DCU come back with the time they had. */
  refuse(): void {
    const last = this.taken.pop();
    const pack = last && this.bought.get(last.itemId);
    if (!last || !pack) return;
    this.timeline.refuse();
    pack.outFen -= last.fen;
    pack.isOver = false;
    const waitedMs = this.timeline.atMs - last.atMs;
    this.lots.push(...last.lots.map((lot) => ({ ...lot, expiresAtMs: lot.expiresAtMs + waitedMs })));
    this.look();
  }

  /** Time goes on, and stops where a price is no longer never in the member's favour. */
  pass(ms: number): void {
    const toMs = this.timeline.atMs + ms;
    const isDue = ({ countedToMs, livedMs }: Price) => livedMs === null && countedToMs < toMs;
    for (const price of this.prices.filter(isDue).sort((a, b) => a.countedToMs - b.countedToMs)) {
      this.live(price.countedToMs - this.timeline.atMs);
      price.livedMs = this.bought.get(price.credited ?? '')?.livedMs ?? 0;
    }
    this.live(toMs - this.timeline.atMs);
  }

  /** Time is lived on the highest package, the oldest of equal ones first. */
  private live(ms: number): void {
    this.timeline.pass(ms);
    let due = ms;
    const running = [...this.bought.values()].filter(({ isOver }) => !isOver);
    for (const pack of running.sort((a, b) => b.rank - a.rank)) {
      const lived = Math.min(due, pack.leftMs);
      pack.leftMs -= lived;
      pack.livedMs += lived;
      due -= lived;
    }
    this.look();
  }

  /** What was granted becomes lots. */
  look(): void {
    this.timeline.look();
    for (const [itemId, grants] of this.timeline.grants) {
      for (const { micro, expiresAtMs } of grants.slice(this.lotsOf.get(itemId) ?? 0))
        this.lots.push({ itemId, remaining: micro, expiresAtMs });
      this.lotsOf.set(itemId, grants.length);
    }
  }

  /**
   * What no history may bring, by arithmetic alone: of every package and those it took the place of, the cash that stays is worth the
   * time lived and the DCU burnt beyond what that time brings, these at the lowest price any of them had.
   */
  breaches(): string[] {
    const replaced = new Set([...this.bought.values()].map((pack) => pack.replaced));
    const heads = [...this.bought.keys()].filter((itemId) => !replaced.has(itemId));
    return heads.flatMap((itemId) => {
      const chain = this.chainOf(itemId).flatMap((id) => this.bought.get(id) ?? []);
      const keptFen = sum(chain.map(({ inFen, outFen }) => inFen - outFen));
      const time = sum(
        chain.map(({ fen, livedMs, lateMs, totalMs }) => (fen * BigInt(livedMs - lateMs) * SCALE) / BigInt(totalMs)),
      );
      const lived = sum(chain.map(({ micro, livedMs, totalMs }) => (micro * BigInt(livedMs)) / BigInt(totalMs) + 1n));
      const ahead = greater(sum(chain.map(({ burntMicro }) => burntMicro)) - lived, 0n);
      const prices = chain.filter(({ micro }) => micro > 0n).map(({ fen, micro }) => (fen * ahead * SCALE) / micro);
      const dcu = prices.reduce((least, one) => lesser(least, one), prices[0] ?? 0n);
      const used = time + dcu;
      if (keptFen < 0n) return [`${itemId}: more went back than came`];
      return keptFen * SCALE < used ? [`${itemId}: ${keptFen} fen are kept for what is worth ${used / SCALE}`] : [];
    });
  }

  private chainOf(itemId: string): string[] {
    const replaced = this.bought.get(itemId)?.replaced ?? null;
    return replaced === null ? [itemId] : [itemId, ...this.chainOf(replaced)];
  }
}

/** Parts of a fen in which worth is reckoned. */
const SCALE = 1_000_000n;

function rankOf({ levelFlag, cpuCores }: { levelFlag: number; cpuCores: number }): number {
  return levelFlag * 10_000 + cpuCores;
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n);
}
