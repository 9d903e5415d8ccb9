import { expect, test } from '../gateway';
import { runInTerminal } from '../runInTerminal';
import { noteSecrets } from '../sharedGateway';

const MOBILE = '13812345678';
const E164 = '+8613812345678';
const USERNAME = 'ada_lovelace';
const PASSWORD = 'bench lamp shelf 42';

test('a member signs up, starts a real lab, works in its terminal and pays for it by the second', async ({ page, gateway }) => {
  test.setTimeout(180_000);
  noteSecrets(page.context(), gateway);
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    // A visitor's first look for a session is answered 401, which the browser itself notes.
    if (message.type() === 'error' && !message.location().url.includes('getUserBySession')) problems.push(message.text());
  });

  await test.step('registers with the code from the outbox', async () => {
    await page.goto('/login?view=register');
    await page.getByLabel('Username').fill(USERNAME);
    await page.getByLabel('Phone number').fill(MOBILE);
    await page.getByRole('button', { name: 'Send code' }).click();
    // The answer moves the focus to the code's field.
    await expect(page.getByText('A code is on its way')).toBeVisible();
    await page.getByLabel('Verification code').fill(await gateway.readCode(E164));
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByLabel('Password again').fill(PASSWORD);
    await page.getByRole('button', { name: 'Create account' }).click();
    await expect(page.getByRole('heading', { name: 'Workshop' })).toBeVisible();
  });

  await test.step('sees the price before starting, and starts', async () => {
    await page.getByRole('button', { name: 'New workshop' }).first().click();
    const drawer = page.getByRole('dialog', { name: 'New workshop' });
    await expect(drawer.getByText('Price per hour')).toBeVisible();
    await expect(drawer.getByText(/Your 10 DCU last/).first()).toBeVisible();
    await drawer.getByLabel('Name').fill('First lab');
    await drawer.getByRole('button', { name: 'Create and start' }).click();
    await expect(page.getByRole('heading', { name: 'First lab' })).toBeVisible();
    await expect(page.getByText('Running').first()).toBeVisible();
  });

  await test.step('works in the terminal', async () => {
    await runInTerminal(page, 'echo $((6*7))', '42');
    await runInTerminal(page, "echo 'kept over stop and start' > note.txt && echo written $((1+1))", 'written 2');
  });

  const api = gateway.newMember();
  api.takeCookies(await page.context().cookies());
  const balance = async () => (await api.call('GET /gateway/account/remainDcu')).remainDcu;

  await test.step('watches the balance fall', async () => {
    const before = await balance();
    await expect.poll(balance).toBeLessThan(before);
  });

  await test.step('stops, starts again and finds the file', async () => {
    await page.getByRole('button', { name: 'Stop lab' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Stop lab' }).click();
    await expect(page.getByText('Stopped', { exact: true }).first()).toBeVisible();
    await page
      .getByRole('button', { name: /^Start lab/ })
      .first()
      .click();
    await expect(page.getByText('Running').first()).toBeVisible();
    await runInTerminal(page, 'cat note.txt', 'kept over stop and start');
    await page.getByRole('button', { name: 'Stop lab' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Stop lab' }).click();
    await expect(page.getByText('Stopped', { exact: true }).first()).toBeVisible();
  });

  await test.step('finds change table and balance in agreement to the micro-DCU', async () => {
    const { list, total } = await api.call('POST /gateway/dcuChange/pageFind', { body: { pageSize: 100 } });
    expect(total).toBe(list.length);
    const sumMicro = list.reduce((sum, change) => sum + Math.round(change.amountDcu * 1e6), 0);
    const remainMicro = Math.round((await balance()) * 1e6);
    expect(sumMicro).toBe(remainMicro);
    expect(Math.round((list[0]?.balanceAfterDcu ?? Number.NaN) * 1e6)).toBe(remainMicro);
    await page.goto('/main/personalCenter/costCenter/account');
    await expect(page.getByRole('row', { name: /First lab/ })).toHaveCount(2);
  });

  const { exitCode, output } = await gateway.runVerify();
  expect(exitCode, output).toBe(0);
  expect(problems).toEqual([]);
});
