import { sql } from 'kysely';
import { buildTestApp, type TestApp } from '../../testing/buildTestApp';
import { giveCoupon, givePoints, pay, placePackage, placeSku } from '../order/orderWorld';
import { commerceInvariants } from './commerceInvariants';
import { checkInvariants, inspectBooks } from './invariants';

let test: TestApp;
const names = commerceInvariants.map(({ name }) => name);

/** One order of each kind paid, one that waits with coupon, points and a piece of a limited offer, and a code redeemed. */
beforeAll(async () => {
  test = await buildTestApp();
  const member = await test.buildMember();
  await givePoints(test, member, 5_000n);
  const [used, reserved] = [await giveCoupon(test, member), await giveCoupon(test, member)];
  await test.as(member).send('POST /gateway/membership/redeemCoupon', { body: { code: 'WELCOME2026' } });
  const paid = [
    await placeSku(test, member, { couponId: used, points: 100 }),
    await placeSku(test, member, { skuId: 'starter' }),
    await placePackage(test, member),
  ].map(({ data }) => data);
  for (const { orderId } of paid) await pay(test, orderId);
  // What is limited is one a member, and the member has had it.
  const waiting = [
    await placeSku(test, member, { couponId: reserved, points: 200 }),
    await placeSku(test, await test.buildMember(), { skuId: 'starter' }),
  ];
  for (const { envelope } of waiting) expect(envelope.success).toBe(true);
});
afterAll(() => test.close());

class RolledBack extends Error {}

/** Which promises are broken after a corruption that no guard of the tables sees; it is rolled back. */
async function brokenBy(corruption: string): Promise<string[]> {
  let broken: string[] = [];
  const work = test.db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx);
    await sql`drop index payment_applied, coupon_order`.execute(tx);
    const guards = await sql<{ table: string; name: string }>`
      select conrelid::regclass::text as table, conname as name from pg_constraint
      where contype in ('c', 'x') and conrelid in ('"order"'::regclass, 'payment'::regclass, 'sku_stock'::regclass,
        'campaign_total'::regclass, 'coupon'::regclass, 'membership_period'::regclass)`.execute(tx);
    for (const { table, name } of guards.rows) await sql.raw(`alter table ${table} drop constraint ${name}`).execute(tx);
    await sql.raw(corruption).execute(tx);
    const results = await inspectBooks(tx);
    broken = results.filter(({ breaches }) => breaches.length > 0).map(({ name }) => name.split('.')[0] ?? name);
    throw new RolledBack();
  });
  await expect(work).rejects.toThrow(RolledBack);
  return broken;
}

it('holds after a history of every kind, and looks at rows for every promise', async () => {
  const results = await checkInvariants(test.db);

  expect(results.filter(({ breaches }) => breaches.length > 0)).toEqual([]);
  expect(results.filter(({ name, rows }) => names.includes(name) && rows === 0)).toEqual([]);
});

const waiting = `(select id from "order" where state = 'PENDING' and coupon_id is not null)`;
const bought = `(select id from "order" where state = 'FULFILLED' and coupon_id is not null)`;

it.each([
  ['6p', 'points freed alone', `update wallet set held = 0 where asset = 'POINT'`],
  ['6p', 'an order that keeps no points back', `update "order" set points_used = 1 where id = ${waiting}`],
  ['11', 'money for an order that waits', `update payment set order_id = ${waiting} where order_id = ${bought}`],
  ['11', 'money of another amount', `update payment set amount_fen = amount_fen + 1`],
  [
    '11',
    'money applied twice',
    `insert into payment select gen_random_uuid(), order_id, member_id, provider, method, state, amount_fen, currency,
    provider_txn || '2', paid_at, qr_text, redirect_url, created_at, expires_at, next_query_at, queries, applied_at from payment`,
  ],
  [
    '12a',
    'an order that brought nothing',
    `update ledger_tx set idem_key = 'x' || idem_key where idem_key = 'fulfil:' || ${bought}`,
  ],
  [
    '12a',
    'an order that brought something before it was paid',
    `update "order" set fulfilled_at = null, state = 'PENDING' where id = ${bought}`,
  ],
  ['12a', 'more than was bought', `update dcu_lot set granted = granted + 1 where order_id = ${bought} and source = 'purchase'`],
  ['12a', 'what belongs to another order', `update dcu_lot set order_id = ${waiting} where order_id = ${bought}`],
  ['12b', 'a package lost', `delete from purchased_package_item where order_id is not null`],
  ['12c', 'a bonus that never came', `update "order" set offer = offer || '{"bonusMicro": "1"}' where id = ${bought}`],
  ['12c', 'a bonus nobody sold', `update ledger_tx set idem_key = 'bonus:' || ${bought} where idem_key = 'fulfil:' || ${bought}`],
  [
    '12c',
    'DCU of a coupon that has none',
    `update ledger_tx set idem_key = 'coupon:' || ${waiting} where idem_key = 'fulfil:' || ${bought}`,
  ],
  ['12d', 'points that were not spent', `update ledger_tx set idem_key = 'x' || idem_key where idem_key = 'spend:' || ${bought}`],
  [
    '12d',
    'points spent by what waits',
    `update ledger_tx set idem_key = 'spend:' || ${waiting} where idem_key = 'spend:' || ${bought}`,
  ],
  ['12d', 'points earned alone', `update "order" set points_earned = points_earned + 1 where id = ${bought}`],
  ['13', 'a coupon freed beneath its order', `update coupon set state = 'AVAILABLE', order_id = null where state = 'RESERVED'`],
  ['13', 'a coupon used on what waits', `update coupon set state = 'USED', used_at = app_now() where state = 'RESERVED'`],
  ['13', 'a coupon reserved by what is over', `update coupon set state = 'RESERVED', used_at = null where state = 'USED'`],
  ['13', 'a coupon of an order that never asked for it', `update "order" set coupon_id = null where id = ${waiting}`],
  [
    '13',
    'another coupon than the order’s',
    `update coupon set order_id = ${waiting}, state = 'RESERVED' where state = 'AVAILABLE'`,
  ],
  ['14', 'a piece freed alone', `update sku_stock set reserved = 0`],
  ['14', 'a piece sold twice', `update sku_stock set sold = sold + 1`],
  ['14', 'more gone than there was', `update sku_stock set initial = 1`],
  [
    '15',
    'two levels at once',
    `insert into membership_period (id, member_id, package_name, level_flag, starts_at, ends_at)
    select gen_random_uuid(), member_id, package_name, level_flag, starts_at, ends_at from membership_period limit 1`,
  ],
  ['16', 'a code counted alone', `update campaign_total set redeemed = redeemed + 1 where campaign_id = 'welcome-2026'`],
  ['16', 'a redemption that was not counted', `delete from campaign_redemption`],
  ['16', 'a code beyond its most', `update campaign_total set most = 0 where redeemed = 1`],
])('turns promise %s red at %s', async (promise, _words, corruption) => {
  expect(await brokenBy(corruption)).toContain(promise);
});
