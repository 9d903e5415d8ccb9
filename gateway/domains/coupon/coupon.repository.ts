import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { couponTabs } from '../../contract/coupon';
import { type Db, planKept, type Tx } from '../../db/client';
import type { StoredCouponTerms } from '../../db/schemaCommerce';
import type { HeldCoupon } from './coupon.rules';

export type CouponTab = (typeof couponTabs)[number];

const columns = ['id as couponId', 'memberId', 'campaignId', 'terms', 'startsAt', 'endsAt', 'state', 'orderId', 'usedAt'] as const;

export interface NewCoupon {
  memberId: string;
  campaignId: string;
  terms: StoredCouponTerms;
  startsAt: Date;
  endsAt: Date;
  issueKey: string;
}

/** Adds a coupon once for its key; the id is the first one's however often it is asked for. */
export async function insertCoupon(tx: Tx, { terms, ...coupon }: NewCoupon): Promise<string> {
  const added = await tx
    .insertInto('coupon')
    .values({ ...coupon, id: uuidv7(), terms: JSON.stringify(terms), orderId: null, usedAt: null })
    .onConflict((conflict) => conflict.column('issueKey').doNothing())
    .returning('id')
    .executeTakeFirst();
  if (added) return added.id;
  const first = await tx
    .selectFrom('coupon')
    .select(['id', 'memberId'])
    .where('issueKey', '=', coupon.issueKey)
    .executeTakeFirstOrThrow();
  if (first.memberId !== coupon.memberId) throw new Error(`the coupon ${coupon.issueKey} was issued to another member`);
  return first.id;
}

/** Coupons of the member that an order might want: not used, and not over since before `endedAfter`; soonest ending first. */
export function selectHeld(reader: Db | Tx, memberId: string, endedAfter: Date, most: number): Promise<HeldCoupon[]> {
  return reader
    .selectFrom('coupon')
    .modifyFront(planKept)
    .select(columns)
    .where('memberId', '=', memberId)
    .where('endsAt', '>', endedAfter)
    .where('state', '<>', 'USED')
    .orderBy('endsAt')
    .orderBy('id')
    .limit(most)
    .execute();
}

export function selectCoupon(reader: Db | Tx, memberId: string, couponId: string): Promise<HeldCoupon | undefined> {
  return reader
    .selectFrom('coupon')
    .select(columns)
    .where((where) => where.and({ memberId, id: couponId }))
    .executeTakeFirst();
}

export function selectIssued(reader: Db | Tx, issueKey: string): Promise<HeldCoupon | undefined> {
  return reader.selectFrom('coupon').select(columns).where('issueKey', '=', issueKey).executeTakeFirst();
}

export function selectCouponForUpdate(tx: Tx, memberId: string, couponId: string): Promise<HeldCoupon | undefined> {
  return tx
    .selectFrom('coupon')
    .select(columns)
    .where((where) => where.and({ memberId, id: couponId }))
    .forUpdate()
    .executeTakeFirst();
}

export function selectOfOrderForUpdate(tx: Tx, orderId: string): Promise<HeldCoupon | undefined> {
  return tx.selectFrom('coupon').select(columns).where('orderId', '=', orderId).forUpdate().executeTakeFirst();
}

/** Moves a coupon; the database refuses a step that its table does not have. */
export async function updateCoupon(
  tx: Tx,
  couponId: string,
  moved: { state: HeldCoupon['state']; orderId: string | null; usedAt: Date | null },
): Promise<void> {
  await tx.updateTable('coupon').set(moved).where('id', '=', couponId).execute();
}

/** What each tab shows, and which comes first: usable ones by their end, the others latest first. */
const tabs: Readonly<Record<CouponTab, { shows: string; order: string }>> = {
  usable: { shows: `(state = 'RESERVED' or (state = 'AVAILABLE' and ends_at > (select app_now())))`, order: 'ends_at, id' },
  used: { shows: `state = 'USED'`, order: 'used_at desc, id desc' },
  expired: { shows: `state = 'AVAILABLE' and ends_at <= (select app_now())`, order: 'ends_at desc, id desc' },
};

export interface CouponPage {
  rows: HeldCoupon[];
  counts: Record<CouponTab, number>;
}

/** One page of a tab and how many coupons each tab has, in one statement. */
export async function pageCoupons(
  db: Db,
  memberId: string,
  { tab, offset, size }: { tab: CouponTab; offset: number; size: number },
): Promise<CouponPage> {
  const { shows, order } = tabs[tab];
  const count = (name: CouponTab) => sql`count(*) filter (where ${sql.raw(tabs[name].shows)})::int as ${sql.ref(name)}`;
  const mine = sql`from coupon where member_id = ${memberId}::uuid`;
  const { rows } = await sql<(HeldCoupon | { [K in keyof HeldCoupon]: null }) & Record<CouponTab, number>>`
    select counted.*, page.*
    from (select ${count('usable')}, ${count('used')}, ${count('expired')} ${mine}) counted
    left join (
      select id as coupon_id, member_id, campaign_id, terms, starts_at, ends_at, state, order_id, used_at,
        row_number() over (order by ${sql.raw(order)}) as nth
      ${mine} and ${sql.raw(shows)}
      order by ${sql.raw(order)} limit ${size} offset ${offset}
    ) page on true
    order by page.nth`.execute(db);
  const { usable = 0, used = 0, expired = 0 } = rows[0] ?? {};
  return {
    rows: rows.filter((row): row is HeldCoupon & CouponPage['counts'] => row.couponId !== null),
    counts: { usable, used, expired },
  };
}

/** Notes that a member redeemed a campaign's code; false when they had before. Another redemption by the same member is waited for. */
export async function insertRedemption(tx: Tx, campaignId: string, memberId: string, most: number | null): Promise<boolean> {
  await tx
    .insertInto('campaignTotal')
    .values({ campaignId, most })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const added = await tx
    .insertInto('campaignRedemption')
    .values({ campaignId, memberId })
    .onConflict((conflict) => conflict.doNothing())
    .returning('memberId')
    .executeTakeFirst();
  return added !== undefined;
}

/** Counts one redemption under the campaign's lock; false when it was redeemed as often as it may be. */
export async function countRedemption(tx: Tx, campaignId: string, most: number | null): Promise<boolean> {
  const counted = await tx
    .updateTable('campaignTotal')
    .set((row) => ({ redeemed: row('redeemed', '+', 1), most }))
    .where('campaignId', '=', campaignId)
    .$if(most !== null, (query) => query.where('redeemed', '<', most ?? 0))
    .returning('redeemed')
    .executeTakeFirst();
  return counted !== undefined;
}
