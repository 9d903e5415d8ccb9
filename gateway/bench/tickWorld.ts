import { sql } from 'kysely';
import type { Db } from '../db/client';

/** In what state the running sessions are when the meter passes. */
export interface Load {
  name: string;
  /** One session in this many has less than half of its lease left; 0 for none. */
  lowLeaseEvery: number;
  /** One session in this many has a segment that is due; 0 for none. */
  dueSegmentEvery: number;
}

const RATE = 1_234_567;
const BALANCE = 1_000_000_000;

/** Members with one running lab each, a funded wallet and one lot, written set-based through the same guards as the product's own. */
export async function seedSessions(db: Db, sessions: number): Promise<void> {
  await sql`insert into engine_instance (id, kind) values (uuidv7(), 'simulated')`.execute(db);
  await sql`
    insert into member (id, username, password_hash, mobile)
    select uuidv7(), 'bench-' || n, 'x', '+86' || (100000000 + n) from generate_series(1, ${sessions}::int) n`.execute(db);
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
      select tx.id, 1, w.account_id, 'DCU', ${BALANCE}::bigint, 1, ${BALANCE}::bigint, tx.kind, tx.created_at from tx join wallet w using (member_id)
      union all select tx.id, 2, a.id, 'DCU', -${BALANCE}::bigint, null, null, tx.kind, tx.created_at
      from tx, ledger_account a where a.owner_kind = 'platform' and a.asset = 'DCU' and a.purpose = 'gift'),
    lot as (
      insert into dcu_lot (member_id, origin_tx_id, source, granted, remaining, granted_at)
      select member_id, id, 'gift', ${BALANCE}::bigint, ${BALANCE}::bigint, created_at - interval '1 day' from tx)
    update wallet set posted = ${BALANCE}::bigint, seq = 1`.execute(db);
  await sql`
    insert into workshop (id, member_id, name, spec_id, image_id, engine_instance_id)
    select uuidv7(), m.id, 'w', 'spec', 'image', e.id from member m, engine_instance e`.execute(db);
  await sql`
    insert into lab_session (id, workshop_id, member_id, generation, engine_instance_id, engine_ref, spec_id, image_id, queued_at, started_at,
      rate_micro_per_hour, price_version, price_fixed_until, lease_limit_ms, held_micro, segment_from_at, last_seen_at)
    select uuidv7(), id, member_id, 1, engine_instance_id, 'ref', 'spec', 'image', app_now(), app_now(),
      ${RATE}::bigint, 1, app_now() + interval '1 day', 0, 0, app_now(), app_now()
    from workshop`.execute(db);
}

/** Puts every session where the load says, whatever passes before did to it; what was charged stays charged. */
export async function shapeSessions(db: Db, { lowLeaseEvery, dueSegmentEvery }: Load): Promise<void> {
  await db.transaction().execute(async (tx) => {
    // Segments of an earlier load lie at the same time of day; the guards are the product's and this is not.
    await sql`set local session_replication_role = replica`.execute(tx);
    await sql`delete from usage_segment`.execute(tx);
    await sql`
      with numbered as (select id, row_number() over (order by id) as n from lab_session),
      shaped as (select id, case when n % ${dueSegmentEvery || 2 ** 30}::int = 0 then 3600000 else 600000 end as seen_ms,
        case when n % ${lowLeaseEvery || 2 ** 30}::int = 0 then 240000 else 540000 end as left_ms from numbered),
      placed as (select s.id, s.seen_ms, l.segment_from_ms + s.seen_ms as observed_ms, l.segment_from_ms + s.seen_ms + s.left_ms as limit_ms
        from shaped s join lab_session l using (id))
      update lab_session l set observed_ms = p.observed_ms, lease_limit_ms = p.limit_ms,
        held_micro = lab_cost_micro(rate_micro_per_hour, rate_base_ms, rate_base_micro, p.limit_ms) - charged_micro,
        segment_from_at = app_now() - p.seen_ms * interval '1 millisecond', metered_until = null
      from placed p where p.id = l.id`.execute(tx);
    await sql`update wallet w set held = s.held_micro from lab_session s where s.member_id = w.member_id`.execute(tx);
  });
  await sql`vacuum (analyze)`.execute(db);
  await sql`checkpoint`.execute(db);
}
