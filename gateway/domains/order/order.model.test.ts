import fc from 'fast-check';
import pino from 'pino';
import { v7 as uuidv7 } from 'uuid';
import { loadCatalogue } from '../../catalog/catalogue';
import { inTransaction } from '../../db/client';
import { microFromDcu } from '../../dcu';
import { createExpireLotsLoop } from '../../jobs/expireLots';
import { buildTestApp, type TestApp } from '../../testing/buildTestApp';
import type { TestMember } from '../../testing/factories';
import { setTestNow } from '../../testing/testDatabase';
import { attemptOf, brokenPromises, choose, moneyOf } from '../payment/paymentWorld';
import { COUPON_DAYS, type ModelCoupon, type ModelOrder, type ModelSku, OrderModel } from './orderModel';
import { belongings, cancelOrder, giveCoupon, givePoints, placeSku } from './orderWorld';

const IS_DEEP = process.env.ATELIER_DEEP === '1';
const HISTORIES = Number(process.env.TEST_SEQUENCES ?? (IS_DEEP ? 10_000 : 25));
const MODEL_HISTORIES = IS_DEEP ? 100_000 : 2_000;
const SEED = Number(process.env.TEST_SEED ?? Math.trunc(Math.random() * 2 ** 31));
const DAY_MS = 86_400_000;
const LAB_MS = 10 * 60_000;
const START = Date.parse('2036-01-31T08:00:00.000Z');
const GIVEN_POINTS = 2_000n;

const offered: readonly ModelSku[] = loadCatalogue()
  .sale.skus.slice(0, 4)
  .map(({ skuId, listFen, dcu, bonusDcu, validDays }) => ({
    ...{ skuId, fen: BigInt(listFen), micro: microFromDcu(dcu), bonusMicro: microFromDcu(bonusDcu), validDays: validDays ?? 365 },
  }));
const gifts: readonly Omit<ModelCoupon, 'state'>[] = [
  { amountFen: 500n, bonusMicro: 0n },
  { amountFen: 3_000n, bonusMicro: 0n },
  { amountFen: 0n, bonusMicro: 7_000_000n },
];

const which = fc.nat(9);
const percent = fc.bigInt({ min: 0n, max: 100n });
const command = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('place' as const),
      ...{ sku: fc.constantFrom(...offered), quantity: fc.bigInt({ min: 1n, max: 3n }), percent },
      coupon: fc.option(fc.nat(gifts.length - 1)),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant('pay' as const), which, how: fc.constantFrom('approve', 'double', 'late') }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('cancel' as const), which }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('refund' as const), which, isRefused: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('use' as const), percent: fc.bigInt({ min: 1n, max: 100n }) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('pass' as const),
      ms: fc.oneof(fc.integer({ min: 1_000, max: 40 * 60_000 }), fc.integer({ min: DAY_MS, max: 120 * DAY_MS })),
    }),
  },
);
type Command = typeof command extends fc.Arbitrary<infer C> ? C : never;
const history = fc.array(command, { maxLength: 14, size: 'max' });

/** Whom a history is told to: the model alone, or the gateway beside it. */
interface Listener {
  place(
    order: ModelOrder | string,
    asked: { sku: ModelSku; quantity: bigint; coupon: number | null; points: bigint; payableFen: bigint },
  ): Promise<void>;
  pay(order: number, how: 'approve' | 'double' | 'late'): Promise<void>;
  cancel(order: number): Promise<void>;
  refund(order: number, refundFen: bigint, isRefused: boolean): Promise<void>;
  use(micro: bigint): Promise<void>;
  pass(atMs: number): Promise<void>;
}

/** One history on the model, step by step, and to whoever listens. */
class Teller {
  readonly model = new OrderModel(START);

  constructor(private readonly listener: Listener | null) {
    this.model.points = GIVEN_POINTS;
    for (const gift of gifts) this.model.coupons.push({ ...gift, state: 'AVAILABLE' });
  }

  async play(step: Command): Promise<void> {
    const { model, listener } = this;
    if (step.do === 'place') await this.place(step);
    else if (step.do === 'pay') await this.pay(step);
    else if (step.do === 'refund') await this.refund(step);
    else if (step.do === 'cancel') {
      const order = this.pick(step.which, ({ state }) => state === 'PENDING');
      if (!order) return;
      model.close(order, 'CANCELLED');
      await listener?.cancel(model.orders.indexOf(order));
    } else if (step.do === 'use') {
      const micro = model.use(step.percent, LAB_MS);
      if (micro === 0n) return;
      await listener?.use(micro);
      model.pass(LAB_MS);
      await listener?.pass(model.atMs);
    } else {
      model.pass(step.ms);
      await listener?.pass(model.atMs);
    }
  }

