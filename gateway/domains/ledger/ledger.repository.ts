import { sql } from 'kysely';
import { type Db, planKept, type Tx } from '../../db/client';
import type { LedgerKind, LedgerPurpose, LotSource } from '../../db/schema';
import type { Lot, LotUse } from './lot.rules';
import type { Wallet } from './wallet.repository';

/** A lot with where it came from. */
export interface GrantedLot extends Lot {
  source: LotSource;
  granted: bigint;
}

/** The member's lots with a remainder, in burn order. */
export async function selectLots(db: Db | Tx, memberId: string): Promise<GrantedLot[]> {
  const rows = await db
    .selectFrom('dcuLot')
    .select(['id', 'source', 'granted', 'remaining', 'grantedAt', 'expiresAt'])
    .where('memberId', '=', memberId)
    .where('remaining', '>', 0n)
    .orderBy(sql`expires_at nulls last, granted_at, id`)
    .execute();
  return rows.map((row) => ({
    lotId: row.id,
    source: row.source,
    granted: row.granted,
    remaining: row.remaining,
    grantedAtMs: row.grantedAt.getTime(),
    expiresAtMs: row.expiresAt?.getTime() ?? null,
  }));
}

export interface GrantRow {
  kind: LedgerKind;
  source: LotSource;
  from: LedgerPurpose;
  micro: bigint;
  idemKey: string;
  refType: string;
  refId: string;
  note: string;
  actor: string;
  at: Date;
  expiresAt: Date | null;
  /** The order that brought it. */
  orderId: string | null;
}

/** Writes a grant with its lot and moves the wallet, in one statement; false when its key was used before. */
export async function insertGrant(tx: Tx, wallet: Wallet, grant: GrantRow): Promise<boolean> {
  const { rows } = await sql<{ id: bigint }>`${planKept}
    with tx as (
      insert into ledger_tx (kind, idem_key, ref_type, ref_id, note, actor, created_at)
      values (${grant.kind}, ${grant.idemKey}, ${grant.refType}, ${grant.refId}, ${grant.note}, ${grant.actor}, ${grant.at})
      on conflict (idem_key) do nothing returning id, kind, created_at),
    entries as (
      insert into ledger_entry (tx_id, line, account_id, asset, amount, account_seq, balance_after, kind, at)
      select id, 1, ${wallet.accountId}::bigint, 'DCU', ${grant.micro}::bigint, ${wallet.seq + 1n}::bigint, ${wallet.posted + grant.micro}::bigint, kind, created_at from tx
      union all
      select tx.id, 2, a.id, 'DCU', -${grant.micro}::bigint, null, null, tx.kind, tx.created_at from tx, ledger_account a
      where a.owner_kind = 'platform' and a.asset = 'DCU' and a.purpose = ${grant.from}),
    lot as (
      insert into dcu_lot (member_id, origin_tx_id, source, order_id, granted, remaining, granted_at, expires_at)
      select ${wallet.memberId}::uuid, id, ${grant.source}, ${grant.orderId}::uuid, ${grant.micro}::bigint, ${grant.micro}::bigint,
        ${grant.at}::timestamptz, ${grant.expiresAt}::timestamptz from tx),
    moved as (
      update wallet set posted = posted + ${grant.micro}::bigint, seq = seq + 1
      where account_id = ${wallet.accountId}::bigint and exists (select from tx))
    select id from tx`.execute(tx);
  return rows.length > 0;
}

export async function selectAmountUnder(reader: Db | Tx, idemKey: string): Promise<bigint | undefined> {
  const { rows } = await sql<{ amount: bigint }>`
    select e.amount from ledger_tx t join ledger_entry e on e.tx_id = t.id and e.account_seq is not null
    where t.idem_key = ${idemKey}`.execute(reader);
  return rows[0]?.amount;
}

/** Something taken out of a wallet whose lots are already chosen. */
export interface Posting {
  kind: 'usage' | 'expiry' | 'refund' | 'adjust';
  idemKey: string;
  refType: string;
  refId: string;
  micro: bigint;
  uses: readonly LotUse[];
  note?: string;
  actor?: string;
}

/**
 * Writes postings in their order out of one locked wallet; usage is paid out of what is held, everything else out of what is not.
 * Returns the transaction of each key.
 */
