import { v7 as uuidv7 } from 'uuid';
import { checkInvariants } from '../domains/ledger/invariants';
import { belongings, giveCoupon, givePoints } from '../domains/order/orderWorld';
import type { TestMember } from '../testing/factories';
import type { CrashWorld } from './crashWorld';

/** What the story's order costs and brings: ¥15 less a coupon of ¥5 and 200 points, for 30 DCU of a limited offer. */
export const PURCHASE = { skuId: 'starter', points: 200, payableFen: 800, micro: 30_000_000n, earned: 8n } as const;
const MEMBER_POINTS = 400n;

/** A member with what a purchase sets aside. */
export async function buildBuyer({ test }: CrashWorld): Promise<{ member: TestMember; couponId: string }> {
  const member = await test.buildMember({ remainDcuMicro: 0n });
  await givePoints(test, member, MEMBER_POINTS);
  return { member, couponId: await giveCoupon(test, member, { amountFen: 500, minimumFen: 0 }) };
}

/** One purchase from its order to its refund, told to a gateway that may die at any moment: each request under a key of its own. */
export class PurchaseStory {
  private readonly keys = { place: uuidv7(), pay: uuidv7(), refund: uuidv7() };
  private readonly placing;
  orderId = '';

  constructor(
    private readonly world: CrashWorld,
    readonly member: TestMember,
    readonly couponId: string,
  ) {
    const { skuId, points, payableFen } = PURCHASE;
    this.placing = { skuId, quantity: 1, couponId, points, expectedPayableFen: payableFen, priceVersion: 1 };
  }

  async place() {
    const placed = await this.world.ask(this.member, 'POST /gateway/order/placeSku', { body: this.placing }, this.keys.place);
    this.orderId = placed.orderId;
    return placed;
  }

  attempt() {
    const body = { orderId: this.orderId, method: 'sandbox' };
    return this.world.ask(this.member, 'POST /gateway/order/payPending', { body }, this.keys.pay);
  }

  async pay(): Promise<void> {
    const { paymentId, redirectUrl } = await this.attempt();
    const { formToken } = await this.world.test.db
      .selectFrom('sandboxTrade')
      .select('formToken')
      .where('paymentId', '=', paymentId)
      .executeTakeFirstOrThrow();
    await this.world.postForm(new URL(redirectUrl).pathname, { action: 'approve', token: formToken });
    await this.world.until('fulfilled', async () => (await this.state()) === 'FULFILLED');
  }

  giveBack() {
    const body = { orderId: this.orderId, expectedRefundFen: PURCHASE.payableFen, reason: '' };
    return this.world.ask(this.member, 'POST /gateway/order/refund', { body }, this.keys.refund);
  }

  async tell(): Promise<void> {
    await this.place();
    await this.pay();
    await this.giveBack();
    await this.world.until('refunded', async () => (await this.state()) === 'REFUNDED');
  }

  async state(): Promise<string> {
    const order = this.world.test.db.selectFrom('order').select('state').where('id', '=', this.orderId);
    return (await order.executeTakeFirstOrThrow()).state;
  }

  /** Each thing happened once, and the member has what they had. */
  async expectEnded(): Promise<void> {
    const { test } = this.world;
    const rows = async (table: 'payment' | 'refund') =>
      test.db.selectFrom(table).select(['state', 'amountFen']).where('orderId', '=', this.orderId).execute();
    const paid = BigInt(PURCHASE.payableFen);
    // An attempt the provider never heard of is closed, and the member made another.
    const attempts = (await rows('payment')).filter(({ state }) => state !== 'CLOSED');
    expect(attempts).toEqual([{ state: 'SUCCEEDED', amountFen: paid }]);
    expect(await rows('refund')).toEqual([{ state: 'SUCCEEDED', amountFen: paid }]);
    expect(await this.moneyAtProvider()).toEqual([{ amountFen: paid, refundedFen: paid }]);
    const lots = await test.db.selectFrom('dcuLot').select(['granted', 'remaining']).where('orderId', '=', this.orderId).execute();
    expect(lots).toEqual([{ granted: PURCHASE.micro, remaining: 0n }]);
    const events = await test.db
      .selectFrom('orderEvent')
      .select('toState')
      .where('orderId', '=', this.orderId)
      .orderBy('id')
      .execute();
    expect(events.map(({ toState }) => toState)).toEqual(['PENDING', 'FULFILLED', 'REFUNDING', 'REFUNDED']);
    expect(await belongings(test, this.member)).toEqual({
      micro: 0n,
      points: MEMBER_POINTS,
      heldPoints: 0n,
      coupons: ['AVAILABLE'],
    });
  }

  /** Whoever did not hear an answer may ask again, long after: nothing more happens. */
  async expectSameAnswers(): Promise<void> {
    const first = [await this.place(), await this.attempt(), await this.giveBack()];
    expect([await this.place(), await this.attempt(), await this.giveBack()]).toEqual(first);
    await this.expectEnded();
  }

  private async moneyAtProvider() {
    return this.world.test.db
      .selectFrom('sandboxMoney as m')
      .innerJoin('sandboxTrade as t', 't.id', 'm.tradeId')
      .innerJoin('payment as p', 'p.id', 't.paymentId')
      .select(['m.amountFen', 'm.refundedFen'])
      .where('p.orderId', '=', this.orderId)
      .execute();
  }
}

/** Every promise of the books that does not hold, and that stock is not set aside by anybody. */
export async function brokenPromises({ test }: CrashWorld): Promise<string[]> {
  return (await checkInvariants(test.db)).flatMap(({ name, breaches }) => breaches.map((key) => `${name}: ${key}`));
}
