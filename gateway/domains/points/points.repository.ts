import { sql } from 'kysely';
import type { PointsChangeKind } from '../../contract/points';
import type { Db, Tx } from '../../db/client';
import type { StoredWords } from '../../db/schemaCommerce';
import type { CheckedIn } from './points.rules';

/** The member's last check-in. */
export function selectLastCheckIn(reader: Db | Tx, memberId: string): Promise<CheckedIn | undefined> {
  return reader
    .selectFrom('checkIn')
    .select([sql<string>`to_char(day, 'YYYY-MM-DD')`.as('day'), 'streak'])
    .where('memberId', '=', memberId)
    .orderBy('checkIn.day', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** Days from one on, by day. */
export async function selectCheckInDays(reader: Db | Tx, memberId: string, from: string): Promise<string[]> {
  const rows = await reader
    .selectFrom('checkIn')
    .select(sql<string>`to_char(day, 'YYYY-MM-DD')`.as('day'))
    .where('memberId', '=', memberId)
    .where('checkIn.day', '>=', from)
    .orderBy('checkIn.day')
    .execute();
  return rows.map((row) => row.day);
}

/** Writes a day's check-in; false when it is there. */
export async function insertCheckIn(
  tx: Tx,
  checkIn: { memberId: string; day: string; streak: number; points: bigint },
): Promise<boolean> {
  const row = await tx
    .insertInto('checkIn')
    .values(checkIn)
    .onConflict((conflict) => conflict.doNothing())
    .returning('memberId')
    .executeTakeFirst();
  return row !== undefined;
}

/** Points earned by doing since an instant. */
export async function selectEarnedByDoing(reader: Db | Tx, memberId: string, since: Date): Promise<bigint> {
  const { rows } = await sql<{ points: bigint }>`
    select coalesce(sum(e.amount), 0)::bigint as points from wallet w join ledger_entry e on e.account_id = w.account_id
    where w.member_id = ${memberId}::uuid and w.asset = 'POINT' and e.account_seq is not null and e.at >= ${since}::timestamptz
      and e.kind in ('task', 'checkIn')`.execute(reader);
  return rows[0]?.points ?? 0n;
}

/** What the member has done of the tasks, and when. */
export async function selectTasksDone(reader: Db | Tx, memberId: string): Promise<Map<string, Date>> {
  return new Map((await selectRefs(reader, memberId, 'task')).map(({ refId, at }) => [refId, at]));
}

/** How often the member has taken each reward. */
export async function countRewards(reader: Db | Tx, memberId: string): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const { refId } of await selectRefs(reader, memberId, 'reward')) counts.set(refId, (counts.get(refId) ?? 0) + 1);
  return counts;
}

async function selectRefs(reader: Db | Tx, memberId: string, kind: PointsChangeKind): Promise<{ refId: string; at: Date }[]> {
  const { rows } = await sql<{ refId: string; at: Date }>`
    select t.ref_id, e.at from wallet w
    join ledger_entry e on e.account_id = w.account_id and e.account_seq is not null and e.kind = ${kind}
    join ledger_tx t on t.id = e.tx_id
    where w.member_id = ${memberId}::uuid and w.asset = 'POINT'`.execute(reader);
  return rows;
}

export interface PointsRow {
  txId: bigint;
  at: Date;
  kind: PointsChangeKind;
  amount: bigint;
  balanceAfter: bigint;
  refType: string;
  refId: string;
  note: string;
  orderId: string | null;
  orderTitle: StoredWords | null;
}

/**
 * One page of the changes of a member's points, newest first, and how many match. A wallet numbers its entries without gaps, so that
 * without a filter neither the count nor a late page reads what lies before.
 */
export async function pagePointRows(
  db: Db,
  { memberId, kind, offset, size }: { memberId: string; kind: PointsChangeKind | null; offset: number; size: number },
): Promise<{ rows: PointsRow[]; total: number }> {
  const ofKind = kind === null ? sql`` : sql`and e.kind = ${kind}`;
  const total =
    kind === null
      ? sql`w.seq`
      : sql`(select count(*) from ledger_entry e where e.account_id = w.account_id and e.account_seq is not null ${ofKind})`;
  const place =
    kind === null
      ? sql`and e.account_seq <= w.seq - ${offset}::bigint order by e.account_seq desc limit ${size}`
      : sql`${ofKind} order by e.account_seq desc limit ${size} offset ${offset}`;
  const { rows } = await sql<(PointsRow | { [K in keyof PointsRow]: null }) & { total: bigint }>`
    select ${total} as total, p.tx_id, p.at, p.kind, p.amount, p.balance_after, t.ref_type, t.ref_id, t.note, o.id as order_id, o.title as order_title
    from wallet w
    left join lateral (
      select e.tx_id, e.at, e.kind, e.amount, e.balance_after, e.account_seq from ledger_entry e
      where e.account_id = w.account_id and e.account_seq is not null ${place}) p on true
    left join ledger_tx t on t.id = p.tx_id
    left join "order" o on o.id = case when t.ref_type = 'order' then t.ref_id::uuid end
    where w.member_id = ${memberId}::uuid and w.asset = 'POINT'
    order by p.account_seq desc`.execute(db);
  return {
    rows: rows.filter((row): row is PointsRow & { total: bigint } => row.txId !== null),
    total: Number(rows[0]?.total ?? 0),
  };
}
