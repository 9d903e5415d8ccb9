import { sql } from 'kysely';
import type { Db } from '../../db/client';
import type { LedgerKind } from '../../db/schema';

export interface ChangeFilter {
  memberId: string;
  kind: LedgerKind | null;
  from: Date | null;
  to: Date | null;
  workshopId: string | null;
}

export interface ChangeRow {
  txId: bigint;
  at: Date;
  kind: LedgerKind;
  amount: bigint;
  balanceAfter: bigint;
  subject: string;
  sessionId: string | null;
  workshopId: string | null;
  observedMs: bigint | null;
  rateMicroPerHour: bigint | null;
}

const matching = ({ memberId, kind, from, to, workshopId }: ChangeFilter) => sql`
  from ledger_entry e join wallet w on w.account_id = e.account_id
  where w.member_id = ${memberId}::uuid and w.asset = 'DCU' and e.account_seq is not null
    ${kind === null ? sql`` : sql`and e.kind = ${kind}`}
    ${from === null ? sql`` : sql`and e.at >= ${from}::timestamptz`}
    ${to === null ? sql`` : sql`and e.at < ${to}::timestamptz`}
    ${workshopId === null ? sql`` : sql`and e.tx_id in (select s.tx_id from usage_segment s where s.workshop_id = ${workshopId}::uuid)`}`;

/** One page of a member's balance changes, newest first; what each was for is looked up for the page's rows only. */
export async function selectChanges(db: Db, filter: ChangeFilter, page: { offset: number; size: number }): Promise<ChangeRow[]> {
  const { rows } = await sql<ChangeRow>`
    with page as materialized (
      select e.tx_id, e.at, e.kind, e.amount, e.balance_after, e.account_seq ${matching(filter)}
      order by e.account_seq desc limit ${page.size} offset ${page.offset})
    select p.tx_id, p.at, p.kind, p.amount, p.balance_after,
      coalesce(workshop.name, origin.note, nullif(t.note, ''), '') as subject,
      segment.session_id, segment.workshop_id, segment.rate_micro_per_hour,
      (extract(epoch from segment.to_at - segment.from_at) * 1000)::bigint as observed_ms
    from page p
    join ledger_tx t on t.id = p.tx_id
    left join usage_segment segment on segment.tx_id = p.tx_id
    left join workshop on workshop.id = segment.workshop_id
    left join dcu_lot lot on lot.id = case when p.kind = 'expiry' then t.ref_id::bigint end
    left join ledger_tx origin on origin.id = lot.origin_tx_id
    order by p.account_seq desc`.execute(db);
  return rows;
}

/** How many changes match. Without a filter a wallet's sequence is the answer. */
export async function countChanges(db: Db, filter: ChangeFilter): Promise<number> {
  const isWhole = filter.kind === null && filter.from === null && filter.to === null && filter.workshopId === null;
  const { rows } = isWhole
    ? await sql<{
        total: bigint;
      }>`select seq as total from wallet where member_id = ${filter.memberId}::uuid and asset = 'DCU'`.execute(db)
    : await sql<{ total: bigint }>`select count(*) as total ${matching(filter)}`.execute(db);
  return Number(rows[0]?.total ?? 0);
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
