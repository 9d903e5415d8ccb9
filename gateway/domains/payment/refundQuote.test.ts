import { readNow } from '../../db/client';
import { buildTestApp, type TestApp } from '../../testing/buildTestApp';
import type { TestMember } from '../../testing/factories';
import { advance, setTestNow } from '../../testing/testDatabase';
import { belongings, giveCoupon, setProofs } from '../order/orderWorld';
import { brokenPromises, buyPackage, giveBack, quoteRefund, useDcu } from './paymentWorld';

const DCU = 1_000_000n;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** A fen of it is a second or less. */
const LARGE = { packageId: 'custom', months: 1, custom: { cpuCores: 496, monthlyDcu: 10_000 } } as const;
const LARGER = { ...LARGE, custom: { ...LARGE.custom, cpuCores: 512 } } as const;

let test: TestApp;
let member: TestMember;
beforeAll(async () => {
  test = await buildTestApp();
});
beforeEach(async () => {
  await setTestNow(test.db, new Date(Math.ceil((await readNow(test.db)).getTime() / HOUR_MS) * HOUR_MS));
  member = await test.buildMember({ remainDcuMicro: 0n });
  await setProofs(test, member, { isRealName: true });
});
afterEach(async () => {
  expect(await brokenPromises(test)).toEqual([]);
});
afterAll(() => test.close());

const owns = () => belongings(test, member);

// Before, at and after the instants at which what is quoted anew changes.
describe.each([0, 1, 2.5, 3, 4, 24, 24.5, 25, 26, 59])('%d minutes after the hour', (minutes) => {
  it('an upgrade of a very large package costs ninety seconds later what was seen', async () => {
    await buyPackage(test, member, LARGE);
    await advance(test.db, 24 * HOUR_MS + minutes * MINUTE_MS);
    const { data: seen } = await test.as(member).send('POST /gateway/order/estimatePackagePrice', { body: LARGER });
    expect(seen.upgradeCreditFen).toBeGreaterThan(0);
    await advance(test.db, 90_000);

    const agreed = { expectedPayableFen: seen.payableFen, priceVersion: seen.priceVersion };
    const { data: order } = await test.as(member).send('POST /gateway/order/placePackage', { body: { ...LARGER, ...agreed } });

    expect(order).toMatchObject({ state: 'PENDING', payableFen: seen.payableFen, upgradeCreditFen: seen.upgradeCreditFen });
  });

  it('a refund of a very large package brings ninety seconds later what was seen', async () => {
    const { order } = await buyPackage(test, member, LARGE);
    await advance(test.db, 24 * HOUR_MS + minutes * MINUTE_MS);
    const seen = await quoteRefund(test, member, order.orderId);
    await advance(test.db, 90_000);

    const given = (await giveBack(test, member, order.orderId, { seenFen: seen.refundFen })).data;

    expect(given).toMatchObject({ state: 'REFUNDED', refundedFen: seen.refundFen });
    expect(given.refunds).toMatchObject([{ withdrawnDcu: seen.withdrawnDcu }]);
  });
});

it('what was seen long ago is said to have changed, and what is seen then holds', async () => {
  const { order } = await buyPackage(test, member, LARGE);
  const { orderId } = order;
  const seen = await quoteRefund(test, member, orderId);
  await advance(test.db, 8 * MINUTE_MS);

  const changed = await giveBack(test, member, orderId, { seenFen: seen.refundFen });
  expect(changed).toFailWith('PRICE_CHANGED');
  expect(await giveBack(test, member, orderId, { seenFen: seen.refundFen - 100_000 })).toFailWith('PRICE_CHANGED');

  const { refundFen } = await quoteRefund(test, member, orderId);
  await advance(test.db, 90_000);
  expect((await giveBack(test, member, orderId, { seenFen: refundFen })).data.refundedFen).toBe(refundFen);
});

describe('the coupon of a package', () => {
  async function buy() {
    const couponId = await giveCoupon(test, member);
    return (await buyPackage(test, member, { packageId: 'pro', couponId })).order;
  }

  it('comes back within its first hour, where none of its DCU were used', async () => {
    const { orderId } = await buy();
    await advance(test.db, 54 * MINUTE_MS);
    expect(await quoteRefund(test, member, orderId)).toMatchObject({ returnsCoupon: true });

    await giveBack(test, member, orderId);

    expect((await owns()).coupons).toEqual(['AVAILABLE']);
  });

  it('is used up with the first of its DCU', async () => {
    const { orderId } = await buy();
    await advance(test.db, 10 * MINUTE_MS);
    await useDcu(test, orderId, DCU / 1_000n);

    expect(await quoteRefund(test, member, orderId)).toMatchObject({ isPossible: true, returnsCoupon: false });
  });

  it('is used up after its first hour', async () => {
    const { orderId } = await buy();
    await advance(test.db, HOUR_MS);

    expect(await quoteRefund(test, member, orderId)).toMatchObject({ isPossible: true, returnsCoupon: false });
  });
});
