import { sql } from 'kysely';
import type { Invariant } from './invariants';

/** Money that came and money that went back, and what went with it. */
export const paymentInvariants: readonly Invariant[] = [
  {
    name: '19a. an order that costs money was fulfilled by a payment',
    rows: sql`select count(*) as rows from "order" where fulfilled_at is not null and payable_fen > 0`,
    breaches: sql`
      select 'order ' || o.id as key from "order" o left join payment p on p.order_id = o.id and p.applied_at is not null
      where o.fulfilled_at is not null and o.payable_fen > 0 and p.id is null`,
  },
  {
    name: '19b. of a payment went back what its refunds brought, and never more than came',
    rows: sql`select count(*) as rows from payment`,
    breaches: sql`
      select 'payment ' || p.id as key from payment p
      left join (
        select payment_id, sum(amount_fen) filter (where state = 'SUCCEEDED') as sent, sum(amount_fen) filter (where state <> 'FAILED') as promised
        from refund group by payment_id) r on r.payment_id = p.id
      where p.refunded_fen <> coalesce(r.sent, 0) or coalesce(r.promised, 0) > p.amount_fen`,
  },
  {
    name: '19c. of an order went back what its refunds brought, and its state says so',
    rows: sql`select count(*) as rows from "order"`,
    breaches: sql`
      select 'order ' || o.id as key from "order" o
      left join (
        select order_id, sum(amount_fen) filter (where state = 'SUCCEEDED') as sent, count(*) filter (where state in ('REQUESTED','SUBMITTED')) as open,
          count(*) filter (where state = 'SUCCEEDED') as done, count(*) filter (where state = 'SUCCEEDED' and is_whole) as whole
        from refund where reason <> 'SURPLUS' group by order_id) r on r.order_id = o.id
      where o.refunded_fen <> coalesce(r.sent, 0) or coalesce(r.open, 0) <> case when o.state = 'REFUNDING' then 1 else 0 end
        or (o.state <> 'REFUNDING' and coalesce(r.whole, 0) <> case when o.state = 'REFUNDED' then 1 else 0 end)
        or (o.state = 'PART_REFUNDED' and coalesce(r.done, 0) = 0) or (o.state = 'FULFILLED' and r.done > 0)`,
  },
  {
    name: '19d. money that no order needed goes back whole and once, and other money only from the payment that paid the order',
    rows: sql`select count(*) as rows from payment where state = 'ORPHAN'`,
    breaches: sql`
      select 'payment ' || p.id as key from payment p
      left join (select payment_id, sum(amount_fen) as fen, count(*) as n from refund where reason = 'SURPLUS' group by payment_id) r on r.payment_id = p.id
      where (p.state = 'ORPHAN' and (r.n is distinct from 1 or r.fen is distinct from p.amount_fen)) or (p.state <> 'ORPHAN' and r.n is not null)
      union all select 'refund ' || r.id from refund r join payment p on p.id = r.payment_id
      where p.order_id <> r.order_id or (r.reason <> 'SURPLUS' and p.applied_at is null)`,
  },
  {
    name: '19e. a refund took the DCU it says out of lots, and gave them back where it was refused',
    rows: sql`select count(*) as rows from refund where reason <> 'SURPLUS'`,
    breaches: sql`
      select 'refund ' || r.id as key from refund r
      left join ledger_tx t on t.idem_key = 'refund:' || r.id
      left join (select tx_id, sum(amount) as micro from lot_use group by tx_id) u on u.tx_id = t.id
      left join (
        select split_part(b.idem_key, ':', 2) as refund_id, sum(l.granted) as micro from ledger_tx b join dcu_lot l on l.origin_tx_id = b.id
        where b.kind = 'refund' and b.idem_key like 'refund:%:back:%' group by 1) back on back.refund_id = r.id::text
      where r.withdrawn_micro <> coalesce(u.micro, 0) or coalesce(back.micro, 0) <> case when r.state = 'FAILED' then r.withdrawn_micro else 0 end
      union all select 'tx ' || t.id from ledger_tx t
      where t.kind = 'refund' and t.idem_key like 'refund:%'
        and not exists (select from refund r where r.id::text = split_part(t.idem_key, ':', 2))`,
  },
  {
    name: '19f. a refund took and gave the points it says',
    rows: sql`select count(*) as rows from refund where reason <> 'SURPLUS'`,
    breaches: sql`
      select 'refund ' || r.id as key from refund r
      cross join lateral (values
        ('withdraw:' || r.id, -r.withdrawn_points),
        ('return:spent:' || r.id, case when r.state = 'SUCCEEDED' then r.returned_points else 0 end),
        ('return:withdrawn:' || r.id, case when r.state = 'FAILED' then r.withdrawn_points else 0 end)) m (idem_key, points)
      left join ledger_tx t on t.idem_key = m.idem_key
      left join ledger_entry e on e.tx_id = t.id and e.account_seq is not null
      where m.points <> coalesce(e.amount, 0)`,
  },
];
