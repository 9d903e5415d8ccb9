import { type RawBuilder, sql } from 'kysely';
import type { Db, Tx } from '../../db/client';
import { commerceInvariants } from './commerceInvariants';
import { paymentInvariants } from './paymentInvariants';

/** One promise of the books: how many rows it was checked on, and the keys that break it. */
export interface Invariant {
  name: string;
  /** Counts the rows looked at. */
  rows: RawBuilder<{ rows: bigint }>;
  /** One text key a breach. */
  breaches: RawBuilder<{ key: string }>;
}

export interface InvariantResult {
  name: string;
  rows: number;
  breaches: string[];
}

/** How many offending keys of an invariant are named; their existence is what counts. */
const NAMED_BREACHES = 100;

const books: Invariant[] = [
  {
    name: '1. every transaction balances for each asset and has the entries it declares',
    rows: sql`select count(*) as rows from ledger_tx`,
    breaches: sql`
      select 'tx ' || t.id as key from ledger_tx t left join ledger_entry e on e.tx_id = t.id
      group by t.id, t.lines, e.asset having coalesce(sum(e.amount), -1) <> 0
      union select 'tx ' || t.id from ledger_tx t
      where t.lines <> (select count(*) from ledger_entry e where e.tx_id = t.id)`,
  },
  {
    name: '2. all entries of an asset sum to zero',
    rows: sql`select count(*) as rows from ledger_entry`,
    breaches: sql`select asset as key from ledger_entry group by asset having sum(amount) <> 0`,
  },
  {
    name: '3. a wallet is the sum of its entries and stands at the last of them',
    rows: sql`select count(*) as rows from wallet`,
    breaches: sql`
      select 'wallet ' || w.account_id as key from wallet w
      left join (select account_id, sum(amount) as total, max(account_seq) as last from ledger_entry where account_seq is not null group by account_id) e
        using (account_id)
      left join ledger_entry l on l.account_id = w.account_id and l.account_seq = e.last
      where w.posted <> coalesce(e.total, 0) or w.seq <> coalesce(e.last, 0) or w.posted <> coalesce(l.balance_after, 0)`,
  },
  {
    name: '4. the entries of a wallet are numbered without gaps and each continues the one before',
    rows: sql`select count(*) as rows from ledger_entry where account_seq is not null`,
    breaches: sql`
      select 'entry ' || tx_id || '/' || line as key from (
        select *, lag(account_seq, 1, 0::bigint) over w as previous_seq, lag(balance_after, 1, 0::bigint) over w as previous_balance
        from ledger_entry where account_seq is not null window w as (partition by account_id order by account_seq)) e
      where account_seq <> previous_seq + 1 or balance_after <> previous_balance + amount`,
  },
  {
    name: '5. a balance is the sum of its lots, and a lot is what it was granted less its use',
    rows: sql`select count(*) as rows from dcu_lot`,
    breaches: sql`
      select 'wallet ' || w.account_id as key from wallet w
      left join (select member_id, sum(remaining) as total from dcu_lot group by member_id) l using (member_id)
      where w.asset = 'DCU' and w.posted <> coalesce(l.total, 0)
      union all select 'lot ' || l.id from dcu_lot l left join (select lot_id, sum(amount) as used from lot_use group by lot_id) u on u.lot_id = l.id
      where l.granted - l.remaining <> coalesce(u.used, 0)
      union all select 'lot use of tx ' || e.tx_id from ledger_entry e join wallet w using (account_id)
      where w.asset = 'DCU' and e.amount < 0 and -e.amount is distinct from (select sum(amount) from lot_use u where u.tx_id = e.tx_id)`,
  },
  {
    name: '6. what a wallet holds is what its open sessions hold',
    rows: sql`select count(*) as rows from wallet`,
    breaches: sql`
      select 'wallet ' || w.account_id as key from wallet w
      left join (select member_id, sum(held_micro) as held from lab_session where ended_at is null group by member_id) s using (member_id)
      where w.asset = 'DCU' and w.held <> coalesce(s.held, 0)`,
  },
  {
    name: '7. posted ≥ held ≥ 0',
    rows: sql`select count(*) as rows from wallet`,
    breaches: sql`select 'wallet ' || account_id as key from wallet where held < 0 or posted < held`,
  },
];

