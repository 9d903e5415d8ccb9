import { randomInt } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import type { CouponTermsEntry } from '../../catalog/saleEntries';
import { type Db, inTransaction, readNow } from '../../db/client';
import type { TestApp } from '../../testing/buildTestApp';

const DAY_MS = 86_400_000;

const tenOff: CouponTermsEntry = {
  title: { 'en-US': 'Ten off', 'zh-CN': '减十元' },
  ...{ kind: 'AMOUNT', amountFen: 1_000, percent: null, capFen: null, dcu: null, validDays: null },
  ...{ scope: 'ALL', productIds: [], minimumFen: 0 },
};

/** A coupon of a member's, valid from now on for so many days. */
export async function buildCoupon(
  { db, services }: TestApp,
  memberId: string,
  options: { terms?: Partial<CouponTermsEntry>; days?: number; campaignId?: string } = {},
): Promise<string> {
  const { terms = {}, days = 30, campaignId = 'welcome-2026' } = options;
  return inTransaction(db, async (tx) =>
    services.coupons.issue(tx, {
      ...{ memberId, campaignId, coupon: { ...tenOff, ...terms }, couponDays: days, issueKey: `test:${uuidv7()}` },
      at: await readNow(tx),
    }),
  );
}

/** An order that waits for its payment; a row alone, without what placing one does. */
export async function buildOrder(db: Db, memberId: string): Promise<string> {
  const orderId = uuidv7();
  const placedAt = await readNow(db);
  const offer = { micro: '10000000', bonusMicro: '0', couponMicro: '0', validDays: 365, couponValidDays: null, package: null };
  await db
    .insertInto('order')
    .values({
      ...{
        id: orderId,
        orderNo: String(randomInt(2 ** 40)).padStart(20, '0'),
        memberId,
        kind: 'SKU',
        productId: 'dcu-10',
        quantity: 1,
      },
      ...{ title: JSON.stringify({ 'en-US': '10 DCU', 'zh-CN': '10 DCU' }), offer: JSON.stringify({ ...offer, plan: null }) },
      ...{ priceVersion: 1, isLimited: false, couponId: null, pointsUsed: 0n, fulfilledAt: null, closedAt: null },
      ...{ listFen: 1_000n, studentDiscountFen: 0n, upgradeCreditFen: 0n, couponDiscountFen: 0n, pointsDiscountFen: 0n },
      ...{ payableFen: 1_000n, placedAt, payUntil: new Date(placedAt.getTime() + DAY_MS) },
    })
    .execute();
  return orderId;
}
