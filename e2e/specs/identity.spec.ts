import { TEST_PASSWORD } from '../../gateway/testing/factories';
import { expect, test } from '../sharedGateway';

const NEW_PASSWORD = 'kettle orbit lantern 9';
const SETTINGS = '/main/personalCenter/accountSettings';

test('7. “POST forget password (reset)”: from /login to a new password, which ends what was signed in', async ({
  page,
  browser,
  shared,
}) => {
  const member = await shared.buildMember();
  const elsewhere = await browser.newContext({ baseURL: shared.origin, locale: 'en-US' });
  await shared.signIn(elsewhere, member);
  const otherPage = await elsewhere.newPage();
  await otherPage.goto('/main/myLab/workshop');
  await page.goto('/login');

  await page.getByText('Forgot password').click();
  await page.getByLabel('Phone number').fill(member.mobile);
  await page.getByRole('button', { name: 'Send code' }).click();
  // The answer moves the focus to the code's field.
  await expect(page.getByText('A code is on its way')).toBeVisible();
  await page.getByLabel('Verification code').fill(await shared.process.readCode(member.mobile));
  await page.getByRole('textbox', { name: 'New password' }).fill(NEW_PASSWORD);
  await page.getByRole('textbox', { name: 'Password again' }).fill(NEW_PASSWORD);
  await page.getByRole('button', { name: 'Set new password' }).click();
  await expect(page.getByRole('heading', { name: 'Your password is changed' })).toBeVisible();
  await page.getByRole('link', { name: 'Sign in' }).click();
  await page.getByRole('textbox', { name: 'Username' }).fill(member.username);
  await page.getByRole('textbox', { name: 'Password' }).fill(NEW_PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();

  await expect(page.getByRole('button', { name: `Account menu of ${member.username}` })).toBeVisible();
  await otherPage.getByRole('menuitem', { name: 'My Account' }).click();
  await expect(otherPage).toHaveURL(/\/login\?redirect=/);
  await elsewhere.close();
});

test('4. “Session”: a device signed out from another one goes to /login at its next call', async ({ page, browser, shared }) => {
  const member = await shared.buildMember();
  const elsewhere = await browser.newContext({ baseURL: shared.origin, locale: 'en-US' });
  await shared.signIn(elsewhere, member);
  const otherPage = await elsewhere.newPage();
  await otherPage.goto('/main/myLab/workshop');
  await page.goto(`/login?redirect=${encodeURIComponent(SETTINGS)}`);
  await page.getByRole('textbox', { name: 'Username' }).fill(member.username);
  await page.getByRole('textbox', { name: 'Password' }).fill(TEST_PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('tab', { name: 'Devices' }).click();

  await page
    .getByRole('button', { name: /^Sign out (?!all)/ })
    .last()
    .click();
  await expect(page.getByText('No other device is signed in.')).toBeVisible();
  await otherPage.getByRole('menuitem', { name: 'My Account' }).click();

  await expect(otherPage).toHaveURL(/\/login\?redirect=/);
  await expect(page.getByRole('heading', { level: 1, name: 'Account Center' })).toBeVisible();
  await elsewhere.close();
});
