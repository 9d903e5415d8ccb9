import { type RawBuilder, sql } from 'kysely';
import { type DcuChangeKind, dcuChangeKinds } from '../../contract/account';
import type { Db } from '../../db/client';
import type { StoredWords } from '../../db/schemaCommerce';

export interface ChangeFilter {
  memberId: string;
  kind: DcuChangeKind | null;
  from: Date | null;
  to: Date | null;
  workshopId: string | null;
}

export interface ChangeRow {
  txId: bigint;
  at: Date;
  kind: DcuChangeKind;
  amount: bigint;
  balanceAfter: bigint;
  subject: string;
  /** The title of the order, or the name of the package, that it came of. */
  titles: StoredWords | null;
  orderId: string | null;
  sessionId: string | null;
  workshopId: string | null;
  observedMs: bigint | null;
  rateMicroPerHour: bigint | null;
}

/** The kind nearly every change is of; the others are few, so it is counted and paged as what they leave. */
const COMMON: DcuChangeKind = 'usage';

export interface ChangePage {
  rows: ChangeRow[];
  total: number;
}

/**
 * One page of a member's balance changes, newest first, and how many match. A wallet numbers its entries without gaps and in the order of
 * their instants, so a place in the list is a number in the books: neither the count nor a late page reads what lies before.
 */
export async function pageChanges(db: Db, filter: ChangeFilter, page: { offset: number; size: number }): Promise<ChangePage> {
  if (filter.workshopId !== null && (filter.kind ?? COMMON) !== COMMON) return { rows: [], total: 0 };
  const found =
    filter.workshopId !== null ? ofWorkshop(filter, page) : isCommon(filter) ? ofSpan(filter, page) : ofKind(filter, page);
  const { rows } = await sql<(ChangeRow | { [K in keyof ChangeRow]: null }) & { total: bigint }>`
    with ${spanOf(filter)}, ${found}
    select counted.total, p.tx_id, p.at, p.kind, p.amount, p.balance_after,
      coalesce(workshop.name, nullif(source.note, ''), '') as subject, coalesce(bought.title, pack.name) as titles, bought.id as order_id,
      segment.session_id, segment.workshop_id, segment.rate_micro_per_hour,
      (extract(epoch from segment.to_at - segment.from_at) * 1000)::bigint as observed_ms
    from counted
    left join page p on true
    left join ledger_tx t on t.id = p.tx_id
    left join usage_segment segment on segment.tx_id = p.tx_id
    left join workshop on workshop.id = segment.workshop_id
    left join dcu_lot lot on lot.id = case when p.kind = 'expiry' then t.ref_id::bigint end
    left join ledger_tx source on source.id = coalesce(lot.origin_tx_id, p.tx_id)
    left join "order" bought on bought.id = case when source.ref_type = 'order' then source.ref_id::uuid end
    left join purchased_package_item pack on pack.id = case when source.ref_type = 'package' then source.ref_id::uuid end
    order by p.account_seq desc`.execute(db);
  return {
    rows: rows.filter((row): row is ChangeRow & { total: bigint } => row.txId !== null),
    total: Number(rows[0]?.total ?? 0),
  };
}

function isCommon({ kind }: ChangeFilter): boolean {
  return kind === null || kind === COMMON;
}

/** The first and the last of the wallet's numbers within the filter's time; empty where the last is before the first. */
function spanOf({ memberId, from, to }: ChangeFilter): RawBuilder<unknown> {
  const first = sql`coalesce((select e.account_seq from ledger_entry e where e.account_id = w.account_id and e.account_seq is not null
    and e.at >= ${from}::timestamptz order by e.at, e.account_seq limit 1), w.seq + 1)`;
  const last = sql`coalesce((select e.account_seq from ledger_entry e where e.account_id = w.account_id and e.account_seq is not null
    and e.at < ${to}::timestamptz order by e.at desc, e.account_seq desc limit 1), 0)`;
  return sql`span as materialized (
    select w.account_id, ${from === null ? sql`1::bigint` : first} as first, ${to === null ? sql`w.seq` : last} as last
    from wallet w where w.member_id = ${memberId}::uuid and w.asset = 'DCU')`;
}

const entries = sql`e.account_id = (select account_id from span) and e.account_seq between (select first from span)`;
const columns = sql`e.tx_id, e.at, e.kind, e.amount, e.balance_after, e.account_seq`;

/** All changes, or all but the few of another kind: a page begins as many numbers down as rows and others lie above it. */
function ofSpan({ kind }: ChangeFilter, { offset, size }: { offset: number; size: number }): RawBuilder<unknown> {
  const others = dcuChangeKinds.filter((other) => kind !== null && other !== kind);
  return sql`
    other as materialized (
      select e.account_seq, row_number() over (order by e.account_seq desc) as nth from ledger_entry e
      where ${entries} and (select last from span) and e.kind = any(${others}::text[])),
    counted as (select greatest(last - first + 1, 0) - (select count(*) from other) as total from span),
    place as materialized (
      select last - ${offset}::bigint - (select count(*) from other where span.last - account_seq - (nth - 1) <= ${offset}::bigint) as start from span),
    page as materialized (
      select ${columns} from ledger_entry e
      where ${entries} and (select start from place) ${kind === null ? sql`` : sql`and e.kind = ${kind}`}
      order by e.account_seq desc limit ${size})`;
}

function ofKind({ kind }: ChangeFilter, { offset, size }: { offset: number; size: number }): RawBuilder<unknown> {
  const matching = sql`${entries} and (select last from span) and e.kind = ${kind}`;
  return sql`
    counted as (select count(*) as total from ledger_entry e where ${matching}),
    page as materialized (
      select ${columns} from ledger_entry e where ${matching} order by e.account_seq desc limit ${size} offset ${offset})`;
}

/** A workshop's charges, in the order of their transactions, which within one wallet is that of its numbers. */
function ofWorkshop(
  { memberId, workshopId }: ChangeFilter,
  { offset, size }: { offset: number; size: number },
): RawBuilder<unknown> {
  const txOf = (number: RawBuilder<unknown>) =>
    sql`(select e.tx_id from ledger_entry e join span on e.account_id = span.account_id and e.account_seq = ${number})`;
  const charges = sql`
    from usage_segment s where s.tx_id between ${txOf(sql`span.first`)} and ${txOf(sql`span.last`)}
      and s.workshop_id = (select id from workshop where id = ${workshopId}::uuid and member_id = ${memberId}::uuid)`;
  return sql`
    counted as (select count(*) as total ${charges}),
    page as materialized (
      select ${columns} from (select s.tx_id ${charges} order by s.tx_id desc limit ${size} offset ${offset}) charge
      join ledger_entry e on e.tx_id = charge.tx_id and e.account_seq is not null)`;
}

export interface UsageRow {
  fromMs: number;
  toMs: number;
  micro: bigint;
}

/** Longer than any segment can be: it closes hourly. */
const LONGEST_SEGMENT_MS = 2 * 86_400_000;

/** The member's charged usage that reaches beyond an instant. */
export async function selectUsageSince(db: Db, memberId: string, since: Date): Promise<UsageRow[]> {
  const rows = await db
    .selectFrom('usageSegment')
    .select(['fromAt', 'toAt', 'micro'])
    .where('memberId', '=', memberId)
    .where('fromAt', '>', new Date(since.getTime() - LONGEST_SEGMENT_MS))
    .where('toAt', '>', since)
    .execute();
  return rows.map(({ fromAt, toAt, micro }) => ({ fromMs: fromAt.getTime(), toMs: toAt.getTime(), micro }));
}