export async function insertPostings(tx: Tx, wallet: Wallet, at: Date, postings: readonly Posting[]): Promise<Map<string, bigint>> {
  const uses = postings.flatMap((posting) => posting.uses.map((use) => ({ ...use, idemKey: posting.idemKey })));
  const { rows } = await sql<{ idemKey: string; id: bigint }>`
    with posting as (
      select *, sum(micro) over (order by n)::bigint as so_far from unnest(
        ${postings.map((p) => p.kind)}::text[], ${postings.map((p) => p.idemKey)}::text[], ${postings.map((p) => p.refType)}::text[],
        ${postings.map((p) => p.refId)}::text[], ${postings.map((p) => p.micro)}::bigint[], ${postings.map((p) => p.note ?? '')}::text[],
        ${postings.map((p) => p.actor ?? 'system')}::text[])
        with ordinality p (kind, idem_key, ref_type, ref_id, micro, note, actor, n)),
    use as (select * from unnest(${uses.map((u) => u.idemKey)}::text[], ${uses.map((u) => u.lotId)}::bigint[], ${uses.map((u) => u.micro)}::bigint[])
      u (idem_key, lot_id, amount)),
    tx as (
      insert into ledger_tx (kind, idem_key, ref_type, ref_id, note, actor, created_at)
      select kind, idem_key, ref_type, ref_id, note, actor, ${at}::timestamptz from posting order by n returning id, idem_key, created_at),
    entries as (
      insert into ledger_entry (tx_id, line, account_id, asset, amount, account_seq, balance_after, kind, at)
      select tx.id, 1, ${wallet.accountId}::bigint, 'DCU', -p.micro, ${wallet.seq}::bigint + p.n, ${wallet.posted}::bigint - p.so_far, p.kind, tx.created_at
      from posting p join tx using (idem_key)
      union all
      select tx.id, 2, a.id, 'DCU', p.micro, null, null, p.kind, tx.created_at from posting p join tx using (idem_key)
      join ledger_account a on a.owner_kind = 'platform' and a.asset = 'DCU'
        and a.purpose = case p.kind when 'expiry' then 'breakage' else p.kind end),
    lot_uses as (insert into lot_use (tx_id, lot_id, amount) select tx.id, lot_id, amount from use join tx using (idem_key)),
    lots as (
      update dcu_lot l set remaining = l.remaining - u.total
      from (select lot_id, sum(amount)::bigint as total from use group by lot_id) u where l.id = u.lot_id),
    moved as (
      update wallet set seq = seq + ${postings.length}::bigint, posted = posted - (select sum(micro) from posting)::bigint,
        held = held - (select coalesce(sum(micro) filter (where kind = 'usage'), 0) from posting)::bigint
      where account_id = ${wallet.accountId}::bigint)
    select idem_key, id from tx`.execute(tx);
  return new Map(rows.map((row) => [row.idemKey, row.id]));
}

/** One charge of usage in a batch over many wallets. */
export interface UsageCharge {
  memberId: string;
  idemKey: string;
  refType: string;
  refId: string;
  micro: bigint;
}

/**
 * Charges usage out of the holds of many locked wallets at once: running sums give account_seq and balance_after, and each
 * charge takes the lots whose interval of the running sum it overlaps. Only for wallets of which no lot's validity begins or
 * ends inside the usage. Returns the transaction of each key.
 */
export async function insertUsageCharges(tx: Tx, at: Date, charges: readonly UsageCharge[]): Promise<Map<string, bigint>> {
  // Said beside every join, so that each table is entered by its index whatever the planner expects of the arrays.
  const members = [...new Set(charges.map((charge) => charge.memberId))];
  const { rows } = await sql<{ idemKey: string; id: bigint }>`
    with charge as (
      select *, row_number() over w as nth, sum(micro) over w::bigint as until from unnest(
        ${charges.map((c) => c.memberId)}::uuid[], ${charges.map((c) => c.idemKey)}::text[], ${charges.map((c) => c.refType)}::text[],
        ${charges.map((c) => c.refId)}::text[], ${charges.map((c) => c.micro)}::bigint[])
        with ordinality c (member_id, idem_key, ref_type, ref_id, micro, n)
      window w as (partition by member_id order by n)),
    lot as (
      select id, member_id, remaining, sum(remaining) over (partition by member_id order by expires_at nulls last, granted_at, id)::bigint as until
      from dcu_lot where remaining > 0 and member_id = any(${members}::uuid[])),
    use as (
      select c.idem_key, l.id as lot_id, least(c.until, l.until) - greatest(c.until - c.micro, l.until - l.remaining) as amount
      from charge c join lot l on l.member_id = c.member_id and l.until - l.remaining < c.until and c.until - c.micro < l.until),
    tx as (
      insert into ledger_tx (kind, idem_key, ref_type, ref_id, created_at)
      select 'usage', idem_key, ref_type, ref_id, ${at}::timestamptz from charge order by n returning id, idem_key, created_at),
    platform as (select id from ledger_account where owner_kind = 'platform' and asset = 'DCU' and purpose = 'usage'),
    entries as (
      insert into ledger_entry (tx_id, line, account_id, asset, amount, account_seq, balance_after, kind, at)
      select tx.id, 1, w.account_id, 'DCU', -c.micro, w.seq + c.nth, w.posted - c.until, 'usage', tx.created_at
      from charge c join tx using (idem_key) join wallet w on w.member_id = c.member_id and w.asset = 'DCU'
      where w.member_id = any(${members}::uuid[])
      union all
      select tx.id, 2, platform.id, 'DCU', c.micro, null, null, 'usage', tx.created_at from charge c join tx using (idem_key), platform),
    lot_uses as (insert into lot_use (tx_id, lot_id, amount) select tx.id, lot_id, amount from use join tx using (idem_key)),
    lots as (
      update dcu_lot l set remaining = l.remaining - u.total
      from (select lot_id, sum(amount)::bigint as total from use group by lot_id) u
      where l.id = u.lot_id and l.remaining > 0 and l.member_id = any(${members}::uuid[])),
    moved as (
      update wallet w set posted = w.posted - c.total, held = w.held - c.total, seq = w.seq + c.charges
      from (select member_id, sum(micro)::bigint as total, count(*) as charges from charge group by member_id) c
      where w.member_id = c.member_id and w.asset = 'DCU' and w.member_id = any(${members}::uuid[]))
    select idem_key, id from tx`.execute(tx);
  return new Map(rows.map((row) => [row.idemKey, row.id]));
}

