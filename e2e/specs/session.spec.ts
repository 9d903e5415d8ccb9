import type { Page, Route } from '@playwright/test';
import { TEST_PASSWORD, type TestMember } from '../../gateway/testing/factories';
import { expect, type SharedGateway, test } from '../sharedGateway';

const SESSION_USER = '**/gateway/user/getUserBySession*';
const DAY_SECONDS = 86_400;

/** Ends the login session where it is kept, as signing out elsewhere does. */
async function revoke({ db }: SharedGateway, { loginSessionId }: TestMember): Promise<void> {
  await db.updateTable('loginSession').set({ revokedAt: new Date() }).where('id', '=', loginSessionId).execute();
}

async function selectorOf(page: Page): Promise<string | undefined> {
  return (await page.context().cookies()).find(({ name }) => name === 'sessionId')?.value;
}

test.describe('3. “Session cookie: sessionId, path /, expiry given in days”', () => {
  for (const [keeps, days] of [
    [false, 7],
    [true, 30],
  ] as const) {
    test(`${days} days ${keeps ? 'when kept signed in' : 'otherwise'}`, async ({ page, shared, context }) => {
      const { username } = await shared.buildMember();
      await page.goto('/login');
      await page.getByRole('textbox', { name: 'Username' }).fill(username);
      await page.getByRole('textbox', { name: 'Password' }).fill(TEST_PASSWORD);
      if (keeps) await page.getByRole('checkbox', { name: 'Keep me signed in' }).check();
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await expect(page.getByRole('button', { name: 'Account menu' })).toBeVisible();

      const cookies = await context.cookies();
      const selector = cookies.find(({ name }) => name === 'sessionId');
      expect(selector).toMatchObject({ path: '/', httpOnly: false, sameSite: 'Lax' });
      expect(Math.round(((selector?.expires ?? 0) - Date.now() / 1000) / DAY_SECONDS)).toBe(days);
      // The selector alone opens nothing: its secret is where scripts cannot read it.
      expect(cookies.find(({ name }) => name === 'atelier')).toMatchObject({ path: '/', httpOnly: true });
    });
  }
});