  private pick(nth: number, isFit: (order: ModelOrder) => boolean): ModelOrder | undefined {
    const fit = this.model.orders.filter(isFit);
    return fit[nth % Math.max(fit.length, 1)];
  }

  private async place(asked: Extract<Command, { do: 'place' }>): Promise<void> {
    const quantity = asked.sku.skuId === 'starter' ? 1n : asked.quantity;
    const coupon = asked.coupon === null ? null : (this.model.coupons[asked.coupon] ?? null);
    const { payableFen, points } = this.model.price(asked.sku, quantity, coupon, asked.percent);
    const placed = this.model.place(asked.sku, quantity, coupon, asked.percent);
    await this.listener?.place(placed, { sku: asked.sku, quantity, coupon: asked.coupon, points, payableFen });
  }

  private async pay({ which, how }: { which: number; how: string }): Promise<void> {
    const order = this.pick(which, ({ state, isLate }) => state === 'PENDING' && !isLate);
    if (!order) return;
    if (how === 'late') order.isLate = true;
    else this.model.pay(order, how === 'double' ? 2n : 1n);
    await this.listener?.pay(this.model.orders.indexOf(order), how as 'late');
  }

  private async refund({ which, isRefused }: { which: number; isRefused: boolean }): Promise<void> {
    const order = this.pick(which, (one) => this.model.planRefund(one) !== null);
    const plan = order && this.model.planRefund(order);
    if (!order || !plan) return;
    this.model.refund(order, plan, isRefused);
    await this.listener?.refund(this.model.orders.indexOf(order), plan.refundFen, isRefused);
  }
}

it(`no history yields more than was paid (seed ${SEED})`, async () => {
  const property = fc.asyncProperty(history, async (steps) => {
    const teller = new Teller(null);
    for (const step of steps) {
      await teller.play(step);
      expect(teller.model.breaches(GIVEN_POINTS)).toEqual([]);
    }
  });
  await fc.assert(property, { numRuns: MODEL_HISTORIES, seed: SEED });
}, 3_600_000);