/**
 * Takes every expired lot of many locked wallets that hold nothing to breakage, whole, in the order in which they would have been burnt.
 * Returns how much went.
 */
export async function insertExpiries(tx: Tx, at: Date, memberIds: readonly string[]): Promise<bigint> {
  const { rows } = await sql<{ micro: bigint }>`
    with lot as (
      select l.id, l.member_id, l.remaining, row_number() over w as nth, sum(l.remaining) over w::bigint as until,
        'expire:' || l.id || ':' || 1 + (
          select count(*) from lot_use u join ledger_tx t on t.id = u.tx_id where u.lot_id = l.id and t.kind = 'expiry') as idem_key
      from dcu_lot l where l.remaining > 0 and l.expires_at <= ${at}::timestamptz and l.member_id = any(${memberIds}::uuid[])
      window w as (partition by l.member_id order by l.expires_at, l.granted_at, l.id)),
    tx as (
      insert into ledger_tx (kind, idem_key, ref_type, ref_id, created_at)
      select 'expiry', idem_key, 'lot', id::text, ${at}::timestamptz from lot order by member_id, nth returning id, idem_key, created_at),
    platform as (select id from ledger_account where owner_kind = 'platform' and asset = 'DCU' and purpose = 'breakage'),
    entries as (
      insert into ledger_entry (tx_id, line, account_id, asset, amount, account_seq, balance_after, kind, at)
      select tx.id, 1, w.account_id, 'DCU', -l.remaining, w.seq + l.nth, w.posted - l.until, 'expiry', tx.created_at
      from lot l join tx using (idem_key) join wallet w on w.member_id = l.member_id and w.asset = 'DCU'
      where w.member_id = any(${memberIds}::uuid[])
      union all
      select tx.id, 2, platform.id, 'DCU', l.remaining, null, null, 'expiry', tx.created_at from lot l join tx using (idem_key), platform),
    lot_uses as (insert into lot_use (tx_id, lot_id, amount) select tx.id, l.id, l.remaining from lot l join tx using (idem_key)),
    lots as (
      update dcu_lot d set remaining = 0 from lot l where d.id = l.id and d.remaining > 0 and d.member_id = any(${memberIds}::uuid[])),
    moved as (
      update wallet w set posted = w.posted - l.total, seq = w.seq + l.lots
      from (select member_id, sum(remaining)::bigint as total, count(*) as lots from lot group by member_id) l
      where w.member_id = l.member_id and w.asset = 'DCU' and w.member_id = any(${memberIds}::uuid[]))
    select coalesce(sum(remaining), 0)::bigint as micro from lot`.execute(tx);
  return rows[0]?.micro ?? 0n;
}

/** Moves what wallets hold; below zero or above the balance the database refuses. */
export async function updateHolds(tx: Tx, deltas: ReadonlyMap<string, bigint>): Promise<void> {
  await sql`
    update wallet w set held = w.held + d.micro
    from unnest(${[...deltas.keys()]}::uuid[], ${[...deltas.values()]}::bigint[]) d (member_id, micro)
    where w.member_id = d.member_id and w.asset = 'DCU' and d.micro <> 0 and w.member_id = any(${[...deltas.keys()]}::uuid[])`.execute(
    tx,
  );
}

/** Members that own an expired lot with a remainder, by id. */
export async function selectMembersWithExpiredLots(db: Db, at: Date): Promise<string[]> {
  const rows = await db
    .selectFrom('dcuLot')
    .select('memberId')
    .distinct()
    .where('remaining', '>', 0n)
    .where('expiresAt', '<=', at)
    .orderBy('memberId')
    .execute();
  return rows.map((row) => row.memberId);
}

/** How often a lot has been taken to breakage: a hold may keep part of it for later. */
export async function countExpiries(tx: Tx, lotId: bigint): Promise<number> {
  const { count } = await tx
    .selectFrom('lotUse')
    .innerJoin('ledgerTx', 'ledgerTx.id', 'lotUse.txId')
    .select((eb) => eb.fn.countAll<bigint>().as('count'))
    .where('lotUse.lotId', '=', lotId)
    .where('ledgerTx.kind', '=', 'expiry')
    .executeTakeFirstOrThrow();
  return Number(count);
}
