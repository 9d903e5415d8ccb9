import { expect, test, walk } from '../sharedGateway';
import { balanceShown, buy, COSTS, decideByPhone, orderPack, payByPhone } from '../shopping';
import { watchPage } from '../watch';

test('DCU bought with a coupon and points and paid by phone are in the balance at once', async ({ page, shared, member: _ }) => {
  const watch = watchPage(page, [shared.origin]);

  await test.step('points come from checking in, a coupon from a code', async () => {
    await page.goto('/main/personalCenter/pointsCenter');
    await page.getByRole('button', { name: 'Check in for 5 points' }).click();
    await expect(page.getByText('Checked in: 5 points more.')).toBeVisible();
    await walk(page, `${COSTS}/coupon`);
    await page.getByRole('button', { name: 'Activate Rights' }).click();
    const dialog = page.getByRole('dialog', { name: 'Activate Rights' });
    await dialog.getByLabel('Code').fill('WELCOME2026');
    await dialog.getByRole('button', { name: 'Redeem code' }).click();
    await expect(dialog.getByText('Redeemed: ¥10 off from ¥50')).toBeVisible();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await expect(page.getByRole('listitem').filter({ hasText: '¥10 off' })).toBeVisible();
  });

  await test.step('the price counts both', async () => {
    await walk(page, `${COSTS}/checkout`);
    await page.getByRole('radio', { name: /^50 DCU/ }).check();
    await expect(page.getByRole('radio', { name: '¥10 off from ¥50' })).toBeChecked();
    await page.getByRole('button', { name: 'Use most' }).click();
    await expect(page.getByRole('complementary', { name: 'Price' })).toContainText('¥39.95');
  });

  await test.step('the phone pays and the console notices by itself', async () => {
    await buy(page, '¥39.95');
    await expect(page.getByText('Your balance is now 150 DCU')).toBeVisible();
    await expect(page.getByText('You earned 39 points')).toBeVisible();
    await expect(balanceShown(page, '150')).toBeVisible();
  });

  await test.step('the change table has it', async () => {
    await walk(page, `${COSTS}/account`);
    await expect(page.getByRole('row', { name: /Bought.*\+50/ })).toBeVisible();
  });
  expect(watch.problems()).toEqual([]);
});

test('an order that was left is found, paid after a refused attempt, and another is cancelled', async ({
  page,
  shared,
  member,
}) => {
  const watch = watchPage(page, [shared.origin]);
  const list = page.getByRole('table', { name: 'Orders' });
  const rowOf = (orderNo: string) => list.getByRole('row').filter({ hasText: orderNo });
  const { orderNo: cancelledNo } = await orderPack(shared.clientOf(member));
  let orderNo = '';

  await test.step('left while it waits', async () => {
    await page.goto(`${COSTS}/checkout?sku=dcu-10`);
    await page.getByRole('button', { name: 'Place order and pay ¥10.00' }).click();
    await expect(page.getByRole('timer')).toHaveText(/^(30:00|29:\d\d)$/);
    const number = page.getByRole('complementary', { name: 'Order number' }).getByText(/^\d{20}$/);
    orderNo = (await number.textContent()) ?? '';
    await page.getByRole('button', { name: 'Pay later' }).click();
    await expect(rowOf(orderNo)).toContainText('To be paid');
    await expect(rowOf(orderNo).getByRole('timer')).toHaveText(/^29:\d\d$/);
  });

  await test.step('paid after the bank refused once', async () => {
    await rowOf(orderNo).getByRole('button', { name: 'Pay: 10 DCU' }).click();
    await payByPhone(page, '¥10.00', 'Decline');
    await expect(page.getByText('The payment did not go through')).toBeVisible();
    await page.getByRole('button', { name: 'Pay again' }).click();
    await decideByPhone(page, '¥10.00', 'Pay');
    await expect(page.getByRole('heading', { level: 1, name: 'Paid. Thank you!' })).toBeVisible();
    await expect(balanceShown(page, '110')).toBeVisible();
  });

  await test.step('the other one cancelled', async () => {
    await page.getByRole('button', { name: 'See my orders' }).click();
    await expect(rowOf(orderNo)).toContainText('Paid');
    await rowOf(cancelledNo).getByRole('button', { name: 'Cancel: 10 DCU' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel order' }).click();
    await expect(rowOf(cancelledNo)).toContainText('Cancelled');
    await expect(rowOf(cancelledNo).getByRole('button', { name: 'Pay: 10 DCU' })).toHaveCount(0);
  });
  expect(watch.problems()).toEqual([]);
});

test('after them all the books agree', async ({ shared }) => {
  const { exitCode, output } = await shared.process.runVerify();

  expect(exitCode, output).toBe(0);
});
