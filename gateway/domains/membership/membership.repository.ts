import { sql } from 'kysely';
import type { Db, Tx } from '../../db/client';
import type { StoredCeilings, StoredWords } from '../../db/schemaCommerce';
import type { PackageItem, Stretch } from './layout.rules';

/** What of a package does not take part in any rule. */
export interface ItemDetail {
  orderId: string | null;
  giftKey: string | null;
  name: StoredWords;
  ceilings: StoredCeilings;
}

export interface ItemRow extends PackageItem {
  memberId: string;
  orderId: string | null;
}

export interface PeriodRow {
  id: string;
  packageName: string;
  levelFlag: number;
  startsAt: Date;
  endsAt: Date;
  name: StoredWords | null;
  ceilings: StoredCeilings | null;
}

/** Periods not over yet, by start, each with the instant they were read at: one question a request. */
export function selectPeriods(reader: Db | Tx, memberId: string): Promise<(PeriodRow & { now: Date })[]> {
  return reader
    .selectFrom('membershipPeriod')
    .select(['id', 'packageName', 'levelFlag', 'startsAt', 'endsAt', 'name', 'ceilings', sql<Date>`app_now()`.as('now')])
    .where('memberId', '=', memberId)
    .where('endsAt', '>', sql<Date>`app_now()`)
    .orderBy('startsAt')
    .execute();
}

/** Periods to come, or in force, that no package stands for: those of before packages were sold. */
export function selectPeriodsAlone(reader: Db | Tx, memberId: string, at: Date): Promise<PeriodRow[]> {
  return reader
    .selectFrom('membershipPeriod')
    .select(['id', 'packageName', 'levelFlag', 'startsAt', 'endsAt', 'name', 'ceilings'])
    .where('memberId', '=', memberId)
    .where('itemId', 'is', null)
    .where('levelFlag', '>', 0)
    .where('endsAt', '>', at)
    .orderBy('startsAt')
    .execute();
}

/** The live packages of members, those of one member in the order in which they run. */
export async function selectLiveItems(reader: Db | Tx, memberIds: readonly string[]): Promise<ItemRow[]> {
  const rows = await itemRows(reader)
    .where('memberId', 'in', memberIds)
    .where('state', 'in', ['ACTIVE', 'QUEUED', 'PAUSED'])
    .orderBy('memberId')
    .orderBy('endsAt')
    .execute();
  return rows.map(toItem);
}

export async function selectItemOfOrder(reader: Db | Tx, orderId: string): Promise<ItemRow | undefined> {
  const row = await itemRows(reader).where('orderId', '=', orderId).executeTakeFirst();
  return row && toItem(row);
}

export async function findGift(tx: Tx, giftKey: string): Promise<boolean> {
  const row = await tx.selectFrom('purchasedPackageItem').select('id').where('giftKey', '=', giftKey).executeTakeFirst();
  return row !== undefined;
}

function itemRows(reader: Db | Tx) {
  return reader
    .selectFrom('purchasedPackageItem')
    .select((eb) => [
      ...(['id', 'memberId', 'source', 'orderId', 'packageId', 'levelFlag', 'valueFen', 'startsAt', 'endsAt', 'totalMs'] as const),
      ...(['months', 'monthlyMicro', 'carriedMicro', 'grantedMicro', 'grantsMade', 'nextGrantAt', 'state', 'endedAt'] as const),
      ...(['creditOrderId', 'creditedFen', 'createdAt'] as const),
      sql<number>`(${eb.ref('ceilings')}->>'cpuCores')::float8`.as('cpuCores'),
    ]);
}

type SelectedItem = Awaited<ReturnType<ReturnType<typeof itemRows>['execute']>>[number];

function toItem({ id, startsAt, endsAt, totalMs, nextGrantAt, endedAt, createdAt, ...row }: SelectedItem): ItemRow {
  return {
    ...row,
    itemId: id,
    startsAtMs: startsAt.getTime(),
    endsAtMs: endsAt.getTime(),
    totalMs: Number(totalMs),
    nextGrantAtMs: nextGrantAt?.getTime() ?? null,
    endedAtMs: endedAt?.getTime() ?? null,
    createdAtMs: createdAt.getTime(),
  };
}

export async function insertItem(tx: Tx, memberId: string, item: PackageItem, detail: ItemDetail): Promise<void> {
  await tx
    .insertInto('purchasedPackageItem')
    .values({
      id: item.itemId,
      memberId,
      source: item.source,
      orderId: detail.orderId,
      giftKey: detail.giftKey,
      packageId: item.packageId,
      name: JSON.stringify(detail.name),
      levelFlag: item.levelFlag,
      ceilings: JSON.stringify(detail.ceilings),
      valueFen: item.valueFen,
      startsAt: new Date(item.startsAtMs),
      endsAt: new Date(item.endsAtMs),
      totalMs: BigInt(item.totalMs),
      anchorAt: new Date(item.startsAtMs),
      months: item.months,
      monthlyMicro: item.monthlyMicro,
      carriedMicro: item.carriedMicro,
      grantedMicro: item.grantedMicro,
      grantsMade: item.grantsMade,
      nextGrantAt: dateOrNull(item.nextGrantAtMs),
      state: item.state,
      endedAt: null,
      creditOrderId: null,
      createdAt: new Date(item.createdAtMs),
    })
    .execute();
}

