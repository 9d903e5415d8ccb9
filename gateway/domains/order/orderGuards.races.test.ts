import { sql } from 'kysely';
import { brokenConstraint, inTransaction, sqlState, type Tx } from '../../db/client';
import { buildTestApp, type TestApp } from '../../testing/buildTestApp';
import type { TestMember } from '../../testing/factories';
import { advance } from '../../testing/testDatabase';
import { buySku } from '../payment/paymentWorld';
import { PAY_MS } from './order.rules';
import { cancelOrder, givePoints, pay, placeSku } from './orderWorld';
import { freeStock, reserveStock } from './stock.repository';

const LOCKED = '55P03';

let test: TestApp;
let member: TestMember;
/** An order that is paid with money, and one of a limited offer that waits. */
let paid: string;
let waiting: string;
beforeAll(async () => {
  test = await buildTestApp();
  await advance(test.db, 0);
  member = await test.buildMember();
  await givePoints(test, member, 100n);
  paid = (await buySku(test, member)).orderId;
  waiting = (await placeSku(test, member, { skuId: 'starter' })).data.orderId;
});
afterAll(() => test.close());

/** The constraint or state by which the database refuses a statement; nothing of it stays. */
async function refusalOf(work: (tx: Tx) => Promise<unknown>): Promise<string> {
  try {
    await inTransaction(test.db, async (tx) => {
      await work(tx);
      throw new Error('not refused');
    });
  } catch (error) {
    return brokenConstraint(error) || sqlState(error) || String(error);
  }
  return '';
}

const run = (statement: string) => (tx: Tx) => sql.raw(statement).execute(tx);
const COPY_OF_ORDER = (changes: Record<string, string>) => `
  insert into "order" select (jsonb_populate_record(o, jsonb_build_object(
    'id', gen_random_uuid(), 'order_no', lpad((random() * 1e9)::bigint::text, 20, '0') ${Object.entries(changes)
      .map(([name, value]) => `, '${name}', ${value}`)
      .join('')}))).* from "order" o`;

describe('without the wallet’s lock the database itself refuses', () => {
  it('a second order of a limited offer that waits', async () => {
    expect(await refusalOf((tx) => run(`${COPY_OF_ORDER({})} where id = '${waiting}'`)(tx))).toBe('order_limited');
  });

  it('two orders with one number', async () => {
    const twin = `${COPY_OF_ORDER({ order_no: 'o.order_no', product_id: "'other'" })} where id = '${waiting}'`;
    expect(await refusalOf(run(twin))).toBe('order_order_no_key');
  });

  it('two orders in one place of a member’s list', async () => {
    const copy = `${COPY_OF_ORDER({ product_id: "'other'" })} where id = '${waiting}'`;
    const twins = await Promise.allSettled(
      [1, 2].map(() =>
        inTransaction(test.db, async (tx) => {
          await run(copy)(tx);
          // Both have read the same last place by the time one of them is through.
          await run('select pg_sleep(0.3)')(tx);
        }),
      ),
    );
    const refused = twins.flatMap((twin) => (twin.status === 'rejected' ? [brokenConstraint(twin.reason)] : []));
    expect(refused).toEqual(['order_member_id_seq_key']);
  });

  it('more pieces than there are, and to give back what nobody has', async () => {
    const beyond = `update sku_stock set sold = initial + 1 where sku_id = 'starter'`;
    expect(await refusalOf(run(beyond))).toBe('sku_stock_check');
    expect(await refusalOf((tx) => freeStock(tx, { productId: 'starter', quantity: 2 }))).toBe('sku_stock_reserved_check');
    const ask = { productId: 'starter', quantity: 501, stock: 500 };
    expect(await inTransaction(test.db, (tx) => reserveStock(tx, ask))).toBe(false);
  });

  it('points set aside that nobody has', async () => {
    const hold = (points: bigint) => (tx: Tx) =>
      test.services.points.hold(tx, { memberId: member.memberId, orderId: waiting, points });
    expect(await refusalOf(hold(100_000n))).toBe('wallet_check');
    expect(await refusalOf(hold(-1n))).toBe('wallet_held_check');
  });

  it('an order that goes where it cannot, begins elsewhere than waiting or changes what it costs', async () => {
    for (const change of [`state = 'PENDING'`, `state = 'REFUNDED'`, 'payable_fen = payable_fen - 1', `points_used = 1`]) {
      expect(await refusalOf(run(`update "order" set ${change} where id = '${paid}'`))).toBe('23514');
    }
    expect(await refusalOf(run(`${COPY_OF_ORDER({})} where id = '${paid}'`))).toBe('23514');
  });
});