const meters: Invariant[] = [
  {
    name: '8a. segments of a workshop do not overlap',
    rows: sql`select count(*) as rows from usage_segment`,
    breaches: sql`
      select 'segment ' || session_id || '/' || seq as key from (
        select *, lag(to_at) over (partition by workshop_id order by from_at, to_at) as previous_to from usage_segment) s
      where from_at < previous_to`,
  },
  {
    name: '8b. the segments of a session are its charged run time and its charge, numbered without gaps',
    rows: sql`select count(*) as rows from lab_session`,
    breaches: sql`
      select 'session ' || s.id as key from lab_session s
      left join (select session_id, count(*) as n, max(seq) as last, sum(micro) as micro,
          sum((extract(epoch from to_at) * 1000)::bigint - (extract(epoch from from_at) * 1000)::bigint) as ms
        from usage_segment group by session_id) u on u.session_id = s.id
      where s.segment_seq <> coalesce(u.last, 0) or s.segment_seq <> coalesce(u.n, 0) or s.charged_micro <> coalesce(u.micro, 0)
        or s.segment_from_ms <> coalesce(u.ms, 0)`,
  },
  {
    name: '8c. a charge is the floor of rate × observed time, and nothing is charged beyond what was observed',
    rows: sql`select count(*) as rows from lab_session`,
    breaches: sql`
      select 'session ' || id as key from lab_session
      where segment_from_ms > observed_ms
        or charged_micro <> lab_cost_micro(rate_micro_per_hour, rate_base_ms, rate_base_micro, segment_from_ms)`,
  },
  {
    name: '8d. the days of a session are its segments',
    rows: sql`select count(*) as rows from usage_day`,
    breaches: sql`
      select 'session ' || coalesce(d.session_id, u.session_id) as key
      from (select session_id, sum(micro) as micro, sum(ms) as ms from usage_day group by session_id) d
      full join (select session_id, sum(micro) as micro, sum((extract(epoch from to_at) * 1000)::bigint - (extract(epoch from from_at) * 1000)::bigint) as ms
        from usage_segment group by session_id) u using (session_id)
      where (d.micro, d.ms) is distinct from (u.micro, u.ms)`,
  },
  {
    name: '9. every usage transaction has exactly one segment, and a charged segment its transaction of the same amount',
    rows: sql`select count(*) as rows from ledger_tx where kind = 'usage'`,
    breaches: sql`
      select 'tx ' || t.id as key from ledger_tx t left join usage_segment u on u.tx_id = t.id where t.kind = 'usage' and u.tx_id is null
      union all select 'segment ' || u.session_id || '/' || u.seq from usage_segment u
      left join ledger_tx t on t.id = u.tx_id and t.kind = 'usage' and t.idem_key = 'usage:' || u.session_id || ':' || u.seq
      left join ledger_entry e on e.tx_id = u.tx_id and e.account_seq is not null
      where u.micro > 0 and (t.id is null or -e.amount is distinct from u.micro)`,
  },
  {
    name: '10. an ended session is charged for all it was observed, at most its lease, and holds nothing',
    rows: sql`select count(*) as rows from lab_session where ended_at is not null`,
    breaches: sql`
      select 'session ' || id as key from lab_session where ended_at is not null
        and (segment_from_ms <> observed_ms or observed_ms > lease_limit_ms or held_micro <> 0 or segment_from_at is not null)`,
  },
  {
    name: 'lease. an open session holds exactly what its lease costs beyond what is charged',
    rows: sql`select count(*) as rows from lab_session where ended_at is null`,
    breaches: sql`
      select 'session ' || id as key from lab_session where ended_at is null
        and held_micro <> lab_cost_micro(rate_micro_per_hour, rate_base_ms, rate_base_micro, lease_limit_ms) - charged_micro`,
  },
];

/** Recomputes wallets and lots from entries alone and compares them whole with the tables. */
const rebuild: Invariant = {
  name: '17. wallets and lots rebuilt from the entries equal the tables',
  rows: sql`select (select count(*) from wallet) + (select count(*) from dcu_lot) as rows`,
  breaches: sql`
    with rebuilt_wallet as (
      select a.id as account_id, a.owner_id::uuid as member_id, a.asset, coalesce(sum(e.amount), 0)::bigint as posted, count(e.tx_id) as seq
      from ledger_account a left join ledger_entry e on e.account_id = a.id where a.purpose = 'wallet' group by a.id),
    rebuilt_lot as (
      select e.tx_id as origin_tx_id, a.owner_id::uuid as member_id, e.amount as granted,
        (e.amount - coalesce((select sum(u.amount) from lot_use u join dcu_lot l on l.id = u.lot_id where l.origin_tx_id = e.tx_id), 0))::bigint as remaining
      from ledger_entry e join ledger_account a on a.id = e.account_id where a.purpose = 'wallet' and a.asset = 'DCU' and e.amount > 0),
    wallets as (select account_id, member_id, asset, posted, seq from wallet),
    lots as (select origin_tx_id, member_id, granted, remaining from dcu_lot)
    select 'wallet ' || account_id as key from (table rebuilt_wallet except table wallets) x
    union select 'wallet ' || account_id from (table wallets except table rebuilt_wallet) x
    union select 'lot of tx ' || origin_tx_id from (table rebuilt_lot except table lots) x
    union select 'lot of tx ' || origin_tx_id from (table lots except table rebuilt_lot) x`,
};

export const invariants: readonly Invariant[] = [...books, ...meters, ...commerceInvariants, ...paymentInvariants, rebuild];

/** Checks every invariant on one snapshot of the database. Writes nothing. */
export function checkInvariants(db: Db): Promise<InvariantResult[]> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      await sql`set local statement_timeout = 0`.execute(tx);
      return inspectBooks(tx);
    });
}

/** Checks every invariant as a transaction sees the books. */
export async function inspectBooks(tx: Tx): Promise<InvariantResult[]> {
  const results: InvariantResult[] = [];
  for (const { name, rows, breaches } of invariants) {
    const counted = await rows.execute(tx);
    const broken = await sql<{ key: string }>`select key from (${breaches}) b limit ${NAMED_BREACHES}`.execute(tx);
    results.push({ name, rows: Number(counted.rows[0]?.rows ?? 0), breaches: broken.rows.map((row) => row.key) });
  }
  return results;
}
