import fc from 'fast-check';
import { buildTestApp, type TestApp } from '../../testing/buildTestApp';
import type { TestMember } from '../../testing/factories';
import { advance } from '../../testing/testDatabase';
import { givePoints, placeSku } from '../order/orderWorld';
import { moneyComes } from './noticeWorld';
import { brokenPromises, choose, giveBack } from './paymentWorld';

const [RUNS, LIMIT_MS] = process.env.ATELIER_DEEP ? [60, 1_200_000] : [2, 120_000];
const ORDERS = 6;
const MINUTE_MS = 60_000;

const steps = [
  'attempt',
  'attemptByCard',
  'money',
  'money',
  'deliver',
  'settle',
  'cancel',
  'expire',
  'refund',
  'send',
  'refuse',
  'later',
] as const;
type Step = (typeof steps)[number];

describe('a storm of payers, notices, cancellations, loops and refunds', () => {
  let test: TestApp;
  let member: TestMember;
  beforeAll(async () => {
    test = await buildTestApp();
    await test.app.listen({ host: '127.0.0.1', port: 0 });
    await advance(test.db, 0);
  });
  afterAll(() => test.close());

  async function someAttempt(orderId: string, nth: number): Promise<string | undefined> {
    const attempts = await test.db
      .selectFrom('sandboxTrade')
      .innerJoin('payment', 'payment.id', 'sandboxTrade.paymentId')
      .select('payment.id')
      .where('payment.orderId', '=', orderId)
      .orderBy('payment.id')
      .execute();
    return attempts[nth % Math.max(attempts.length, 1)]?.id;
  }

  /** One thing somebody does; what the order no longer allows is refused, and nothing else may go wrong. */
  async function take(step: Step, orderId: string, nth: number): Promise<void> {
    const { payments, refundSending, orders } = test.services;
    const pay = (method: string) => test.as(member).send('POST /gateway/order/payPending', { body: { orderId, method } });
    const attempt = await someAttempt(orderId, nth);
    const choice = (action: 'refuse' | 'later') => attempt && choose(test, attempt, action).catch(() => undefined);
    const works: Readonly<Record<Step, () => unknown>> = {
      attempt: () => pay('sandbox'),
      attemptByCard: () => pay('sandbox-card'),
      money: () => attempt && moneyComes(test, attempt, 1 + (nth % 2)),
      deliver: () => test.services.sandbox.sendNotices(),
      settle: () => payments.settleDue(),
      cancel: () => test.as(member).send('POST /gateway/order/cancel', { body: { orderId } }),
      expire: () => orders.expireDue(),
      refund: () => giveBack(test, member, orderId),
      send: () => refundSending.sendDue(),
      refuse: () => choice('refuse'),
      later: () => choice('later'),
    };
    const answer = await works[step]();
    if (typeof answer === 'object' && answer !== null && 'status' in answer) expect(answer.status).toBeLessThan(500);
  }

  /** Everything that is still under way comes to its end by the loops alone. */
  async function calm(): Promise<void> {
    for (let hour = 0; hour < 4; hour += 1) {
      await advance(test.db, 61 * MINUTE_MS);
      await test.services.sandbox.sendNotices();
      await test.services.payments.settleDue();
      await test.services.orders.expireDue();
      await test.services.refundSending.sendDue();
    }
  }

  /** Where the provider's books and ours differ: what it took, what it gave back, what it still has. */
  async function differences(): Promise<unknown[]> {
    const { rows } = await test.pool.query(`
      select p.id, m.txn, m.amount_fen as theirs, p.amount_fen as ours, m.refunded_fen as given, p.refunded_fen as "back"
      from sandbox_money m join sandbox_trade t on t.id = m.trade_id full join (select * from payment where provider_txn is not null) p on p.provider_txn = m.txn
      where p.id is null or m.txn is null or m.amount_fen <> p.amount_fen or m.refunded_fen <> p.refunded_fen
      union all select p.id, p.state, 0, 0, 0, 0 from payment p where p.state in ('CREATED', 'SUBMITTED', 'UNKNOWN')
      union all select o.id, o.state, 0, 0, 0, 0 from "order" o where o.state in ('PENDING', 'REFUNDING')
      union all select r.id, r.state, 0, 0, 0, 0 from refund r where r.state in ('REQUESTED', 'SUBMITTED')`);
    return rows;
  }

  it(
    'comes to rest with the provider’s books and ours the same, every promise kept and nothing under way',
    async () => {
      const work = fc.record({ order: fc.nat(ORDERS - 1), step: fc.constantFrom(...steps), nth: fc.nat(5) });
      const wave = fc.array(work, { minLength: 6, maxLength: 14 });
      await fc.assert(
        fc.asyncProperty(fc.array(wave, { minLength: 3, maxLength: 5 }), async (waves) => {
          member = await test.buildMember();
          await givePoints(test, member, 300n);
          const orderIds: string[] = [];
          while (orderIds.length < ORDERS - 1) {
            const { orderId } = (await placeSku(test, member, { skuId: 'dcu-10', points: orderIds.length % 2 ? 100 : 0 })).data;
            orderIds.push(orderId);
            await take('attempt', orderId, 0);
          }
          for (const parts of waves) {
            await Promise.all(parts.map(({ order, step, nth }) => take(step, orderIds[order % orderIds.length] ?? '', nth)));
            await advance(test.db, 7 * MINUTE_MS);
          }
          await calm();

          expect(await differences()).toEqual([]);
          expect(await brokenPromises(test)).toEqual([]);
        }),
        { numRuns: RUNS },
      );
    },
    LIMIT_MS,
  );
});