describe('the gateway', () => {
  let test: TestApp;
  let expireLots: ReturnType<typeof createExpireLotsLoop>;
  beforeAll(async () => {
    test = await buildTestApp();
    await test.app.listen({ host: '127.0.0.1', port: 0 });
    await test.db.updateTable('skuStock').set({ initial: 1_000_000 }).where('skuId', '=', 'starter').execute();
    expireLots = createExpireLotsLoop({ ...test, ...test.services, log: pino({ level: 'silent' }) });
  });
  afterAll(() => test.close());

  /** The same history at the gateway: calls, provider, notices and loops. */
  class Twin implements Listener {
    private readonly orderIds: string[] = [];
    private couponIds: string[] = [];
    private workshopId = '';

    private constructor(readonly member: TestMember) {}

    static async begin(): Promise<Twin> {
      await setTestNow(test.db, new Date(START));
      const twin = new Twin(await test.buildMember({ remainDcuMicro: 0n }));
      await givePoints(test, twin.member, GIVEN_POINTS);
      for (const { amountFen, bonusMicro } of gifts) {
        const dcu = { kind: 'DCU', amountFen: null, dcu: String(bonusMicro / 1_000_000n), validDays: COUPON_DAYS } as const;
        const terms = bonusMicro > 0n ? dcu : { amountFen: Number(amountFen) };
        twin.couponIds.push(await giveCoupon(test, twin.member, { ...terms, minimumFen: 0 }, 3_650));
      }
      ({ workshopId: twin.workshopId } = await test.buildWorkshop({ memberId: twin.member.memberId }));
      return twin;
    }

    private idOf(order: number): string {
      return this.orderIds[order] ?? '';
    }

    async place(
      placed: ModelOrder | string,
      { sku, quantity, coupon, points, payableFen }: Parameters<Listener['place']>[1],
    ): Promise<void> {
      const couponId = coupon === null ? null : (this.couponIds[coupon] ?? null);
      const asked = {
        skuId: sku.skuId,
        quantity: Number(quantity),
        couponId,
        points: Number(points),
        expectedPayableFen: Number(payableFen),
      };
      const reply = await placeSku(test, this.member, asked);
      if (typeof placed === 'string') expect(reply).toFailWith(placed as 'COUPON_UNUSABLE');
      else this.orderIds.push(reply.data.orderId);
    }

    async pay(order: number, how: 'approve' | 'double' | 'late'): Promise<void> {
      const { paymentId } = await attemptOf(test, this.member, this.idOf(order));
      await choose(test, paymentId, how);
      await this.runLoops();
    }

    async cancel(order: number): Promise<void> {
      expect((await cancelOrder(test, this.member, this.idOf(order))).data.state).toBe('CANCELLED');
    }

    async refund(order: number, refundFen: bigint, isRefused: boolean): Promise<void> {
      const orderId = this.idOf(order);
      const { data: quote } = await test.as(this.member).send('GET /gateway/order/refundQuote', { query: { orderId } });
      expect(quote).toMatchObject({ isPossible: true, refundFen: Number(refundFen) });
      await test.db
        .updateTable('sandboxTrade')
        .set({ refunds: isRefused ? 'refuse' : 'accept' })
        .where('paymentId', 'in', (payments) => payments.selectFrom('payment').select('id').where('orderId', '=', orderId))
        .execute();
      const body = { orderId, expectedRefundFen: Number(refundFen), reason: '' };
      await test.as(this.member).send('POST /gateway/order/refund', { body, headers: { 'idempotency-key': uuidv7() } });
    }

    async use(micro: bigint): Promise<void> {
      const { metering } = test.services;
      const sessionId = uuidv7();
      const { generation } = await this.nextGeneration();
      await inTransaction(test.db, (tx) =>
        metering.openSession(tx, {
          ...{ sessionId, workshopId: this.workshopId, memberId: this.member.memberId, generation, engineRef: null },
          ...{ engineInstanceId: test.engine.instanceId, specId: 'cpu-1', imageId: 'shell', priceVersion: 1 },
          rateMicroPerHour: micro * 6n,
        }),
      );
      await setTestNow(test.db, new Date((await this.now()) + LAB_MS));
      await metering.recordSightings([{ sessionId, runningMs: LAB_MS }]);
      await inTransaction(test.db, (tx) =>
        metering.endSession(tx, { sessionId, runningMs: LAB_MS, stopReason: 'MEMBER', exitCode: 0 }),
      );
    }

    async pass(atMs: number): Promise<void> {
      await setTestNow(test.db, new Date(atMs));
      await this.runLoops();
      await expireLots.runOnce();
    }

    private async nextGeneration() {
      const { rows } = await test.pool.query<{ generation: number }>(
        'select coalesce(max(generation), 0) + 1 as generation from lab_session where workshop_id = $1',
        [this.workshopId],
      );
      return { generation: Number(rows[0]?.generation) };
    }

    private async now(): Promise<number> {
      const { rows } = await test.pool.query<{ now: Date }>('select app_now() as now');
      return rows[0]?.now.getTime() ?? 0;
    }

    private async runLoops(): Promise<void> {
      const { orders, sandbox, payments, refundSending } = test.services;
      await orders.expireDue();
      await sandbox.sendNotices();
      await payments.settleDue();
      await refundSending.sendDue();
    }

    /** The tables hold what the model says, to the fen, the point and the micro-DCU. */
    async check(model: OrderModel): Promise<void> {
      const own = await belongings(test, this.member);
      expect(own).toEqual({
        ...{ micro: model.micro, points: model.points, heldPoints: model.heldPoints },
        coupons: model.coupons.map(({ state }) => state),
      });
      for (const [nth, { state, payableFen, given, inFen, outFen }] of model.orders.entries()) {
        const orderId = this.idOf(nth);
        expect((await moneyOf(test, orderId)).order).toMatchObject({ state, payableFen, refundedFen: given.fen });
        const { rows } = await test.pool.query<{ inFen: bigint; outFen: bigint }>(
          `select coalesce(sum(m.amount_fen), 0)::bigint as "inFen", coalesce(sum(m.refunded_fen), 0)::bigint as "outFen" from sandbox_money m
            join sandbox_trade t on t.id = m.trade_id join payment p on p.id = t.payment_id where p.order_id = $1`,
          [orderId],
        );
        expect(rows[0]).toEqual({ inFen, outFen });
      }
    }
  }

  it(`comes to what the model says of any history (seed ${SEED})`, async () => {
    const property = fc.asyncProperty(history, async (steps) => {
      const twin = await Twin.begin();
      const teller = new Teller(twin);
      for (const step of steps) {
        await teller.play(step);
        await twin.check(teller.model);
      }
    });
    await fc.assert(property, { numRuns: HISTORIES, seed: SEED });
    expect(await brokenPromises(test)).toEqual([]);
  }, 3_600_000);
});
