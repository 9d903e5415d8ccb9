import { sql } from 'kysely';
import type { Db } from '../db/client';
import type { TestMember } from '../testing/factories';

/** Sessions a day has usage of: one of each workshop. */
export const SESSIONS_A_DAY = 100;
const ORDER_MICRO = '10000000';

/**
 * As many orders, points changes and lines of bills as the member has balance changes. Written past the guards, as `seedHistory` does and
 * after it: the sessions are its.
 */
export async function seedCommerce(db: Db, { memberId }: Pick<TestMember, 'memberId'>, rows: number): Promise<void> {
  const offer = {
    micro: ORDER_MICRO,
    bonusMicro: '0',
    couponMicro: '0',
    validDays: 365,
    couponValidDays: null,
    package: null,
    plan: null,
  };
  await db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx);
    await sql`
      insert into "order" (id, order_no, member_id, seq, kind, product_id, quantity, title, offer, price_version, is_limited, state, list_fen,
        student_discount_fen, upgrade_credit_fen, coupon_discount_fen, points_discount_fen, payable_fen, points_used, placed_at, pay_until, fulfilled_at, closed_at)
      select uuidv7(), lpad((${rows}::bigint * 10000000 + n)::text, 20, '0'), ${memberId}, n, case when n % 50 = 0 then 'PACKAGE' else 'SKU' end, 'dcu-10', 1,
        '{"en-US":"10 DCU","zh-CN":"10 DCU"}', ${JSON.stringify(offer)}::jsonb, 1, false, case when n % 20 = 0 then 'CANCELLED' else 'FULFILLED' end,
        1000, 0, 0, 0, 0, 1000, 0, at, at + interval '30 minutes', case when n % 20 = 0 then null else at end, case when n % 20 = 0 then at end
      from (select n, app_now() + (n - ${rows}::int) * interval '1 minute' as at from generate_series(1, ${rows}::int) n) o`.execute(
      tx,
    );
    await sql`
      with base as (select account_id, seq from wallet where member_id = ${memberId} and asset = 'POINT'),
      numbered as materialized (select n, app_now() + (n - ${rows}::int) * interval '1 minute' as at from generate_series(1, ${rows}::int) n),
      tx as (
        insert into ledger_tx (kind, idem_key, ref_type, ref_id, created_at)
        select case when n % 100 = 0 then 'checkIn' else 'earn' end, 'bench:points:' || ${memberId}::text || ':' || n, 'bench', n::text, at from numbered
        returning id, kind, ref_id::int as n, created_at)
      insert into ledger_entry (tx_id, line, account_id, asset, amount, account_seq, balance_after, kind, at)
      select tx.id, 1, b.account_id, 'POINT', 1, b.seq + tx.n, tx.n, tx.kind, tx.created_at from tx, base b`.execute(tx);
    await sql`update wallet set seq = seq + ${rows}::bigint, posted = posted + ${rows}::bigint where member_id = ${memberId} and asset = 'POINT'`.execute(
      tx,
    );
    await sql`
      insert into usage_day (member_id, day, session_id, workshop_id, micro, ms, segments)
      select ${memberId}, billing_day(app_now()) - d, s.id, s.workshop_id, 1000, 60000, 1
      from generate_series(0, ${rows}::int / ${SESSIONS_A_DAY}::int - 1) d, (select id, workshop_id from lab_session where member_id = ${memberId} limit ${SESSIONS_A_DAY}) s`.execute(
      tx,
    );
  });
}
