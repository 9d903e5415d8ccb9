import { expect, test, walk } from '../sharedGateway';
import { balanceShown, buy, COSTS, orderPack, payWithoutBrowser } from '../shopping';
import { watchPage } from '../watch';

test('a size the level refuses starts after Standard was bought and upgraded to Pro', async ({ page, shared, member }) => {
  await shared.buildWorkshop(member, { name: 'Wide sweep', specId: 'cpu-16' });
  const start = () =>
    page
      .getByRole('button', { name: /^Start/ })
      .first()
      .click();

  await test.step('the refusal shows the way to the packages', async () => {
    await page.goto('/main/myLab/workshop');
    await start();
    await page
      .getByRole('dialog', { name: 'More CPU than your level allows' })
      .getByRole('button', { name: 'See packages' })
      .click();
    await expect(page).toHaveURL(`${COSTS}/membership`);
  });
  // The refusal itself is an answer the browser notes as an error.
  const watch = watchPage(page, [shared.origin]);

  await test.step('Standard begins at once and brings its first DCU', async () => {
    await page.getByRole('button', { name: 'Buy Standard' }).click();
    await buy(page, '¥29.00');
    await expect(balanceShown(page, '130')).toBeVisible();
    await page.getByRole('button', { name: 'See what my level allows' }).click();
    await expect(page.getByRole('region', { name: 'Your level now' })).toContainText('0 of 8 cores');
  });

  await test.step('Pro costs less by what is left of Standard, and raises the ceiling', async () => {
    await page.getByRole('button', { name: 'Upgrade to Pro' }).click();
    const summary = page.getByRole('complementary', { name: 'Price' });
    await expect(summary).toContainText('Credit for your present package');
    const place = await summary.getByRole('button', { name: /^Place order/ }).textContent();
    const amount = /¥[\d.]+/.exec(place ?? '')?.[0] ?? '';
    expect(Number(amount.slice(1))).toBeGreaterThan(70);
    expect(Number(amount.slice(1))).toBeLessThan(70.5);
    await buy(page, amount);
    await page.getByRole('button', { name: 'See what my level allows' }).click();
    await expect(page.getByRole('region', { name: 'Your level now' })).toContainText('0 of 32 cores');
    // A month of Pro brings 120, of which Standard brought 30.
    await expect(balanceShown(page, '220')).toBeVisible();
  });

  await test.step('the lab starts', async () => {
    await walk(page, '/main/myLab/workshop');
    await start();
    await expect(page.getByText('Running').first()).toBeVisible();
  });
  expect(watch.problems()).toEqual([]);
});

test('points an order earned become a coupon; giving the order back takes its DCU and what those points were worth', async ({
  page,
  shared,
  member,
}) => {
  const watch = watchPage(page, [shared.origin]);
  const client = shared.clientOf(member);
  const { orderId } = await orderPack(client, { skuId: 'dcu-500', quantity: 1 });
  await payWithoutBrowser(client, orderId);

  await test.step('400 of the 500 points are redeemed', async () => {
    await page.goto('/main/personalCenter/pointsCenter');
    await page.getByRole('button', { name: '¥5 coupon: redeem for 400 points' }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Redeem/ })
      .click();
    await expect(page.getByRole('dialog').getByText('Redeemed: ¥5')).toBeVisible();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    await expect(balanceShown(page, '640')).toBeVisible();
  });

  await test.step('the refund says what comes back and what goes before it is done', async () => {
    await walk(page, `${COSTS}/order`);
    await page.getByRole('button', { name: '500 DCU', exact: true }).click();
    const drawer = page.getByRole('dialog', { name: 'Order', exact: true });
    await drawer.getByRole('button', { name: 'Refund: 500 DCU' }).click();
    const question = page.getByRole('dialog', { name: 'Give back 500 DCU?' });
    await expect(question).toContainText('540 DCU that you have not used');
    await expect(question).toContainText('¥4.00 less comes back for them');
    await question.getByLabel('Why (optional)').fill('Too many for this term');
    await question.getByRole('button', { name: 'Give back for ¥496.00' }).click();
    await expect(
      drawer
        .getByText('Partly refunded')
        .or(drawer.getByText('Refunded', { exact: true }))
        .first(),
    ).toBeVisible();
    const story = drawer.getByRole('list').filter({ hasText: 'Ordered' }).getByRole('listitem');
    await expect(story).toContainText([/^Ordered/, /^Paid, and/, /^You asked for a refund/, /went back/]);
    await expect(balanceShown(page, '100')).toBeVisible();
  });
  expect(watch.problems()).toEqual([]);
});

test('after them all the books agree', async ({ shared }) => {
  const { exitCode, output } = await shared.process.runVerify();

  expect(exitCode, output).toBe(0);
});
