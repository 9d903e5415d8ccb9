import { expect, type Page } from '@playwright/test';
import type { OrderCalls } from '../gateway/contract/order';
import type { MemberClient } from './memberClient';
import { readQr } from './readQr';
import { watchPage } from './watch';

export const COSTS = '/main/personalCenter/costCenter';

/** The balance in the header as it is once it shows a figure. */
export function balanceShown(page: Page, dcu: string) {
  return page.getByRole('banner').getByRole('button', { name: `${dcu} DCU: your balance.` });
}

/** Presses pay, reads the QR code as a phone does, and lets the cashier page it leads to decide. The console is not touched. */
export async function payByPhone(page: Page, amount: string, decision: 'Pay' | 'Decline' = 'Pay'): Promise<void> {
  await page.getByRole('button', { name: `Pay ${amount}`, exact: true }).click();
  await decideByPhone(page, amount, decision);
}

/** The same where the code is already there. */
export async function decideByPhone(page: Page, amount: string, decision: 'Pay' | 'Decline'): Promise<void> {
  const picture = page.getByRole('img', { name: `QR code to pay ${amount}` });
  await expect(picture.locator('svg')).toBeVisible();
  const address = await readQr(picture);
  expect(address).toBe(await page.getByRole('link', { name: 'Open the cashier' }).getAttribute('href'));
  const phone = await page.context().newPage();
  const watch = watchPage(phone, [new URL(page.url()).origin]);
  await phone.goto(address);
  await expect(phone.getByText(amount, { exact: true })).toBeVisible();
  await phone.getByRole('button', { name: decision, exact: true }).click();
  await expect(phone.getByRole('status')).toHaveText(decision === 'Pay' ? 'Paid' : 'Declined');
  expect(watch.problems()).toEqual([]);
  await phone.close();
}

/** On the checkout page: orders and pays; the console comes to the page of thanks by itself. */
export async function buy(page: Page, amount: string): Promise<void> {
  await page.getByRole('button', { name: `Place order and pay ${amount}` }).click();
  await payByPhone(page, amount);
  await expect(page.getByRole('heading', { level: 1, name: 'Paid. Thank you!' })).toBeVisible();
}

/** A pack ordered without the browser, for journeys that begin behind the checkout. */
export async function orderPack(
  client: MemberClient,
  body: { skuId: string; quantity: number } = { skuId: 'dcu-10', quantity: 1 },
): Promise<OrderCalls['POST /gateway/order/placeSku']['data']> {
  const { payableFen, priceVersion } = await client.call('POST /gateway/order/estimateSkuPrice', { body });
  return client.call('POST /gateway/order/placeSku', { body: { ...body, expectedPayableFen: payableFen, priceVersion } });
}

/** Pays an order at the sandbox's cashier without the browser and waits until the gateway has heard of it. */
export async function payWithoutBrowser(client: MemberClient, orderId: string): Promise<void> {
  const { redirectUrl } = await client.call('POST /gateway/order/payPending', { body: { orderId, method: 'sandbox' } });
  const page = await (await fetch(redirectUrl)).text();
  const token = /name="token" value="([^"]+)"/.exec(page)?.[1] ?? '';
  await fetch(redirectUrl, { method: 'POST', body: new URLSearchParams({ token, action: 'approve' }) });
  await expect.poll(async () => (await client.call('GET /gateway/order/find', { query: { orderId } })).state).toBe('FULFILLED');
}