test.describe('4. Start-up', () => {
  test('“the state is loading, with an empty placeholder shown, until the current user arrives”', async ({ page, member }) => {
    let answer = () => {};
    // The answer is the real one; it is held back, because the gateway has no slow days.
    await page.route(
      SESSION_USER,
      (route) =>
        new Promise((held) => {
          answer = () => held(route.continue());
        }),
    );
    await page.goto('/terms');

    const placeholder = page.locator('.start-placeholder');
    await expect(placeholder).toBeVisible();
    await expect(placeholder).toBeEmpty();
    await expect(page.getByRole('heading')).toHaveCount(0);
    answer();

    await expect(page.getByRole('button', { name: `Account menu of ${member.username}` })).toBeVisible();
    await expect(placeholder).toHaveCount(0);
  });

  test('“If that fails the user becomes the empty user”', async ({ page, member: _ }) => {
    // The gateway must fail for this one call alone.
    await page.route(SESSION_USER, (route) => route.abort('connectionrefused'));

    await page.goto('/terms');

    await expect(page.getByRole('heading', { level: 1, name: 'Terms of Service' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
  });

  test('7. “A call whose URL contains getUserBySession gets no error toast”', async ({ page, member: _ }) => {
    await page.route(SESSION_USER, (route) => route.fulfill({ status: 500, json: { success: false, code: 50000, msg: 'Broken' } }));

    await page.goto('/terms');

    await expect(page.getByRole('heading', { level: 1, name: 'Terms of Service' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
    await expect(page.getByText('Broken')).toHaveCount(0);
  });
});

test.describe('4. “on an HTTP 401 response … the session cookie is cleared and the app goes to /login after 300 ms”', () => {
  test('with a login session that was ended elsewhere', async ({ page, shared, member }) => {
    await page.clock.install();
    await page.goto('/main/myLab/workshop');
    await expect(page.getByRole('heading', { level: 1, name: 'Workshop' })).toBeVisible();
    await page.waitForLoadState('networkidle');
    await revoke(shared, member);
    await page.clock.pauseAt(Date.now() + 60_000);

    await page.getByRole('menuitem', { name: 'My Account' }).click();
    await expect.poll(() => selectorOf(page)).toBeUndefined();

    await page.clock.runFor(299);
    expect(new URL(page.url()).pathname).toBe('/main/personalCenter/costCenter/account');
    await page.clock.runFor(1);
    await expect(page).toHaveURL(`/login?redirect=${encodeURIComponent('/main/personalCenter/costCenter/account')}`);
  });

  test('8. “UNAUTHORIZED 10004: shows the message, then goes to /login after 300 ms”: once, however many calls find out', async ({
    page,
    shared,
    member,
  }) => {
    await page.goto('/main/myLab/workshop');
    await expect(page.getByRole('heading', { level: 1, name: 'Workshop' })).toBeVisible();
    await page.waitForLoadState('networkidle');
    await revoke(shared, member);
    let refusals = 0;
    page.on('response', (response) => {
      if (response.status() === 401) refusals += 1;
    });
    const first = page.waitForResponse((response) => response.status() === 401);
    // Held until two have asked, so that a quick refusal of the first does not lead away before the second asks.
    const asked: Route[] = [];
    await page.route('**/gateway/*/*', async (route) => {
      asked.push(route);
      if (asked.length === 2) await Promise.all(asked.map((one) => one.fallback()));
      else if (asked.length > 2) await route.fallback();
    });

    // The window gets the focus and another page is opened: each asks for its own, at the same time.
    const account = page.getByRole('menuitem', { name: 'My Account' }).getByRole('link');
    await account.evaluate((link) => {
      window.dispatchEvent(new Event('focus'));
      (link as HTMLElement).click();
    });

    await expect(page).toHaveURL(/^[^?]*\/login\?redirect=/);
    await expect(page.getByRole('heading', { level: 1, name: 'Sign in' })).toBeVisible();
    await expect(page.locator('.ant-message-notice')).toHaveText('Please sign in to go on.');
    expect(refusals).toBeGreaterThan(1);
    expect((await (await first).json()).code).toBe(10004);
  });

  test('“unless the request carried the init flag”: a page for everybody stays where it is', async ({ page, shared, member }) => {
    await revoke(shared, member);
    await page.clock.install();
    const refusal = page.waitForResponse(SESSION_USER);

    await page.goto('/terms');
    expect((await refusal).status()).toBe(401);
    await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
    await page.clock.fastForward(2_000);

    await expect(page).toHaveURL('/terms');
    await expect(page.locator('.ant-message-notice')).toHaveCount(0);
  });
});

test.describe('6. Roles and permissions', () => {
  test('“Access is by cookie session; credentials are sent with every request” and 7. “All calls use JSON content type”', async ({
    page,
    member,
  }) => {
    const calls: Promise<Record<string, string>>[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/gateway/') && request.resourceType() === 'fetch') calls.push(request.allHeaders());
    });
    await page.goto('/main/myLab/workshop');
    await page.getByRole('menuitem', { name: 'My Account' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'My Account' })).toBeVisible();
    await page.waitForLoadState('networkidle');

    const sent = await Promise.all(calls);
    expect(sent.length).toBeGreaterThan(4);
    for (const headers of sent) {
      expect(headers.cookie).toContain(`sessionId=${member.loginSessionId}`);
      expect(headers.cookie).toContain(`atelier=${member.loginSecret}`);
      expect(headers['content-type']).toBe('application/json');
    }
  });

  test('“A logged-in user is found from the session; failure yields no user”', async ({ page, shared, member }) => {
    await page.goto('/terms');
    await expect(page.getByRole('button', { name: `Account menu of ${member.username}` })).toBeVisible();
    await revoke(shared, member);

    await page.reload();

    await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Account menu' })).toHaveCount(0);
  });

  test('“The router has an access slot”: a visitor signs in first and comes back to where they wanted to be', async ({
    page,
    shared,
  }) => {
    const { username } = await shared.buildMember();
    await page.goto('/main/personalCenter/costCenter/account?current=2');
    await expect(page).toHaveURL(/\/login\?redirect=/);

    await page.getByRole('textbox', { name: 'Username' }).fill(username);
    await page.getByRole('textbox', { name: 'Password' }).fill(TEST_PASSWORD);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();

    await expect(page).toHaveURL(/\/main\/personalCenter\/costCenter\/account/);
    await expect(page.getByRole('heading', { level: 1, name: 'My Account' })).toBeVisible();
  });
});
