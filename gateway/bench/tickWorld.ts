import { type Kysely, sql } from 'kysely';
import type { Db } from '../db/client';

export interface Load {
  sessions: number;
  /** One session in this many has less than half of its lease left. */
  lowLeaseEvery: number;
  /** One session in this many has a segment that is due. */
  dueSegmentEvery: number;
}

const RATE = 1_234_567;

/** Members with one running lab each, a funded wallet and one lot, written set-based through the same guards as the product's own. */
export async function seedLoad(db: Db, { sessions, lowLeaseEvery, dueSegmentEvery }: Load): Promise<void> {
  await sql`insert into engine_instance (id, kind) values (gen_random_uuid(), 'simulated')`.execute(db);
  await sql`
    insert into member (id, username, password_hash, mobile)
    select gen_random_uuid(), 'bench-' || n, 'x', '+86' || (100000000 + n) from generate_series(1, ${sessions}::int) n`.execute(db);
  await sql`insert into ledger_account (owner_kind, owner_id, asset, purpose) select 'member', id::text, 'DCU', 'wallet' from member`.execute(
    db,
  );
  await sql`insert into wallet (member_id, asset, account_id) select owner_id::uuid, 'DCU', id from ledger_account where purpose = 'wallet'`.execute(
    db,
  );
  await sql`
    with tx as (
      insert into ledger_tx (kind, idem_key, ref_type, ref_id)
      select 'grant', 'bench:' || member_id, 'bench', member_id from wallet returning id, ref_id::uuid as member_id, kind, created_at),
    entries as (
      insert into ledger_entry (tx_id, line, account_id, asset, amount, account_seq, balance_after, kind, at)
      select tx.id, 1, w.account_id, 'DCU', 1000000000, 1, 1000000000, tx.kind, tx.created_at from tx join wallet w using (member_id)
      union all select tx.id, 2, a.id, 'DCU', -1000000000, null, null, tx.kind, tx.created_at
      from tx, ledger_account a where a.owner_kind = 'platform' and a.purpose = 'gift'),
    lot as (
      insert into dcu_lot (member_id, origin_tx_id, source, granted, remaining, granted_at)
      select member_id, id, 'gift', 1000000000, 1000000000, created_at - interval '1 day' from tx)
    update wallet set posted = 1000000000, seq = 1`.execute(db);
  await sql`
    insert into workshop (id, member_id, name, spec_id, image_id, engine_instance_id)
    select gen_random_uuid(), m.id, 'w', 'spec', 'image', e.id from member m, engine_instance e`.execute(db);
  await sql`
    with numbered as (select w.*, row_number() over (order by w.id) as n from workshop w),
    shaped as (select *, case when n % ${dueSegmentEvery}::int = 0 then 3600000 else 600000 end as seen_ms,
      case when n % ${lowLeaseEvery}::int = 0 then 240000 else 540000 end as left_ms from numbered)
    insert into lab_session (id, workshop_id, member_id, generation, engine_instance_id, engine_ref, spec_id, image_id, queued_at, started_at,
      rate_micro_per_hour, price_version, price_fixed_until, observed_ms, lease_limit_ms, held_micro, segment_from_at, last_seen_at)
    select gen_random_uuid(), id, member_id, 1, engine_instance_id, 'ref', 'spec', 'image', app_now(), app_now(), ${RATE}::bigint, 1, app_now() + interval '1 day',
      seen_ms, seen_ms + left_ms, lab_cost_micro(${RATE}::bigint, 0, 0, seen_ms + left_ms), app_now() - seen_ms * interval '1 millisecond', app_now()
    from shaped`.execute(db);
  await sql`update wallet w set held = s.held_micro from lab_session s where s.member_id = w.member_id`.execute(db);
  await vacuum(db);
}

/** What autovacuum has done by the time a database is this full. */
async function vacuum(db: Kysely<unknown> | Db): Promise<void> {
  await sql`vacuum (analyze)`.execute(db);
}