describe('what an order is changed under', () => {
  async function isSomebodyWaiting(): Promise<boolean> {
    const { rows } = await test.pool.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return rows.length > 0;
  }

  /** Whether a second transaction must wait for the row that the first one locked. */
  async function isHeld(lock: (tx: Tx) => Promise<unknown>): Promise<boolean> {
    return inTransaction(test.db, async (tx) => {
      await lock(tx);
      const other = test.db.transaction().execute(async (waitingTx) => {
        await sql`set local lock_timeout = '100ms'`.execute(waitingTx);
        await lock(waitingTx);
      });
      return other.then(
        () => false,
        (error: unknown) => sqlState(error) === LOCKED,
      );
    });
  }

  it('is held by one at a time: wallet, points, order and stock', async () => {
    const locks: Record<string, (tx: Tx) => Promise<unknown>> = {
      wallet: (tx) => test.services.ledger.lockWallet(tx, member.memberId),
      points: (tx) => test.services.ledger.lockPoints(tx, member.memberId),
      order: (tx) => test.services.orders.lockOrder(tx, waiting),
      stock: (tx) => reserveStock(tx, { productId: 'starter', quantity: 0, stock: 500 }),
    };
    for (const [name, lock] of Object.entries(locks)) expect([name, await isHeld(lock)]).toEqual([name, true]);
  });

  it.each([
    ['placed', async () => void (await placeSku(test, member, { skuId: 'dcu-50', expectedPayableFen: 5_000 })).data],
    ['cancelled', async (orderId: string) => void (await cancelOrder(test, member, orderId)).data],
    ['over', async () => void (await test.services.orders.expireDue())],
  ])('waits for the wallet first where it is %s, and locks nothing else meanwhile', async (_end, act) => {
    const { orderId } = (await placeSku(test, member, { skuId: 'dcu-10' })).data;
    if (_end === 'over') await advance(test.db, PAY_MS);
    const holder = await test.db.startTransaction().execute();
    await test.services.ledger.lockWallet(holder, member.memberId);
    let isDone = false;
    const acting = act(orderId).finally(() => {
      isDone = true;
    });
    while (!isDone && !(await isSomebodyWaiting())) await new Promise((resolve) => setImmediate(resolve));
    const isFree = holder.selectFrom('order').select('id').where('id', '=', orderId).forUpdate().noWait();

    expect(isDone).toBe(false);
    expect(await isFree.executeTakeFirst()).toEqual({ id: orderId });
    await holder.commit().execute();
    await acting;
    await cancelOrder(test, member, orderId);
  });

  it('is looked at again: who comes second finds the order fulfilled and changes nothing', async () => {
    const { orderId } = (await placeSku(test, member, { skuId: 'dcu-10' })).data;
    expect(await pay(test, orderId)).toBe(true);
    const at = await advance(test.db, 0);
    const again = { orderId, from: 'PENDING', to: 'FULFILLED', reason: 'PAID', actor: 'system', at } as const;

    await expect(inTransaction(test.db, (tx) => test.services.orders.move(tx, again))).rejects.toThrow('is not PENDING');
    const fulfil = inTransaction(test.db, async (tx) => {
      const order = await test.services.orders.lockMine(tx, member.memberId, orderId);
      await test.services.orders.fulfil(tx, { order, actor: 'system', evidence: {} });
    });
    await expect(fulfil).rejects.toThrow('is FULFILLED, not PENDING');
    expect(await pay(test, orderId)).toBe(false);
  });
});
