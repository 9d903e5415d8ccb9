import { v7 as uuidv7 } from 'uuid';
import type { Catalogue } from '../../catalog/catalogue';
import { type Db, readNow, type Tx } from '../../db/client';
import type { StoredOffer } from '../../db/schemaCommerce';
import type { Grant } from '../ledger/ledger.service';
import { type PackageItem, type Part, partsOf } from './layout.rules';
import {
  findGift,
  type ItemDetail,
  type ItemRow,
  insertItem,
  selectItemOfOrder,
  selectLiveItems,
  selectPeriodsAlone,
  updateItems,
  writePeriods,
} from './membership.repository';
import { ceilingsOf } from './membership.rules';
import { giftItem, type Offered } from './packageOrder.rules';
import {
  beginBought,
  beginGift,
  bringUpToDate,
  endRefunded,
  type ItemGrant,
  restoreRefunded,
  type Timeline,
} from './timeline.rules';

const DAY_MS = 86_400_000;

/** A package as an order keeps it. */
export type OrderedPackage = Omit<NonNullable<StoredOffer['package']>, 'creditItemId'>;

export interface ChangeDeps {
  ledger: {
    lockWallet(tx: Tx, memberId: string): Promise<unknown>;
    /** Settles open usage and posts once for a key. */
    grantDcu(tx: Tx, grant: Grant): Promise<unknown>;
  };
  catalogue: Pick<Catalogue, 'findPackage' | 'sale'>;
}

/** What an order of a package brings when it is fulfilled. */
export interface PackageFulfilment {
  orderId: string;
  memberId: string;
  package: OrderedPackage;
  payableFen: bigint;
  upgradeCreditFen: bigint;
}

export interface Gift {
  memberId: string;
  packageId: string;
  days: number;
  /** Never used twice. */
  giftKey: string;
}

/** A package that is written for the first time. */
interface Fresh {
  part: Part;
  detail: ItemDetail;
}

export function offeredOf(offer: OrderedPackage): Offered {
  const { packageId, levelFlag, months, ceilings, monthlyMicro } = offer;
  return { packageId, levelFlag, months, cpuCores: ceilings.cpuCores, monthlyMicro: BigInt(monthlyMicro) };
}

/** Begins what an order bought, once: a second time the database refuses. The first month's DCU come at once if it runs now. */
export async function begin(deps: ChangeDeps, tx: Tx, order: PackageFulfilment): Promise<{ itemId: string }> {
  const itemId = uuidv7();
  const { orderId, payableFen, package: offer } = order;
  const name = deps.catalogue.findPackage(offer.packageId)?.name ?? deps.catalogue.sale.custom.name;
  const detail = { orderId, giftKey: null, name, ceilings: offer.ceilings };
  const bought = { ...offeredOf(offer), itemId, orderId, payableFen, creditFen: order.upgradeCreditFen };
  await change(deps, tx, { memberId: order.memberId, fresh: { itemId, detail } }, (parts, atMs) =>
    beginBought(parts, bought, atMs),
  );
  return { itemId };
}

/** Lays days of a package out among what the member has. Throws `RangeError` for a package the catalogue never had. */
export async function give(deps: ChangeDeps, tx: Tx, { memberId, packageId, days, giftKey }: Gift): Promise<'given' | 'already'> {
  const entry = deps.catalogue.findPackage(packageId);
  if (!entry) throw new RangeError(`the catalogue has no package ${packageId}`);
  await deps.ledger.lockWallet(tx, memberId);
  if (await findGift(tx, giftKey)) return 'already';
  const itemId = uuidv7();
  const { levelFlag, name } = entry;
  const ceilings = ceilingsOf(levelFlag, null);
  const gift = { itemId, packageId, levelFlag, cpuCores: ceilings.cpuCores, totalMs: days * DAY_MS };
  const fresh = { itemId, detail: { orderId: null, giftKey, name, ceilings } };
  await change(deps, tx, { memberId, fresh }, (parts, atMs) => beginGift(parts, giftItem(gift, atMs), atMs));
  return 'given';
}

/** Ends the order's package; what waited moves up. Throws where `planRefund` under the same lock says why not. */
export async function endForRefund(deps: ChangeDeps, tx: Tx, orderId: string): Promise<void> {
  const { memberId, itemId, creditOrderId } = await requireItem(tx, orderId);
  if (creditOrderId !== null) throw new Error(`order ${creditOrderId} counts on package ${itemId}`);
  await change(deps, tx, { memberId, refundedId: itemId }, (parts, atMs) => endRefunded(parts, itemId, atMs));
}

/** The provider refused the refund at last: the package comes back with all the time it had left. */
export async function restoreAfterRefund(deps: ChangeDeps, tx: Tx, orderId: string): Promise<void> {
  const item = await requireItem(tx, orderId);
  if (item.state !== 'REFUNDED') throw new Error(`package ${item.itemId} was not refunded`);
  await change(deps, tx, { memberId: item.memberId, restored: item }, (parts, atMs) => restoreRefunded(parts, item, atMs));
}

async function requireItem(tx: Tx, orderId: string): Promise<ItemRow> {
  const item = await selectItemOfOrder(tx, orderId);
  if (!item) throw new Error(`order ${orderId} bought no package`);
  return item;
}

