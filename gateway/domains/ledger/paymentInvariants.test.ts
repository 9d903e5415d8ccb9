import { sql } from 'kysely';
import { buildTestApp, type TestApp } from '../../testing/buildTestApp';
import type { TestMember } from '../../testing/factories';
import { advance } from '../../testing/testDatabase';
import { givePoints, placeSku } from '../order/orderWorld';
import { moneyComes } from '../payment/noticeWorld';
import { attemptOf, buySku, choose, deliver, giveBack, payOrder } from '../payment/paymentWorld';
import { inspectBooks } from './invariants';
import { paymentInvariants } from './paymentInvariants';

let test: TestApp;
const orders: Record<'part' | 'whole' | 'refused' | 'under way' | 'paid', string> = {
  ...{ part: '', whole: '', refused: '', 'under way': '', paid: '' },
};

/** Refunds of every end, money that was too much, and an order that was paid. */
beforeAll(async () => {
  test = await buildTestApp();
  await test.app.listen({ host: '127.0.0.1', port: 0 });
  await advance(test.db, 0);
  const member = await test.buildMember();
  await givePoints(test, member, 1_000n);
  orders.part = await bought(member);
  await test.services.refunds.refund({
    ...{ order: { id: orders.part, memberId: member.memberId }, reason: 'OPERATOR', expectedFen: null, note: '', actor: 'test' },
    ...{ mostMicro: 10_000_000n, idemKey: 'part' },
  });
  orders.whole = await bought(member);
  await giveBack(test, member, orders.whole);
  for (const [name, mode] of [
    ['refused', 'refuse'],
    ['under way', 'later'],
  ] as const) {
    orders[name] = await bought(member);
    await choose(test, await paymentOf(orders[name]), mode);
    await giveBack(test, member, orders[name]);
  }
  orders.paid = (await placeSku(test, member)).data.orderId;
  const { paymentId } = await attemptOf(test, member, orders.paid);
  await payOrder(test, member, orders.paid);
  await moneyComes(test, paymentId);
  await deliver(test);
  await test.services.refundSending.sendDue();
});
afterAll(() => test.close());

async function bought(member: TestMember): Promise<string> {
  return (await buySku(test, member, { skuId: 'dcu-100', points: 100 })).orderId;
}

async function paymentOf(orderId: string): Promise<string> {
  return (await test.db.selectFrom('payment').select('id').where('orderId', '=', orderId).executeTakeFirstOrThrow()).id;
}

class RolledBack extends Error {}

/** Which promises are broken after a corruption that no guard of the tables sees; it is rolled back. */
async function brokenBy(corruption: string): Promise<string[]> {
  let broken: string[] = [];
  const work = test.db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx);
    const guards = await sql<{ table: string; name: string }>`
      select conrelid::regclass::text as table, conname as name from pg_constraint
      where contype = 'c' and conrelid in ('"order"'::regclass, 'payment'::regclass, 'refund'::regclass)`.execute(tx);
    for (const { table, name } of guards.rows) await sql.raw(`alter table ${table} drop constraint ${name}`).execute(tx);
    await sql.raw(corruption).execute(tx);
    const results = await inspectBooks(tx);
    broken = results.filter(({ breaches }) => breaches.length > 0).map(({ name }) => name.split('.')[0] ?? name);
    throw new RolledBack();
  });
  await expect(work).rejects.toThrow(RolledBack);
  return broken;
}

it('holds after payments and refunds of every kind, and looks at rows for every promise', async () => {
  const results = await test.db.transaction().execute(inspectBooks);
  const names = new Set(paymentInvariants.map(({ name }) => name));

  expect(results.filter(({ breaches }) => breaches.length > 0)).toEqual([]);
  expect(results.filter(({ name, rows }) => names.has(name) && rows === 0)).toEqual([]);
});

const of = (name: keyof typeof orders) => `(select id from "order" where id = '${orders[name]}')`;
const refundOf = (name: keyof typeof orders) => `(select id from refund where order_id = '${orders[name]}')`;

it.each<[string, string, () => string]>([
  ['19a', 'an order that nobody paid', () => `delete from payment where order_id = ${of('paid')} and applied_at is not null`],
  [
    '19b',
    'more sent back than refunds say',
    () => `update payment set refunded_fen = refunded_fen + 1 where order_id = ${of('part')}`,
  ],
  ['19b', 'refunds of more than came', () => `update refund set amount_fen = 10001 where order_id = ${of('under way')}`],
  ['19c', 'an order of which less went back', () => `update "order" set refunded_fen = 0 where id = ${of('whole')}`],
  ['19c', 'an order left REFUNDING', () => `update "order" set state = 'REFUNDING' where id = ${of('whole')}`],
  [
    '19c',
    'an order that no longer waits for its refund',
    () => `update "order" set state = 'FULFILLED' where id = ${of('under way')}`,
  ],
  [
    '19c',
    'an order given back in part that says nothing of it',
    () => `update "order" set state = 'FULFILLED' where id = ${of('part')}`,
  ],
  [
    '19c',
    'an order given back whole that says in part',
    () => `update "order" set state = 'PART_REFUNDED' where id = ${of('whole')}`,
  ],
  ['19d', 'money too much that is kept', () => `delete from refund where reason = 'SURPLUS'`],
  ['19d', 'money too much of which a part is kept', () => `update refund set amount_fen = amount_fen - 1 where reason = 'SURPLUS'`],
  [
    '19d',
    'money sent back twice',
    () => `insert into refund (id, order_id, member_id, payment_id, reason, state, amount_fen, is_whole, actor, idem_key, created_at, ended_at)
      select gen_random_uuid(), order_id, member_id, payment_id, reason, state, amount_fen, is_whole, actor, 'again', created_at, ended_at
      from refund where reason = 'SURPLUS'`,
  ],
  [
    '19d',
    'cash out of another order’s payment',
    () => `update refund set payment_id = (select id from payment where order_id = ${of('part')}) where id = ${refundOf('whole')}`,
  ],
  [
    '19e',
    'fewer DCU taken than it says',
    () => `update refund set withdrawn_micro = withdrawn_micro + 1 where id = ${refundOf('part')}`,
  ],
  ['19e', 'DCU not given back', () => `update refund set state = 'FAILED' where id = ${refundOf('part')}`],
  ['19e', 'DCU given back though cash was', () => `update refund set state = 'SUCCEEDED' where id = ${refundOf('refused')}`],
  ['19e', 'DCU taken by no refund', () => `delete from refund where id = ${refundOf('whole')}`],
  [
    '19f',
    'fewer points taken than it says',
    () => `update refund set withdrawn_points = withdrawn_points + 1 where id = ${refundOf('whole')}`,
  ],
  ['19f', 'points not given back', () => `update refund set returned_points = 101 where id = ${refundOf('whole')}`],
  [
    '19f',
    'points kept of a refund that was refused',
    () => `update ledger_tx set idem_key = 'lost' where idem_key = 'return:withdrawn:' || ${refundOf('refused')}`,
  ],
])('turns promise %s red at %s', async (promise, _words, corruption) => {
  expect(await brokenBy(corruption())).toContain(promise);
});
