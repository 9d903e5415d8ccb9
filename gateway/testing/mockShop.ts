import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import type { Deps } from '../app';
import type { Calls } from '../contract/calls';
import { createDb, createPool } from '../db/client';
import { createServices, type Services } from '../services';
import type { TestClient } from './testClient';

const LIMIT_MS = 20_000;
const LOOK_MS = 50;

export interface Shop {
  app: FastifyInstance;
  deps: Deps;
  services: Pick<Services, 'refunds'>;
  databaseUrl: string;
  log: Logger;
}

type Order = Calls['GET /gateway/order/find']['data'];

/** What somebody who has bought this and that has to show: orders as they stand after each thing that can happen, coupons, a package, points. */
export async function makePurchases(shop: Shop, client: TestClient): Promise<void> {
  const { app } = shop;
  await client.send('POST /gateway/points/checkIn');
  for (const code of ['WELCOME2026', 'LEARN20', 'LABDCU']) {
    (await client.send('POST /gateway/membership/redeemCoupon', { body: { code } })).data;
  }
  await pay(app, client, await placeSku(client, 'starter'));
  const unused = await placeSku(client, 'dcu-10');
  await pay(app, client, unused);
  await refund(client, unused);
  const large = await placeSku(client, 'dcu-500');
  await pay(app, client, large);
  await giveBackPart(shop, large);
  await placeTooLongAgo(shop, large);
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

/** An operator gives a fifth back, as one does who makes good for a lab that failed. */
async function giveBackPart({ deps, services }: Shop, { orderId }: Order): Promise<void> {
  const order = await deps.db.selectFrom('order').select(['id', 'memberId']).where('id', '=', orderId).executeTakeFirstOrThrow();
  await services.refunds.refund({
    ...{ order, reason: 'OPERATOR', expectedFen: null, mostMicro: 108_000_000n, note: 'A lab failed' },
    ...{ actor: 'demo', idemKey: `operator:demo:${orderId}` },
  });
}

/** Placed by a gateway that sees the database's clock an hour behind: its time to pay is over, and the loop closes it. */
async function placeTooLongAgo({ deps, databaseUrl, log }: Shop, { orderId }: Order): Promise<void> {
  const { db } = deps;
  await sql`create schema behind`.execute(db);
  await sql`
    create function behind.app_now() returns timestamptz language sql volatile parallel safe
    as $$ select public.app_now() - interval '1 hour' $$`.execute(db);
  const pool = createPool(databaseUrl, { max: 1 });
  pool.on('connect', (client) => void client.query('set search_path = behind, public'));
  const behind = createDb(pool);
  try {
    const { memberId } = await db.selectFrom('order').select('memberId').where('id', '=', orderId).executeTakeFirstOrThrow();
    const { orders } = createServices({ ...deps, db: behind, pool }, log);
    const viewer = { memberId, language: 'zh-CN' } as const;
    const product = { kind: 'SKU', skuId: 'dcu-10', quantity: 1 } as const;
    const choice = { couponId: null, points: 0n };
    const { payableFen: expectedPayableFen, priceVersion } = await orders.quote(viewer, product, choice);
    await orders.place(viewer, { product, choice, expectedPayableFen, priceVersion }, null);
  } finally {
    await behind.destroy();
  }
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
