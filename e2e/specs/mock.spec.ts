import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { type Child, startChild } from '../../gateway/testing/childProcess';
import { mockMembers } from '../../gateway/testing/mockMembers';
import { findFreePort } from '../gateway';

/** A fresh machine compiles every package first. */
const READY_LIMIT_MS = 150_000;
const LIST = '/main/myLab/workshop';
const ORDERS = '/main/personalCenter/costCenter/order';

let mock: Child;
let origin: string;
let before: string[];

const mockFolders = () => readdirSync(tmpdir()).filter((name) => name.startsWith('atelier-mock-'));

test.describe('npm run mock', () => {
  test.beforeAll(async () => {
    test.setTimeout(READY_LIMIT_MS);
    before = mockFolders();
    const port = await findFreePort();
    origin = `http://127.0.0.1:${port}`;
    mock = startChild('scripts/mock.mjs', { PORT: String(port), BROWSER: 'none' });
    await mock.line(/Sign in as demo/);
    await expect.poll(readPage, { timeout: READY_LIMIT_MS }).toContain('id="root"');
  });
  test.afterAll(async () => {
    await mock.end('SIGINT');
    expect(mockFolders()).toEqual(before);
  });

  test('previews the console as any of its members, with late, failing and lost answers and a terminal that answers', async ({
    page,
  }) => {
    test.setTimeout(2 * READY_LIMIT_MS);
    await test.step('a visitor becomes a member with many workshops', async () => {
      await page.goto(`${origin}${LIST}`);
      // The console is compiled at the first look, and its gateway makes every member's labs and orders first.
      await expect(panelButton(page)).toBeVisible({ timeout: READY_LIMIT_MS });
      await openPanel(page);
      await choose(page, 'Member', '30 workshops');
      // Its page's own part is compiled when it is first asked for.
      await expect(page.getByRole('heading', { name: 'Workshop', level: 1 })).toBeVisible({ timeout: READY_LIMIT_MS });
      await expect(page.getByText('线性代数 30').first()).toBeVisible();
    });

    await test.step('every other member is one step away', async () => {
      await openPanel(page);
      await expect(page.getByLabel('Member', { exact: true }).getByRole('option')).toHaveCount(mockMembers.length + 1);
      await choose(page, 'Member', 'A lab is running');
      await expect(page.getByText('图像分类').first()).toBeVisible();
    });

    await test.step('answers fail and come late as switched, for the calls meant', async () => {
      await openPanel(page);
      await page.getByLabel('Only calls with this in their path').fill('workshop/page');
      await page.keyboard.press('Enter');
      await choose(page, 'Answers', 'Failing (500)');
      const failed = page.waitForResponse(/workshop\/page/);
      await page.reload();
      expect((await failed).status()).toBe(500);
      await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible();
      await openPanel(page);
      await page.getByRole('button', { name: 'Answer as usual' }).click();
      await page.getByRole('button', { name: 'Try again' }).click();
      await expect(page.getByText('图像分类').first()).toBeVisible();
    });

    await test.step('a line typed in the terminal is answered', async () => {
      await page.getByRole('link', { name: '图像分类' }).first().click();
      const output = page.getByRole('log', { name: 'Output of Terminal 1' });
      await expect(output).toContainText('$');
      await page.getByRole('tabpanel', { name: 'Terminal 1' }).getByRole('textbox').focus();
      await page.keyboard.type('echo mock-$((6*7))');
      await page.keyboard.press('Enter');
      await expect.poll(() => output.textContent()).toContain('mock-42');
    });

    await test.step('a lost session leads to sign in', async () => {
      await choose(page, 'Answers', 'Session lost (401)');
      await page.goto(`${origin}${LIST}`);
      await expect(page).toHaveURL(/\/login\?redirect=/);
      await openPanel(page);
      await page.getByRole('button', { name: 'Answer as usual' }).click();
    });

    await test.step('orders in many states, and one that is paid at the cashier', async () => {
      await choose(page, 'Member', 'Orders in every state, coupons, a package');
      await expect(page.getByRole('button', { name: 'Account menu of demo-buyer' })).toBeVisible();
      await page.goto(`${origin}${ORDERS}`);
      const orders = page.getByRole('table', { name: 'Orders' });
      for (const state of ['To be paid', 'Paid', 'Cancelled', 'Refunded']) {
        await expect(orders.getByText(state, { exact: true }).first()).toBeVisible();
      }
      await orders.getByRole('button', { name: 'Pay: 50 DCU' }).click();
      await page.getByRole('button', { name: 'Pay ¥50.00', exact: true }).click();
      const cashier = page.waitForEvent('popup');
      await page.getByRole('link', { name: 'Open the cashier' }).click();
      await (await cashier).getByRole('button', { name: 'Pay', exact: true }).click();
      await expect(page.getByRole('heading', { name: 'Paid. Thank you!' })).toBeVisible();
    });
  });
});

test('a build carries nothing of the panel', () => {
  const dist = resolve(__dirname, '../../dist');
  const scripts = readdirSync(dist).filter((name) => name.endsWith('.js'));

  expect(scripts.length).toBeGreaterThan(5);
  expect(scripts.filter((name) => /\/mock\/|mock\.title/.test(readFileSync(join(dist, name), 'utf8')))).toEqual([]);
});

/** The page as it is served; nothing while the development server is not there yet. */
async function readPage(): Promise<string> {
  const answer = await fetch(`${origin}${LIST}`, { headers: { accept: 'text/html' } }).catch(() => null);
  return (await answer?.text()) ?? '';
}

function panelButton(page: Page) {
  return page.getByRole('button', { name: /^Open the panel of mock mode/ });
}

async function openPanel(page: Page): Promise<void> {
  await panelButton(page).click();
}

async function choose(page: Page, field: string, option: string): Promise<void> {
  await page.getByLabel(field, { exact: true }).selectOption({ label: option });
}
