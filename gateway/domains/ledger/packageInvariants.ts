import { sql } from 'kysely';
import type { Invariant } from './invariants';

/** Packages of members: their time, their DCU, their order. */
export const packageInvariants: readonly Invariant[] = [
  {
    name: '18a. a package’s periods are all the time it stands for, but for what was left when it was ended',
    rows: sql`select count(*) as rows from purchased_package_item`,
    breaches: sql`
      select 'package ' || i.id as key from purchased_package_item i
      left join (select item_id, sum(ends_at - starts_at) as laid_out from membership_period group by item_id) p on p.item_id = i.id
      where coalesce(p.laid_out, '0') + case when i.ended_at is null then '0' else i.ends_at - i.ended_at end
        <> i.total_ms * interval '1 millisecond'`,
  },
  {
    name: '18b. a package has brought what its grants posted, its monthly DCU less what was carried over',
    rows: sql`select count(*) as rows from purchased_package_item where grants_made > 0`,
    breaches: sql`
      select 'package ' || i.id as key from purchased_package_item i
      left join (
        select t.ref_id, sum(l.granted) as posted from ledger_tx t join dcu_lot l on l.origin_tx_id = t.id
        where t.ref_type = 'package' and t.kind = 'grant' group by t.ref_id) g on g.ref_id = i.id::text
      where i.granted_micro <> coalesce(g.posted, 0) or i.granted_micro <> greatest(i.monthly_micro * i.grants_made - i.carried_micro, 0)`,
  },
  {
    name: '18c. of a member’s living packages the one that ends first runs, and it alone',
    rows: sql`select count(*) as rows from purchased_package_item where ended_at is null`,
    breaches: sql`
      select 'package ' || id as key from (
        select id, state, row_number() over (partition by member_id order by ends_at) as nth
        from purchased_package_item where ended_at is null) i
      where (state = 'ACTIVE') <> (nth = 1)`,
  },
];
