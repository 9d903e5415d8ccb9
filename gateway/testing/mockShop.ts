import type { FastifyInstance } from 'fastify';
import type { Calls } from '../contract/calls';
import type { TestClient } from './testClient';

const LIMIT_MS = 20_000;
const LOOK_MS = 50;

type Order = Calls['GET /gateway/order/find']['data'];

/** What somebody who has bought this and that has to show: orders as they stand after each thing that can happen, coupons, a package, points. */
export async function makePurchases(app: FastifyInstance, client: TestClient): Promise<void> {
  await client.send('POST /gateway/points/checkIn');
  for (const code of ['WELCOME2026', 'LEARN20', 'LABDCU']) {
    (await client.send('POST /gateway/membership/redeemCoupon', { body: { code } })).data;
  }
  await pay(app, client, await placeSku(client, 'starter'));
  const unused = await placeSku(client, 'dcu-10');
  await pay(app, client, unused);
  await refund(client, unused);
  await pay(app, client, await placeSku(client, 'dcu-500'));
  await pay(app, client, await placePackage(client));
  await client.send('POST /gateway/points/redeem', { body: { rewardId: 'coupon-5', expectedPoints: 400 } });
  const cancelled = await placeSku(client, 'dcu-100');
  await client.send('POST /gateway/order/cancel', { body: { orderId: cancelled.orderId } });
  await placeSku(client, 'dcu-50');
}

async function placeSku(client: TestClient, skuId: string): Promise<Order> {
  const asked = { skuId, quantity: 1 };
  const { payableFen, priceVersion, couponId } = (await client.send('POST /gateway/order/estimateSkuPrice', { body: asked })).data;
  const body = { ...asked, couponId, expectedPayableFen: payableFen, priceVersion };
  return (await client.send('POST /gateway/order/placeSku', { body })).data;
}

async function placePackage(client: TestClient): Promise<Order> {
  const asked = { packageId: 'standard', months: 12 };
  const { payableFen, priceVersion, couponId } = (await client.send('POST /gateway/order/estimatePackagePrice', { body: asked }))
    .data;
  const body = { ...asked, couponId, expectedPayableFen: payableFen, priceVersion };
  return (await client.send('POST /gateway/order/placePackage', { body })).data;
}

/** At the sandbox's own cashier page, as a person would; done when its notice has arrived. */
async function pay(app: FastifyInstance, client: TestClient, { orderId }: Order): Promise<void> {
  const body = { orderId, method: 'sandbox' };
  const { redirectUrl } = (await client.send('POST /gateway/order/payPending', { body })).data;
  const { pathname } = new URL(redirectUrl);
  const page = await app.inject({ url: pathname });
  const token = /name="token" value="([^"]+)"/.exec(page.body)?.[1] ?? '';
  await app.inject({
    method: 'POST',
    url: pathname,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({ token, action: 'approve' }).toString(),
  });
  await until(async () => (await client.send('GET /gateway/order/find', { query: { orderId } })).data.state === 'FULFILLED');
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let waitedMs = 0; waitedMs < LIMIT_MS; waitedMs += LOOK_MS) {
    if (await holds()) return;
    await new Promise((wake) => setTimeout(wake, LOOK_MS));
  }
  throw new Error(`The purchases of the demo member stand still for ${LIMIT_MS} ms`);
}

async function refund(client: TestClient, { orderId }: Order): Promise<void> {
  const { refundFen } = (await client.send('GET /gateway/order/refundQuote', { query: { orderId } })).data;
  (await client.send('POST /gateway/order/refund', { body: { orderId, expectedRefundFen: refundFen } })).data;
}
