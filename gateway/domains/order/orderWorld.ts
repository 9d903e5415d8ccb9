import { v7 as uuidv7 } from 'uuid';
import type { CouponTermsEntry } from '../../catalog/saleEntries';
import type { OrderCalls } from '../../contract/order';
import { inTransaction, readNow } from '../../db/client';
import { writeAppliedPayment } from '../../testing/appliedPayment';
import type { TestApp } from '../../testing/buildTestApp';
import type { TestMember } from '../../testing/factories';
import type { TestInput, TestReply } from '../../testing/testClient';
import type { OrderView, QuoteView } from './order.presenter';

type App = Pick<TestApp, 'as' | 'db' | 'services'>;
type Placed = Promise<TestReply<OrderView>>;
type SkuBody = OrderCalls['POST /gateway/order/placeSku']['body'];
type PackageBody = OrderCalls['POST /gateway/order/placePackage']['body'];

/** Ten yuan off thirty. */
const TEN_OFF: CouponTermsEntry = {
  title: { 'en-US': '¥10 off ¥30', 'zh-CN': '满 30 减 10' },
  kind: 'AMOUNT',
  ...{ amountFen: 1_000, percent: null, capFen: null, dcu: null, validDays: null },
  ...{ scope: 'ALL', productIds: [], minimumFen: 3_000 },
};

export async function giveCoupon(
  { db, services }: Pick<TestApp, 'db' | 'services'>,
  { memberId }: Pick<TestMember, 'memberId'>,
  terms: Partial<CouponTermsEntry> = {},
  couponDays = 30,
): Promise<string> {
  return inTransaction(db, async (tx) =>
    services.coupons.issue(tx, {
      ...{ memberId, campaignId: 'test', coupon: { ...TEN_OFF, ...terms }, couponDays, issueKey: `test:${uuidv7()}` },
      at: await readNow(tx),
    }),
  );
}

export async function givePoints(
  { db, services }: Pick<TestApp, 'db' | 'services'>,
  { memberId }: Pick<TestMember, 'memberId'>,
  points: bigint,
): Promise<void> {
  const change = { memberId, points, ref: uuidv7(), reason: 'test', operator: 'test' };
  await inTransaction(db, (tx) => services.points.adjust(tx, change));
}

export async function setProofs(
  { db }: Pick<TestApp, 'db'>,
  { memberId }: Pick<TestMember, 'memberId'>,
  proofs: { isStudent?: boolean; isRealName?: boolean },
): Promise<void> {
  await db.updateTable('member').set(proofs).where('id', '=', memberId).execute();
}

/** What the order would cost with the coupon and points chosen. */
export async function quoteSku(test: App, member: TestMember, body: Partial<SkuBody> = {}): Promise<QuoteView> {
  const asked = { skuId: 'dcu-50', quantity: 1, ...body };
  return (await test.as(member).send('POST /gateway/order/estimateSkuPrice', { body: asked })).data;
}

/** Places at the price the member would see now, or at what the test says. */
export async function placeSku(
  test: App,
  member: TestMember,
  body: Partial<SkuBody> = {},
  headers: TestInput['headers'] = {},
): Placed {
  const { expectedPayableFen, priceVersion, ...asked } = { skuId: 'dcu-50', quantity: 1, ...body };
  const seen =
    expectedPayableFen === undefined ? await quoteSku(test, member, asked) : { payableFen: expectedPayableFen, priceVersion: 1 };
  const agreed = { expectedPayableFen: seen.payableFen, priceVersion: priceVersion ?? seen.priceVersion };
  return test.as(member).send('POST /gateway/order/placeSku', { body: { ...asked, ...agreed }, headers });
}

export async function placePackage(test: App, member: TestMember, body: Partial<PackageBody> = {}): Placed {
  const asked = { packageId: 'standard', months: 1, ...body };
  const seen = (await test.as(member).send('POST /gateway/order/estimatePackagePrice', { body: asked })).data;
  const agreed = { expectedPayableFen: seen.payableFen, priceVersion: seen.priceVersion };
  return test.as(member).send('POST /gateway/order/placePackage', { body: { ...asked, ...agreed } });
}

export async function findOrder(test: App, member: TestMember, orderId: string): Promise<OrderView> {
  return (await test.as(member).send('GET /gateway/order/find', { query: { orderId } })).data;
}

export function cancelOrder(test: App, member: TestMember, orderId: string): Placed {
  return test.as(member).send('POST /gateway/order/cancel', { body: { orderId } });
}

/** Fulfils as money that came would, under the locks it would hold. False where the order was no longer to be paid. */
export async function pay({ db, services }: Pick<TestApp, 'db' | 'services'>, orderId: string): Promise<boolean> {
  const { memberId } = await db.selectFrom('order').select('memberId').where('id', '=', orderId).executeTakeFirstOrThrow();
  return inTransaction(db, async (tx) => {
    await services.ledger.lockWallet(tx, memberId);
    const order = await services.orders.lockOrder(tx, orderId);
    if (order?.state !== 'PENDING') return false;
    await writeAppliedPayment(tx, orderId);
    await services.orders.fulfil(tx, { order, actor: 'provider', evidence: {} });
    return true;
  });
}

/** What of the member's is set aside, spent and earned, as the rows say. */
export async function belongings({ db, services }: Pick<TestApp, 'db' | 'services'>, { memberId }: Pick<TestMember, 'memberId'>) {
  const { posted } = await services.ledger.readWallet(db, memberId);
  const points = await services.points.balanceOf(db, memberId);
  const coupons = await db.selectFrom('coupon').select('state').where('memberId', '=', memberId).orderBy('id').execute();
  return { micro: posted, points: points.points, heldPoints: points.held, coupons: coupons.map((coupon) => coupon.state) };
}

export async function stockOf({ db }: Pick<TestApp, 'db'>, skuId: string) {
  return db.selectFrom('skuStock').select(['initial', 'reserved', 'sold']).where('skuId', '=', skuId).executeTakeFirst();
}
