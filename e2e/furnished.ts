import type { TestMember } from '../gateway/testing/factories';
import type { MemberClient } from './memberClient';
import { orderPack, payWithoutBrowser } from './shopping';

interface Home {
  buildMember(): Promise<TestMember>;
  buildWorkshop(member: TestMember, options: { name: string; specId?: string }): Promise<string>;
  clientOf(member: TestMember): MemberClient;
}

export interface Furnished {
  member: TestMember;
  workshopId: string;
  /** By how they stand. */
  orders: { pending: string; paid: string; refunded: string; cancelled: string };
}

/**
 * A member with something to show on every page: a running and a stopped lab with a bill, orders in four states, a package and one that
 * waits behind it, coupons to use and used, points earned and spent.
 */
export async function buildFurnished(home: Home): Promise<Furnished> {
  const member = await home.buildMember();
  const workshopId = await home.buildWorkshop(member, { name: 'Gradient descent' });
  const ended = await home.buildWorkshop(member, { name: 'Thesis data cleaning', specId: 'cpu-1' });
  const client = home.clientOf(member);
  await client.call('POST /gateway/workshop/start', { body: { workshopId: ended } });
  await client.call('POST /gateway/points/checkIn', {});
  for (const code of ['WELCOME2026', 'LEARN20', 'LABDCU'])
    await client.call('POST /gateway/membership/redeemCoupon', { body: { code } });
  const orders = await buildOrders(client);
  await client.call('POST /gateway/workshop/stop', { body: { workshopId: ended } });
  await client.call('POST /gateway/workshop/start', { body: { workshopId } });
  return { member, workshopId, orders };
}

async function buildOrders(client: MemberClient): Promise<Furnished['orders']> {
  const [paid, refunded, cancelled] = [
    await orderPack(client, { skuId: 'dcu-100', quantity: 1 }),
    await orderPack(client),
    await orderPack(client, { skuId: 'starter', quantity: 1 }),
  ];
  for (const { orderId } of [paid, refunded]) await payWithoutBrowser(client, orderId);
  for (const packageId of ['standard', 'pro']) await payWithoutBrowser(client, await orderPackage(client, packageId));
  const { refundFen } = await client.call('GET /gateway/order/refundQuote', { query: { orderId: refunded.orderId } });
  await client.call('POST /gateway/order/refund', { body: { orderId: refunded.orderId, expectedRefundFen: refundFen } });
  await client.call('POST /gateway/order/cancel', { body: { orderId: cancelled.orderId } });
  const pending = await orderPack(client, { skuId: 'dcu-50', quantity: 2 });
  return { pending: pending.orderId, paid: paid.orderId, refunded: refunded.orderId, cancelled: cancelled.orderId };
}

async function orderPackage(client: MemberClient, packageId: string): Promise<string> {
  const body = { packageId, months: 1 };
  const { payableFen, priceVersion } = await client.call('POST /gateway/order/estimatePackagePrice', { body });
  const agreed = { ...body, expectedPayableFen: payableFen, priceVersion };
  return (await client.call('POST /gateway/order/placePackage', { body: agreed })).orderId;
}
