import { expect, test } from '../sharedGateway';

test.describe('5. “Only generic form messages are shown”', () => {
  test('“required”, “minimum and maximum string length”, “pattern mismatch” beside the fields of an account', async ({ page }) => {
    await page.goto('/login?view=register');
    await page.getByLabel('Phone number').fill('12x');
    await page.getByLabel('Verification code').fill('12');
    await page.getByLabel('Password', { exact: true }).fill('short');

    await page.getByRole('button', { name: 'Create account' }).click();

    await expect(page.getByText('Please enter your username')).toBeVisible();
    await expect(page.getByText('This does not look like a phone number')).toBeVisible();
    await expect(page.getByText('The code has six digits')).toBeVisible();
    await expect(page.getByText('8 to 128 characters')).toBeVisible();
    await expect(page.getByText('Please enter the password again')).toBeVisible();
    await expect(page).toHaveURL(/view=register/);
  });

  test('“number range” and “maximum string length” beside those of a workshop', async ({ page, member: _ }) => {
    await page.goto('/main/myLab/workshop?create=1');
    const drawer = page.getByRole('dialog', { name: 'New workshop' });
    await drawer.getByLabel('Name').fill('n'.repeat(41));
    await drawer.getByLabel('Stop by itself after').fill('99');

    await drawer.getByRole('button', { name: /^Create/ }).click();

    await expect(drawer.getByText('Between 1 and 4 hours')).toBeVisible();
    await expect(drawer.getByText('At most 40 characters')).toBeVisible();
  });
});
