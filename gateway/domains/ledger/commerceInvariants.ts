import { sql } from 'kysely';
import type { Invariant } from './invariants';
import { packageInvariants } from './packageInvariants';

/** The promises of money and rights: orders, payments, coupons, stock, codes, points set aside and packages. */
export const commerceInvariants: readonly Invariant[] = [
  {
    name: '6p. the points a member holds back are those of the orders that wait for payment',
    rows: sql`select count(*) as rows from "order" where state = 'PENDING'`,
    breaches: sql`
      select 'point wallet ' || w.account_id as key from wallet w
      left join (select member_id, sum(points_used) as held from "order" where state = 'PENDING' group by member_id) o using (member_id)
      where w.asset = 'POINT' and w.held <> coalesce(o.held, 0)`,
  },
  {
    name: '11. an applied payment is the only one of its order, of what that costs, and the order was fulfilled',
    rows: sql`select count(*) as rows from payment where applied_at is not null`,
    breaches: sql`
      select 'payment ' || p.id as key from payment p join "order" o on o.id = p.order_id
      where p.applied_at is not null and (o.fulfilled_at is null or p.amount_fen <> o.payable_fen)
      union select 'order ' || order_id from payment where applied_at is not null group by order_id having count(*) > 1`,
  },
  {
    name: '12a. a fulfilled order of DCU brought what was bought once, and no other order did',
    rows: sql`select count(*) as rows from "order" where kind = 'SKU'`,
    breaches: sql`
      select 'order ' || o.id as key from "order" o
      left join ledger_tx t on t.idem_key = 'fulfil:' || o.id
      left join dcu_lot l on l.origin_tx_id = t.id
      where o.kind = 'SKU' and ((o.fulfilled_at is not null) <> (t.id is not null)
        or (t.id is not null and (l.granted is distinct from (o.offer->>'micro')::bigint or l.order_id is distinct from o.id)))`,
  },
  {
    name: '12b. a fulfilled order of a package has its package',
    rows: sql`select count(*) as rows from "order" where kind = 'PACKAGE' and fulfilled_at is not null`,
    breaches: sql`
      select 'order ' || o.id as key from "order" o left join purchased_package_item i on i.order_id = o.id
      where o.kind = 'PACKAGE' and o.fulfilled_at is not null and i.id is null`,
  },
  {
    name: '12c. what a fulfilled order of DCU adds as bonus and by its coupon came once, and nothing of the kind came else',
    rows: sql`select count(*) as rows from "order" where kind = 'SKU'`,
    breaches: sql`
      select 'order ' || o.id as key from "order" o
      cross join lateral (values ('bonus', (o.offer->>'bonusMicro')::bigint), ('coupon', (o.offer->>'couponMicro')::bigint)) added (part, micro)
      left join ledger_tx t on t.idem_key = added.part || ':' || o.id
      left join dcu_lot l on l.origin_tx_id = t.id
      where o.kind = 'SKU' and ((o.fulfilled_at is not null and added.micro > 0) <> (t.id is not null)
        or (t.id is not null and (l.granted is distinct from added.micro or l.order_id is distinct from o.id)))`,
  },
  {
    name: '12d. a fulfilled order spent and earned the points it says, and no other order did',
    rows: sql`select count(*) as rows from "order"`,
    breaches: sql`
      select 'order ' || o.id as key from "order" o
      cross join lateral (values ('spend', -o.points_used), ('earn', o.points_earned)) moved (part, points)
      left join ledger_tx t on t.idem_key = moved.part || ':' || o.id
      left join (ledger_entry e join wallet w on w.account_id = e.account_id and w.asset = 'POINT') on e.tx_id = t.id
      where coalesce(e.amount, 0) <> case when o.fulfilled_at is null then 0 else moved.points end`,
  },
  {
    name: '13. a coupon is reserved by the order that waits with it and used on the one that was fulfilled with it',
    rows: sql`select count(*) as rows from coupon`,
    breaches: sql`
      select 'coupon ' || c.id as key from coupon c left join "order" o on o.id = c.order_id
      where (c.state = 'RESERVED' and (o.state is distinct from 'PENDING' or o.coupon_id is distinct from c.id))
        or (c.state = 'USED' and (o.fulfilled_at is null or o.coupon_id is distinct from c.id))
      union select 'order ' || o.id from "order" o left join coupon c on c.id = o.coupon_id
      where o.state = 'PENDING' and o.coupon_id is not null and (c.state is distinct from 'RESERVED' or c.order_id is distinct from o.id)`,
  },
  {
    name: '14. of a limited offer as much is set aside as waits for payment and as much sold as was fulfilled',
    rows: sql`select count(*) as rows from sku_stock`,
    breaches: sql`
      select 'stock ' || s.sku_id as key from sku_stock s
      left join (
        select product_id, sum(quantity) filter (where state = 'PENDING') as reserved, sum(quantity) filter (where fulfilled_at is not null) as sold
        from "order" where is_limited group by product_id) o on o.product_id = s.sku_id
      where s.reserved <> coalesce(o.reserved, 0) or s.sold <> coalesce(o.sold, 0) or s.reserved + s.sold > s.initial`,
  },
  {
    name: '15. the periods of a member do not overlap',
    rows: sql`select count(*) as rows from membership_period`,
    breaches: sql`
      select 'period ' || id as key from (
        select id, starts_at, lag(ends_at) over (partition by member_id order by starts_at, ends_at) as previous_end from membership_period) p
      where starts_at < previous_end`,
  },
  {
    name: '16. a code is counted as often as members redeemed it, and no oftener than it may be',
    rows: sql`select count(*) as rows from campaign_total`,
    breaches: sql`
      select 'campaign ' || t.campaign_id as key from campaign_total t
      left join (select campaign_id, count(*) as members from campaign_redemption group by campaign_id) r using (campaign_id)
      where t.redeemed <> coalesce(r.members, 0) or t.redeemed > t.most`,
  },
  ...packageInvariants,
];
