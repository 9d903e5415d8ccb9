import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '../sharedGateway';

const START = '**/gateway/workshop/start';

test('9. “Request time-out 200000 ms”', async ({ page, shared, member }) => {
  await shared.buildWorkshop(member);
  await page.clock.install();
  await page.goto('/main/myLab/workshop');
  const start = page.getByRole('button', { name: /^Start/ }).first();
  const asked = page.waitForRequest(START);
  // The gateway itself would answer long before.
  await page.route(START, () => new Promise(() => {}));
  await start.click();
  await asked;
  const tooLong = page.getByText('The service took too long to answer.');

  await page.clock.fastForward(195_000);
  await expect(tooLong).toHaveCount(0);
  await page.clock.fastForward(6_000);

  await expect(tooLong).toBeVisible();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});

test('9. “Pagination helper default page size 10”', async ({ page, shared, member }) => {
  for (let nth = 1; nth <= 11; nth += 1) await shared.buildWorkshop(member, { name: `Lab ${nth}` });
  const asked = page.waitForRequest('**/gateway/workshop/page*');

  await page.goto('/main/myLab/workshop');

  const request = await asked;
  const sent = request.postDataJSON() ?? Object.fromEntries(new URL(request.url()).searchParams);
  expect(Number(sent.pageSize)).toBe(10);
  await expect(page.getByRole('link', { name: /^Lab \d+$/ })).toHaveCount(10);
  await page.getByRole('listitem', { name: '2' }).click();
  await expect(page.getByRole('link', { name: /^Lab \d+$/ })).toHaveCount(1);
  await expect(page).toHaveURL(/current=2/);
});

test('9. “refresh-on-focus default 5000 ms”', async ({ page, member: _ }) => {
  await page.clock.install();
  await page.goto('/main/myLab/workshop');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.waitForLoadState('networkidle');
  let asked = 0;
  page.on('request', (request) => {
    if (request.url().includes('/gateway/account/')) asked += 1;
  });
  const focus = () => page.evaluate(() => window.dispatchEvent(new Event('focus')));

  await focus();
  await expect.poll(() => asked).toBeGreaterThan(0);
  const first = asked;
  await page.clock.fastForward(1_000);
  await focus();
  await page.waitForLoadState('networkidle');
  expect(asked).toBe(first);
  await page.clock.fastForward(5_000);
  await focus();

  await expect.poll(() => asked).toBeGreaterThan(first);
});

test('9. “default cache time 5 minutes”', async ({ page, member: _ }) => {
  await page.clock.install();
  // What is asked again meanwhile is never answered: what is shown can only come from the cache.
  let isOpenFor = 1;
  await page.route('**/gateway/workshop/cpuSpec', (route) => (isOpenFor-- > 0 ? route.continue() : new Promise(() => {})));
  await page.goto('/main/myLab/workshop');
  const drawer = page.getByRole('dialog', { name: 'New workshop' });
  const open = () => page.getByRole('button', { name: 'New workshop' }).first().click();
  const close = async () => {
    await drawer.getByRole('button', { name: 'Cancel' }).click();
    await page.clock.runFor(2_000);
    await expect(drawer).toHaveCount(0);
  };
  await open();
  await expect(drawer.getByText('0.25 DCU per hour').first()).toBeVisible();
  await close();

  await page.clock.fastForward(240_000);
  await open();
  await expect(drawer.getByText('0.25 DCU per hour').first()).toBeVisible();
  await close();
  await page.clock.fastForward(300_000);
  await open();

  await expect(drawer).toBeVisible();
  await expect(drawer.getByText('0.25 DCU per hour')).toHaveCount(0);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});

test('9. “Framework version 4.5.0 (routing layer); the UI framework is version 18.3.1”', async ({ page }) => {
  const versionOf = (name: string) =>
    JSON.parse(readFileSync(join(__dirname, '../../node_modules', name, 'package.json'), 'utf8')).version;
  await page.goto('/login');
  const address = await page.locator('script[src*="/umi."]').getAttribute('src');
  const bundle = await (await page.request.get(address ?? '')).text();

  expect([versionOf('@umijs/max'), versionOf('umi'), versionOf('react')]).toEqual(['4.5.0', '4.5.0', '18.3.1']);
  expect(bundle).toContain('"18.3.1"');
});
