import type { ItemState } from '../../contract/membership';
import { nextGrantAtMs } from './grantSchedule.rules';

/** A package a member bought or was given. Instants are milliseconds since the epoch. */
export interface PackageItem {
  itemId: string;
  source: 'ORDER' | 'GIFT';
  packageId: string;
  levelFlag: number;
  cpuCores: number;
  valueFen: bigint;
  /** Begin and end move together while it waits; their distance is `totalMs` for ever. The monthly grants hang on the begin. */
  startsAtMs: number;
  endsAtMs: number;
  totalMs: number;
  months: number | null;
  monthlyMicro: bigint;
  carriedMicro: bigint;
  grantedMicro: bigint;
  grantsMade: number;
  nextGrantAtMs: number | null;
  state: ItemState;
  endedAtMs: number | null;
  creditOrderId: string | null;
  creditedFen: bigint;
  createdAtMs: number;
}

/** A live package and how much of its time is left. */
export interface Part {
  item: PackageItem;
  leftMs: number;
}

/** One stretch of the future that belongs to one package. */
export interface Stretch {
  itemId: string;
  fromMs: number;
  toMs: number;
}

type Ranked = Pick<PackageItem, 'levelFlag' | 'cpuCores'>;

/** Below zero where `a` permits more than `b`. */
export function byRank(a: Ranked, b: Ranked): number {
  return b.levelFlag - a.levelFlag || b.cpuCores - a.cpuCores;
}

export function isLive(item: Pick<PackageItem, 'state'>): boolean {
  return item.state === 'ACTIVE' || item.state === 'QUEUED' || item.state === 'PAUSED';
}

/**
 * What passing time made of a layout: those whose stretch is over ended with it, the next one runs. The layout itself does not change
 * by time, so it does not matter when, or how often, anybody looks.
 */
export function advance(items: readonly PackageItem[], atMs: number): PackageItem[] {
  let isFirst = true;
  return chainOf(items).map((item): PackageItem => {
    if (item.endsAtMs <= atMs) return { ...item, state: 'ENDED', endedAtMs: item.endsAtMs };
    if (!isFirst) return item;
    isFirst = false;
    return { ...item, state: 'ACTIVE' };
  });
}

/** The live packages of an advanced layout and the time each has left: its stretch, or what of it is to come. */
export function partsOf(items: readonly PackageItem[], atMs: number): Part[] {
  let fromMs = atMs;
  return chainOf(items).map((item) => {
    const leftMs = item.endsAtMs - fromMs;
    fromMs = item.endsAtMs;
    return { item, leftMs };
  });
}

/** Live packages in the order in which they run: a layout has no gaps. */
function chainOf(items: readonly PackageItem[]): PackageItem[] {
  return items.filter(isLive).sort((a, b) => a.endsAtMs - b.endsAtMs);
}

/**
 * The one rule of what runs when: contiguously from now, highest rank first, then the oldest. The first is ACTIVE, those that had begun
 * and were displaced are PAUSED, the others QUEUED. Renewing appends, a downgrade queues and a higher gift pauses by it alone. Time
 * is moved, never made: each keeps exactly what it had left.
 */
export function layOut(parts: readonly Part[], atMs: number): { items: PackageItem[]; stretches: Stretch[] } {
  let fromMs = atMs;
  const stretches: Stretch[] = [];
  const items = inLayoutOrder(parts).map(({ item, leftMs }, index): PackageItem => {
    const endsAtMs = fromMs + leftMs;
    const state = index === 0 ? 'ACTIVE' : item.state === 'QUEUED' ? 'QUEUED' : 'PAUSED';
    const moved: PackageItem = { ...item, state, endedAtMs: null, endsAtMs, startsAtMs: endsAtMs - item.totalMs };
    stretches.push({ itemId: item.itemId, fromMs, toMs: endsAtMs });
    const laidOut = { ...moved, nextGrantAtMs: nextGrantAtMs(moved, fromMs) };
    fromMs = endsAtMs;
    return laidOut;
  });
  return { items, stretches };
}

function inLayoutOrder(parts: readonly Part[]): Part[] {
  return [...parts].sort(
    (a, b) => byRank(a.item, b.item) || a.item.createdAtMs - b.item.createdAtMs || (a.item.itemId < b.item.itemId ? -1 : 1),
  );
}

/** When a new package of this rank would begin: after all that permit as much or more. */
export function beginOf(parts: readonly Part[], rank: Ranked, atMs: number): number {
  const ahead = parts.filter(({ item }) => byRank(item, rank) <= 0);
  return ahead.reduce((sum, part) => sum + part.leftMs, atMs);
}

/**
 * A package taken out of the layout at an instant, in the form in which it can come back: what was left of it is what lies between its
 * end and the instant it was ended.
 */
export function endItem({ item, leftMs }: Part, state: 'UPGRADED' | 'REFUNDED', atMs: number): PackageItem {
  const endsAtMs = atMs + leftMs;
  return { ...item, state, endedAtMs: atMs, endsAtMs, startsAtMs: endsAtMs - item.totalMs, nextGrantAtMs: null };
}

/** The part that an ended package was; throws for one that still runs. */
export function partOfEnded(item: PackageItem): Part {
  if (item.endedAtMs === null) throw new RangeError(`package ${item.itemId} has not ended`);
  const hasBegun = item.startsAtMs < item.endedAtMs || item.grantsMade > 0;
  return { item: { ...item, state: hasBegun ? 'PAUSED' : 'QUEUED', endedAtMs: null }, leftMs: item.endsAtMs - item.endedAtMs };
}