/** Writes what moves of packages. One a member runs at a time, whatever comes: those that stop to run are written first. */
export async function updateItems(tx: Tx, items: readonly PackageItem[]): Promise<void> {
  for (const isActive of [false, true]) {
    const some = items.filter((item) => (item.state === 'ACTIVE') === isActive);
    if (some.length === 0) continue;
    const column = <T>(pick: (item: PackageItem) => T) => some.map(pick);
    await sql`
      update purchased_package_item i set state = v.state, starts_at = v.starts_at, anchor_at = v.starts_at, ends_at = v.ends_at,
        granted_micro = v.granted_micro, grants_made = v.grants_made, next_grant_at = v.next_grant_at, ended_at = v.ended_at,
        credited_fen = v.credited_fen
      from unnest(
        ${column((item) => item.itemId)}::uuid[], ${column((item) => item.state)}::text[],
        ${column((item) => new Date(item.startsAtMs))}::timestamptz[], ${column((item) => new Date(item.endsAtMs))}::timestamptz[],
        ${column((item) => item.grantedMicro)}::bigint[], ${column((item) => item.grantsMade)}::smallint[],
        ${column((item) => dateOrNull(item.nextGrantAtMs))}::timestamptz[], ${column((item) => dateOrNull(item.endedAtMs))}::timestamptz[],
        ${column((item) => item.creditedFen)}::bigint[]
      ) v (id, state, starts_at, ends_at, granted_micro, grants_made, next_grant_at, ended_at, credited_fen)
      where i.id = v.id`.execute(tx);
  }
}

function dateOrNull(atMs: number | null): Date | null {
  return atMs === null ? null : new Date(atMs);
}

/** Writes a layout down as periods: what is past stays, the period in force goes on or is cut, what was to come is written anew. */
export async function writePeriods(tx: Tx, memberId: string, at: Date, stretches: readonly Stretch[]): Promise<void> {
  await tx.deleteFrom('membershipPeriod').where('memberId', '=', memberId).where('startsAt', '>=', at).execute();
  const first = stretches[0];
  const current = await tx
    .updateTable('membershipPeriod')
    .set({
      endsAt: sql<Date>`case when item_id = ${first?.itemId ?? null}::uuid then ${new Date(first?.toMs ?? 0)}::timestamptz else ${at}::timestamptz end`,
    })
    .where('memberId', '=', memberId)
    .where('endsAt', '>', at)
    .returning('itemId')
    .executeTakeFirst();
  const isGoingOn = first !== undefined && current?.itemId === first.itemId;
  const fresh = isGoingOn ? stretches.slice(1) : stretches;
  if (fresh.length === 0) return;
  await sql`
    insert into membership_period (id, member_id, package_name, level_flag, starts_at, ends_at, item_id, name, ceilings)
    select gen_random_uuid(), i.member_id, i.name->>'en-US', i.level_flag, v.starts_at, v.ends_at, i.id, i.name, i.ceilings
    from unnest(
      ${fresh.map((one) => one.itemId)}::uuid[], ${fresh.map((one) => new Date(one.fromMs))}::timestamptz[],
      ${fresh.map((one) => new Date(one.toMs))}::timestamptz[]
    ) v (item_id, starts_at, ends_at)
    join purchased_package_item i on i.id = v.item_id and i.member_id = ${memberId}`.execute(tx);
}

/** Sets a running package aside for an order that counts on its credit; false where another does, or it does not run. */
export async function reserveCredit(tx: Tx, ask: { memberId: string; itemId: string; orderId: string }): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('purchasedPackageItem')
    .set({ creditOrderId: ask.orderId })
    .where('id', '=', ask.itemId)
    .where('memberId', '=', ask.memberId)
    .where('state', '=', 'ACTIVE')
    .where('source', '=', 'ORDER')
    .where('creditOrderId', 'is', null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

export async function releaseCredit(tx: Tx, orderId: string): Promise<void> {
  await tx
    .updateTable('purchasedPackageItem')
    .set({ creditOrderId: null })
    .where('creditOrderId', '=', orderId)
    .where('state', '<>', 'UPGRADED')
    .execute();
}

/** Members of whose packages one ended, or has a grant due, by id. */
export async function selectDueMembers(reader: Db | Tx, at: Date, limit: number): Promise<string[]> {
  const { rows } = await sql<{ memberId: string }>`
    select member_id from (
      (select member_id from purchased_package_item where next_grant_at <= ${at} order by next_grant_at limit ${limit})
      union
      (select member_id from purchased_package_item where state = 'ACTIVE' and ends_at <= ${at} order by ends_at limit ${limit})
    ) due order by member_id limit ${limit}`.execute(reader);
  return rows.map((row) => row.memberId);
}

/** Lots with a remainder that an order brought, `isOwn`, and those orders whose packages it replaced against credit, in burn order. */
export async function selectLotsOfChain(
  reader: Db | Tx,
  orderId: string,
  at: Date,
): Promise<{ lotId: bigint; remaining: bigint; isOwn: boolean }[]> {
  const { rows } = await sql<{ lotId: bigint; remaining: bigint; isOwn: boolean }>`
    with recursive chain (order_id) as (
      select ${orderId}::uuid
      union
      select i.order_id from purchased_package_item i join chain c on i.credit_order_id = c.order_id where i.state = 'UPGRADED')
    select l.id as lot_id, l.remaining, l.order_id = ${orderId}::uuid as is_own from dcu_lot l join chain c on c.order_id = l.order_id
    where l.remaining > 0 and (l.expires_at is null or l.expires_at > ${at})
    order by l.expires_at nulls last, l.granted_at, l.id`.execute(reader);
  return rows;
}