/** Does what passing time did to members whose wallets are locked: ends, begins and grants. How many grants. */
export async function advanceMembers(deps: ChangeDeps, tx: Tx, memberIds: readonly string[]): Promise<number> {
  if (memberIds.length === 0) return 0;
  const atMs = (await readNow(tx)).getTime();
  const rows = await selectLiveItems(tx, memberIds);
  const timelines = memberIds.map((memberId) =>
    bringUpToDate(
      rows.filter((row) => row.memberId === memberId),
      atMs,
    ),
  );
  await updateItems(
    tx,
    changedOf(
      rows,
      timelines.flatMap((timeline) => timeline.items),
    ),
  );
  const owners = new Map(rows.map((row) => [row.itemId, row]));
  const grants = timelines.flatMap((timeline) => timeline.grants);
  await grantAll(deps, tx, owners, grants);
  return grants.length;
}

interface Subject {
  memberId: string;
  fresh?: { itemId: string; detail: ItemDetail };
  refundedId?: string;
  restored?: ItemRow;
}

/** Every change of what a member has: what time did, the change, the layout written down, and the grants that follow. */
async function change(
  deps: ChangeDeps,
  tx: Tx,
  { memberId, fresh, refundedId, restored }: Subject,
  work: (parts: readonly Part[], atMs: number) => Timeline,
): Promise<void> {
  await deps.ledger.lockWallet(tx, memberId);
  const at = await readNow(tx);
  const atMs = at.getTime();
  const rows = await selectLiveItems(tx, [memberId]);
  const passed = bringUpToDate(rows, atMs, refundedId);
  const adopted = await adoptable(deps, tx, memberId, at);
  const timeline = work([...partsOf(passed.items, atMs), ...adopted.map(({ part }) => part)], atMs);
  const details = new Map(adopted.map(({ part, detail }) => [part.item.itemId, detail]));
  if (fresh) details.set(fresh.itemId, fresh.detail);
  const latest = new Map([...passed.items, ...timeline.items].map((item) => [item.itemId, item]));
  await updateItems(
    tx,
    changedOf(
      rows,
      [...latest.values()].filter((item) => !details.has(item.itemId)),
    ),
  );
  for (const [itemId, detail] of details) {
    const item = latest.get(itemId);
    if (item) await insertItem(tx, memberId, item, detail);
  }
  await writePeriods(tx, memberId, at, timeline.stretches);
  // One that comes back did not live when the rows were read.
  const owners = new Map<string, Owner>([...rows, ...(restored ? [restored] : [])].map((row) => [row.itemId, row]));
  for (const [itemId, { orderId }] of details) owners.set(itemId, { memberId, orderId });
  await grantAll(deps, tx, owners, [...passed.grants, ...timeline.grants]);
}

function changedOf(rows: readonly PackageItem[], items: readonly PackageItem[]): PackageItem[] {
  return items.filter((item) => !rows.includes(item));
}

/** Periods from before packages were sold, as gifts of what is left of them: so they too are laid out, paused and kept. */
export async function adoptable(
  deps: Pick<ChangeDeps, 'catalogue'>,
  reader: Db | Tx,
  memberId: string,
  at: Date,
): Promise<Fresh[]> {
  const atMs = at.getTime();
  return (await selectPeriodsAlone(reader, memberId, at)).map((period): Fresh => {
    const { levelFlag, packageName } = period;
    const entry = deps.catalogue.sale.packages.find((one) => one.levelFlag === levelFlag);
    const ceilings = ceilingsOf(levelFlag, period.ceilings);
    const totalMs = period.endsAt.getTime() - Math.max(period.startsAt.getTime(), atMs);
    const rank = { packageId: entry?.packageId ?? `level-${levelFlag}`, levelFlag, cpuCores: ceilings.cpuCores };
    const { item, leftMs } = giftItem({ ...rank, itemId: uuidv7(), totalMs }, atMs);
    const state = period.startsAt <= at ? 'ACTIVE' : 'QUEUED';
    const isOfCatalogue = entry?.name['en-US'] === packageName;
    const name = period.name ?? (isOfCatalogue ? entry.name : { 'en-US': packageName, 'zh-CN': packageName });
    // Older than whatever is bought at this instant.
    const createdAtMs = Math.min(period.startsAt.getTime(), atMs - 1);
    const detail = { orderId: null, giftKey: `period:${period.id}`, name, ceilings };
    return { part: { item: { ...item, state, createdAtMs }, leftMs }, detail };
  });
}

type Owner = Pick<ItemRow, 'memberId' | 'orderId'>;

/** A grant wholly swallowed by what was carried over is made without a lot. */
async function grantAll(deps: ChangeDeps, tx: Tx, owners: ReadonlyMap<string, Owner>, grants: readonly ItemGrant[]): Promise<void> {
  for (const { itemId, nth, micro, expiresAtMs } of grants) {
    const owner = owners.get(itemId);
    if (micro === 0n) continue;
    if (!owner) throw new Error(`package ${itemId} has a grant and no owner`);
    await deps.ledger.grantDcu(tx, {
      memberId: owner.memberId,
      micro,
      kind: 'grant',
      source: 'membership',
      expiresAt: new Date(expiresAtMs),
      idemKey: `grant:${itemId}:${nth}`,
      refType: 'package',
      refId: itemId,
      ...(owner.orderId === null ? {} : { orderId: owner.orderId }),
    });
  }
}
