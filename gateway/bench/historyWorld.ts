import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '../db/client';
import { buildMember, buildWorkshop, type TestMember } from '../testing/factories';

export interface History {
  member: TestMember;
  workshopId: string;
  rows: number;
}

const CHARGE = 1_000;
/** Over so many the history is spread; the first is the one that is looked at. */
const WORKSHOPS = 100;

/**
 * A member with so many balance changes, all but a few of them usage of a hundred workshops, and as many events of those. Written past the
 * guards, because a history this long is years of statements; what list pages read is complete.
 */
export async function seedHistory(db: Db, rows: number): Promise<History> {
  const member = await buildMember(db, { remainDcuMicro: BigInt(rows) * BigInt(CHARGE) * 2n });
  const { memberId } = member;
  const engineInstanceId = randomUUID();
  const { workshopId } = await buildWorkshop(db, { memberId, engineInstanceId });
  for (let n = 1; n < WORKSHOPS; n += 1) await buildWorkshop(db, { memberId, engineInstanceId });
  await db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx);
    await sql`
      insert into lab_session (id, workshop_id, member_id, generation, engine_instance_id, spec_id, image_id, queued_at, started_at, ended_at,
        stop_reason, rate_micro_per_hour, price_version, price_fixed_until, observed_ms, lease_limit_ms, held_micro)
      select uuidv7(), id, member_id, 1, engine_instance_id, spec_id, image_id, app_now(), app_now(), app_now(), 'MEMBER', 1000, 1, app_now(), 1000, 1000, 0
      from workshop where member_id = ${memberId}`.execute(tx);
    await sql`
      with base as (select account_id, posted, seq from wallet where member_id = ${memberId} and asset = 'DCU'),
      lab as (select id, workshop_id, row_number() over (order by workshop_id) - 1 as nth from lab_session where member_id = ${memberId}),
      numbered as materialized (select n, app_now() + (n - ${rows}::int) * interval '1 minute' as at from generate_series(1, ${rows}::int - 1) n),
      tx as (
        insert into ledger_tx (kind, idem_key, ref_type, ref_id, created_at)
        select case when n % 1000 = 0 then 'gift' else 'usage' end, 'bench:' || ${memberId}::text || ':' || n, 'bench', n::text, at from numbered
        returning id, kind, ref_id::int as n, created_at),
      entries as (
        insert into ledger_entry (tx_id, line, account_id, asset, amount, account_seq, balance_after, kind, at)
        select tx.id, 1, b.account_id, 'DCU', ${-CHARGE}::bigint, b.seq + tx.n, b.posted - tx.n * ${CHARGE}::bigint, tx.kind, tx.created_at from tx, base b)
      insert into usage_segment (session_id, seq, workshop_id, member_id, from_at, to_at, rate_micro_per_hour, price_version, micro, tx_id)
      select lab.id, tx.n, lab.workshop_id, ${memberId}, tx.created_at - interval '1 minute', tx.created_at, 60000, 1, ${CHARGE}::bigint, tx.id
      from tx join lab on lab.nth = tx.n % ${WORKSHOPS}::int where tx.kind = 'usage'`.execute(tx);
    await sql`update wallet set seq = seq + ${rows}::bigint - 1, posted = posted - (${rows}::bigint - 1) * ${CHARGE}::bigint where member_id = ${memberId} and asset = 'DCU'`.execute(
      tx,
    );
    await sql`
      insert into workshop_event (id, workshop_id, at, from_state, to_state, reason, actor)
      select uuidv7(), w.id, app_now() + (n - ${rows}::int) * interval '1 minute', 'STOPPED', 'QUEUED', 'START_REQUESTED', 'member'
      from generate_series(1, ${rows}::int) n
      join (select id, row_number() over (order by id) - 1 as nth from workshop where member_id = ${memberId}) w on w.nth = n % ${WORKSHOPS}::int`.execute(
      tx,
    );
  });
  return { member, workshopId, rows };
}

/** The one index that costs more to fill than all others together; no list reads it. */
export async function dropOverlapGuard(db: Db): Promise<void> {
  await sql`alter table usage_segment drop constraint usage_segment_workshop_id_tstzrange_excl`.execute(db);
}
