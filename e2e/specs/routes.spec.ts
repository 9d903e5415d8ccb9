import { addressOf, screenBehind, titleOf } from '../routeTable';
import { expect, type Page, test, walk } from '../sharedGateway';

/** Section 2, row by row: route, meaning, whether it is hidden from the menu. */
const table = [
  ['/', 'home', 'hidden from menu'],
  ['/homeTopicResearch', 'topic research home', 'hidden'],
  ['/homeMyLab', 'my lab home', 'hidden'],
  ['/main', 'redirects to /main/topicResearch/square', 'hidden'],
  ['/main/topicResearch/square', 'topic square', ''],
  ['/main/topicResearch/square/detail/:projectId', 'topic detail', 'hidden'],
  ['/main/topicResearch/project', 'topic project', ''],
  ['/main/myLab', 'my lab group', ''],
  ['/main/myLab/workshop', 'workshop', ''],
  ['/main/myLab/instances', 'instance management', ''],
  ['/main/myLab/knowledge', 'personal knowledge base', ''],
  ['/main/myLab/images', 'image repository', ''],
  ['/main/myLab/datasets', 'personal datasets', ''],
  ['/success', 'success page', 'hidden'],
  ['/main/personalCenter/accountSettings', 'personal settings', 'hidden'],
  ['/main/personalCenter/costCenter', 'cost center group', ''],
  ['/main/personalCenter/costCenter/account', 'my account', ''],
  ['/main/personalCenter/costCenter/coupon', 'my coupons', ''],
  ['/main/personalCenter/costCenter/order', 'orders', ''],
  ['/main/personalCenter/costCenter/bill', 'bills', ''],
  ['/main/personalCenter/costCenter/membership', 'my membership', ''],
  ['/main/personalCenter/pointsCenter', 'points center', 'hidden'],
] as const;

/** The header of the frame; before it stands an empty one that keeps its place. */
function frameOf(page: Page) {
  return page.getByRole('banner').filter({ hasText: 'Atelier' });
}

test.describe('2. Screens and routes', () => {
  for (const [path, meaning, note] of table) {
    test(`“${path} | ${meaning}${note && ` | ${note}`}”`, async ({ warmPage: page }) => {
      const screen = screenBehind(path);

      await walk(page, path.replace(':projectId', 'none'));

      // A page that is not built yet leads on to the nearest that is; `awaitingPage` of the routes lists them.
      await expect(page).toHaveURL(addressOf(screen, { projectId: 'none' }));
      await expect(page).toHaveTitle(`${titleOf(screen, 'en-US')} · Atelier`);
      await expect(frameOf(page)).toBeVisible();
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    });
  }

  test('“hidden from menu”: the menu has every built screen of the table that is not hidden, and no other', async ({
    warmPage: page,
  }) => {
    const shown = table.filter(([path, , note]) => note === '' && screenBehind(path).path === path);

    await page.goto('/main/myLab/workshop');

    const menu = page.getByRole('navigation', { name: 'Main pages' });
    const titles = shown.map(([path]) => titleOf(screenBehind(path), 'en-US'));
    await expect(menu.getByRole('menuitem')).toHaveText(titles);
  });

  test('“* | any unknown path | redirects to /404”', async ({ warmPage: page }) => {
    for (const unknown of ['/nowhere', '/main/nowhere', '/main/myLab/workshop/nowhere']) {
      await walk(page, unknown);
      await expect(page).toHaveURL('/404');
    }
  });

  test('“/404 | not found | no layout; says the page does not exist or has been deleted; offers a back-to-home button”', async ({
    page,
  }) => {
    await page.goto('/404');

    await expect(page.getByText('Sorry, the page you visited does not exist or has been deleted')).toBeVisible();
    await expect(page.getByRole('banner')).toHaveCount(0);
    await expect(page.getByRole('navigation')).toHaveCount(0);
    await page.getByRole('button', { name: 'Back home' }).click();
    await expect(page).not.toHaveURL('/404');
  });

  test('“/login | login | no layout; offers phone login versus account-password login, forgot password, links to terms of service and privacy policy”', async ({
    page,
  }) => {
    await page.goto('/login');

    await expect(page.getByRole('navigation')).toHaveCount(0);
    await expect(page.getByLabel('Username')).toBeVisible();
    await expect(page.getByRole('textbox', { name: 'Password' })).toBeVisible();
    await expect(
      page.getByRole('button', { name: 'Forgot password' }).or(page.getByRole('link', { name: 'Forgot password' })),
    ).toBeVisible();
    await page.getByRole('tab', { name: 'Phone code' }).click();
    await expect(page.getByLabel('Phone number')).toBeVisible();
    await expect(page.getByLabel('Verification code')).toBeVisible();
    await expect(page.getByRole('link', { name: 'Terms of Service' })).toHaveAttribute('href', '/terms');
    await expect(page.getByRole('link', { name: 'Privacy Policy' })).toHaveAttribute('href', '/privacy');
  });

  test('“All routes except /404 and /login sit inside a shared global layout”: the frame stays when the page changes', async ({
    warmPage: page,
  }) => {
    await page.goto('/main/myLab/workshop');
    const frame = await frameOf(page).elementHandle();

    await page.getByRole('menuitem', { name: 'My Account' }).click();

    await expect(page.getByRole('heading', { level: 1, name: 'My Account' })).toBeVisible();
    expect(await frame?.evaluate((banner) => banner.isConnected)).toBe(true);
  });

  test('“Screens load lazily on demand”', async ({ page, member: _ }) => {
    const fetched: string[] = [];
    page.on('request', (request) => fetched.push(new URL(request.url()).pathname));
    const chunksOf = (screen: string) => fetched.filter((path) => path.includes(`p__main__${screen}__index`));
    await page.goto('/main/myLab/workshop');
    await expect(page.getByRole('heading', { level: 1, name: 'Workshop' })).toBeVisible();
    await page.waitForLoadState('networkidle');
    expect(chunksOf('myLab__workshop')).not.toEqual([]);
    expect(chunksOf('personalCenter__costCenter__account')).toEqual([]);

    await page.getByRole('menuitem', { name: 'My Account' }).click();

    await expect(page.getByRole('heading', { level: 1, name: 'My Account' })).toBeVisible();
    expect(chunksOf('personalCenter__costCenter__account')).not.toEqual([]);
  });

  test('“Routing uses browser history, base path /, mounted in an element called root”', async ({ warmPage: page }) => {
    await page.goto('/main/myLab/workshop');
    await page.getByRole('menuitem', { name: 'My Account' }).click();
    await expect(page).toHaveURL('/main/personalCenter/costCenter/account');

    await page.goBack();

    await expect(page).toHaveURL('/main/myLab/workshop');
    await expect(page.locator('#root').getByRole('heading', { level: 1, name: 'Workshop' })).toBeVisible();
  });
});
