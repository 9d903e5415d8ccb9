import { brokenConstraint, type Tx } from '../../db/client';
import { buildTestApp, type TestApp } from '../../testing/buildTestApp';
import type { TestMember } from '../../testing/factories';
import { advance } from '../../testing/testDatabase';
import { belongings, placeSku } from '../order/orderWorld';
import { moneyComes, notify, paidNotice, signed } from './noticeWorld';
import { attemptOf, brokenPromises, buySku, choose, deliver, giveBack, moneyOf } from './paymentWorld';

let test: TestApp;
let member: TestMember;
beforeAll(async () => {
  test = await buildTestApp();
  await test.app.listen({ host: '127.0.0.1', port: 0 });
  await advance(test.db, 0);
});
beforeEach(async () => {
  member = await test.buildMember({ remainDcuMicro: 0n });
});
afterEach(async () => {
  jest.restoreAllMocks();
  expect(await brokenPromises(test)).toEqual([]);
});
afterAll(() => test.close());

async function attempted(): Promise<{ orderId: string; paymentId: string }> {
  const { orderId } = (await placeSku(test, member)).data;
  return { orderId, paymentId: (await attemptOf(test, member, orderId)).paymentId };
}

/** Until somebody waits for a lock. */
async function untilSomebodyWaits(): Promise<void> {
  const waiting = `select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  while ((await test.pool.query(waiting)).rows[0].n === 0) await new Promise((resolve) => setImmediate(resolve));
}

/** Does `work` while a transaction of somebody else's holds what `hold` locked, commits that, and answers what the work came to. */
async function whileHeld<T>(
  hold: (tx: Tx) => Promise<unknown>,
  work: () => Promise<T>,
  also?: (tx: Tx) => Promise<unknown>,
): Promise<T> {
  const holder = await test.db.startTransaction().execute();
  await hold(holder);
  const working = work();
  await untilSomebodyWaits();
  await also?.(holder);
  await holder.commit().execute();
  return working;
}

const row = (tx: Tx, table: 'order' | 'payment' | 'refund', id: string) =>
  tx.selectFrom(table).select('id').where('id', '=', id).forUpdate().executeTakeFirstOrThrow();

describe('money that comes', () => {
  it('waits for the member’s wallet before it locks anything else', async () => {
    const { orderId, paymentId } = await attempted();
    const notice = await signed(test, await paidNotice(test, paymentId));

    const answer = await whileHeld(
      (tx) => test.services.ledger.lockWallet(tx, member.memberId),
      () => notify(test, notice),
      async (tx) => {
        for (const [table, id] of [
          ['order', orderId],
          ['payment', paymentId],
        ] as const) {
          await tx.selectFrom(table).select('id').where('id', '=', id).forUpdate().noWait().executeTakeFirstOrThrow();
        }
      },
    );

    expect(answer.text).toBe('success');
    expect((await moneyOf(test, orderId)).order.state).toBe('FULFILLED');
  });

  it('waits for whoever holds the order, and goes back where they closed it', async () => {
    const { orderId, paymentId } = await attempted();
    const notice = await signed(test, await paidNotice(test, paymentId));

    const answer = await whileHeld(
      (tx) => row(tx, 'order', orderId),
      () => notify(test, notice),
      async (tx) => {
        const at = await advance(test.db, 0);
        await test.services.orders.move(tx, { orderId, from: 'PENDING', to: 'CANCELLED', reason: 'TEST', actor: 'system', at });
      },
    );

    expect(answer.text).toBe('success');
    expect((await moneyOf(test, orderId)).payments).toMatchObject([{ state: 'ORPHAN' }]);
  });

  it('waits for whoever holds the attempt, and is known where they took it', async () => {
    const { orderId, paymentId } = await attempted();
    const said = await paidNotice(test, paymentId);
    const notice = await signed(test, said);
    const taken = { state: 'SUCCEEDED', providerTxn: String(said.providerTxn), paidAt: new Date(), nextQueryAt: null } as const;

    const answer = await whileHeld(
      (tx) => row(tx, 'payment', paymentId),
      () => notify(test, notice),
      async (tx) => {
        const appliedAt = await advance(test.db, 0);
        await tx
          .updateTable('payment')
          .set({ ...taken, appliedAt })
          .where('id', '=', paymentId)
          .execute();
      },
    );

    expect(answer.text).toBe('success');
    expect((await moneyOf(test, orderId)).order.state).toBe('PENDING');
    // As whoever took it would have gone on.
    await test.db.transaction().execute(async (tx) => {
      await test.services.ledger.lockWallet(tx, member.memberId);
      const order = await test.services.orders.lockMine(tx, member.memberId, orderId);
      await test.services.orders.fulfil(tx, { order, actor: 'provider', evidence: {} });
    });
  });
});

describe('a refund', () => {
  it('waits for the member’s wallet before it locks anything else', async () => {
    const { orderId } = await buySku(test, member);

    const refunded = await whileHeld(
      (tx) => test.services.ledger.lockWallet(tx, member.memberId),
      () => giveBack(test, member, orderId, { seenFen: 5_000 }),
      (tx) => tx.selectFrom('order').select('id').where('id', '=', orderId).forUpdate().noWait().executeTakeFirstOrThrow(),
    );

    expect(refunded.data.state).toBe('REFUNDED');
  });

  it('that somebody else ended while this one waited is not ended twice', async () => {
    const { orderId, paymentId } = await attempted();
    await moneyComes(test, paymentId, 2);
    await deliver(test);
    const [refund] = (await moneyOf(test, orderId)).refunds;
    if (!refund?.paymentId) throw new Error('there is no surplus');
    const { id, paymentId: orphanId, amountFen, createdAt: endedAt } = refund;
    const other = await test.db.startTransaction().execute();
    jest.spyOn(test.services.sandbox.provider, 'refund').mockImplementationOnce(async () => {
      await row(other, 'payment', orphanId);
      await row(other, 'refund', id);
      return 'SUCCEEDED';
    });

    const sending = test.services.refundSending.send(id, 'now');
    await untilSomebodyWaits();
    await other.updateTable('refund').set({ state: 'SUCCEEDED', endedAt, nextTryAt: null }).where('id', '=', id).execute();
    await other.updateTable('payment').set({ refundedFen: amountFen }).where('id', '=', orphanId).execute();
    await other.commit().execute();
    await sending;

    expect((await moneyOf(test, orderId)).refunds).toMatchObject([{ state: 'SUCCEEDED', endedAt: refund.createdAt }]);
  });

  it('asked for twenty times at once by the loop and the member asks the provider for money once', async () => {
    const { orderId, payments } = await buySku(test, member);
    await choose(test, payments[0]?.paymentId ?? '', 'later');
    await giveBack(test, member, orderId);
    await advance(test.db, 20_000);
    const [refund] = (await moneyOf(test, orderId)).refunds;

    await Promise.all(Array.from({ length: 20 }, () => test.services.refundSending.send(refund?.id ?? '', 'now')));

    expect((await moneyOf(test, orderId)).order).toMatchObject({ state: 'REFUNDED', refundedFen: 5_000n });
    expect((await belongings(test, member)).micro).toBe(0n);
  });
});

describe('the database', () => {
  let ids: { orderId: string; openId: string; paidId: string; refundId: string };
  beforeAll(async () => {
    member = await test.buildMember({ remainDcuMicro: 0n });
    const { orderId, paymentId: openId } = await attempted();
    const paid = await buySku(test, member);
    const paidId = paid.payments[0]?.paymentId ?? '';
    await choose(test, paidId, 'later');
    await giveBack(test, member, paid.orderId);
    const [refund] = (await moneyOf(test, paid.orderId)).refunds;
    ids = { orderId, openId, paidId, refundId: refund?.id ?? '' };
  });

  const columns = 'order_id, member_id, provider, method, amount_fen, created_at, expires_at';
  const copied = `insert into payment (id, ${columns}) select gen_random_uuid(), ${columns} from payment where id`;
  const refund = 'order_id, member_id, payment_id, reason, amount_fen, is_whole, actor, created_at, next_try_at';

  it.each<[string, () => string, string]>([
    ['a second open attempt of one way to pay', () => `${copied} = '${ids.openId}'`, 'payment_open'],
    [
      'a second payment applied to an order',
      () => `with fresh as (insert into payment (id, ${columns}) select gen_random_uuid(), ${columns} from payment where id = '${ids.paidId}' returning id)
        select id from fresh;
        update payment set state = 'SUCCEEDED', provider_txn = 'other', applied_at = app_now() where state = 'CREATED' and order_id =
          (select order_id from payment where id = '${ids.paidId}')`,
      'payment_applied',
    ],
    [
      'the same money twice',
      () => `update payment set state = 'SUCCEEDED', applied_at = app_now(), next_query_at = null, provider_txn =
        (select provider_txn from payment where id = '${ids.paidId}') where id = '${ids.openId}'`,
      'payment_provider_provider_txn_key',
    ],
    [
      'more going back than came',
      () => `update payment set refunded_fen = amount_fen + 1 where id = '${ids.paidId}'`,
      'payment_check1',
    ],
    [
      'a second refund of an order while one is under way',
      () =>
        `insert into refund (id, idem_key, ${refund}) select gen_random_uuid(), 'other', ${refund} from refund where id = '${ids.refundId}'`,
      'refund_open',
    ],
    [
      'a second refund under one key',
      () => `insert into refund (id, idem_key, state, ended_at, order_id, member_id, reason, amount_fen, is_whole, actor, created_at)
        select gen_random_uuid(), idem_key, 'FAILED', created_at, order_id, member_id, reason, 0, is_whole, actor, created_at
        from refund where id = '${ids.refundId}'`,
      'refund_idem_key_key',
    ],
  ])('refuses %s', async (_words, statement, constraint) => {
    const client = await test.pool.connect();
    try {
      await client.query('begin');
      const failure: unknown = await client.query(statement()).catch((error: unknown) => error);
      expect(brokenConstraint(failure)).toBe(constraint);
    } finally {
      await client.query('rollback');
      client.release();
    }
  });

  it.each<[string, () => string]>([
    [
      'a payment that un-happens',
      () => `update payment set state = 'CLOSED', provider_txn = null, applied_at = null where id = '${ids.paidId}'`,
    ],
    ['a payment of another amount', () => `update payment set amount_fen = amount_fen - 1 where id = '${ids.openId}'`],
    [
      'money taken back from a refund',
      () =>
        `update payment set refunded_fen = 1 where id = '${ids.paidId}'; update payment set refunded_fen = 0 where id = '${ids.paidId}'`,
    ],
    ['a payment that is forgotten', () => `delete from payment where id = '${ids.openId}'`],
    ['a refund that is forgotten', () => `delete from refund where id = '${ids.refundId}'`],
  ])('refuses %s', async (_words, statement) => {
    await expect(test.pool.query(statement())).rejects.toThrow();
  });
});
