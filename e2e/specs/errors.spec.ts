import type { Page } from '@playwright/test';
import { expect, test, walk } from '../sharedGateway';

const START = '**/gateway/workshop/start';
const ACCOUNT = '/main/personalCenter/costCenter/account';
const ACCOUNT_SCRIPT = '**/dist/p__main__personalCenter__costCenter__account__index.*.js';
const ACCOUNT_STYLE = '**/dist/p__main__personalCenter__costCenter__account__index.*.css';

async function openLabs(page: Page): Promise<void> {
  await page.goto('/main/myLab/workshop');
  await expect(page.getByRole('button', { name: /^Start|启动/ }).first()).toBeVisible();
}

async function pressStart(page: Page): Promise<void> {
  await page
    .getByRole('button', { name: /^Start|启动/ })
    .first()
    .click();
}

const toast = (page: Page) => page.locator('.ant-message-notice');

test.describe('8. “Non-zero code: the message shown is the mapped text, else the server message, else the fallback”', () => {
  test('the server message', async ({ page, context, shared, member }) => {
    const workshopId = await shared.buildWorkshop(member);
    await openLabs(page);
    // Started elsewhere meanwhile: this page does not know yet.
    const elsewhere = shared.process.newMember();
    elsewhere.takeCookies(await context.cookies());
    await elsewhere.call('POST /gateway/workshop/start', { body: { workshopId } });
    const refused = page.waitForResponse(START);

    await pressStart(page);

    const { code, msg } = await (await refused).json();
    expect(code).toBe(40002);
    await expect(toast(page)).toHaveText(msg);
  });

  test.describe('the fallback', () => {
    test.use({ locale: 'zh-CN' });
    test('“操作失败，请稍后重试”', async ({ page, shared, member }) => {
      await shared.buildWorkshop(member);
      await openLabs(page);
      // Our gateway always has words; another in front of it may have none.
      await page.route(START, (route) => route.fulfill({ json: { success: false, code: 39999, data: null, msg: '' } }));

      await pressStart(page);

      await expect(toast(page)).toHaveText('操作失败，请稍后重试');
    });
  });

  test('7. “The request layer treats a response with success equal to false as a failure”', async ({ page, shared, member }) => {
    await shared.buildWorkshop(member);
    await openLabs(page);
    // Our gateway never says both.
    await page.route(START, (route) => route.fulfill({ json: { success: false, code: 0, data: {}, msg: 'Not today' } }));

    await pressStart(page);

    await expect(toast(page)).toHaveText('Not today');
  });
});

test.describe('8. Limits, “named; handling not shown”', () => {
  test('MEMBER_NOT_MAX_LEVEL_CPU_LIMIT 25106: a lab larger than the level', async ({ page, shared, member }) => {
    await shared.buildWorkshop(member, { specId: 'cpu-4' });
    await openLabs(page);

    await pressStart(page);

    const dialog = page.getByRole('dialog', { name: 'More CPU than your level allows' });
    await expect(dialog).toContainText('Level 1 allows this');
    await dialog.getByRole('button', { name: 'Close' }).click();
    await expect(dialog).toBeHidden();
    await expect(toast(page)).toHaveCount(0);
  });

  test('MEMBER_MAX_LEVEL_CPU_LIMIT 25100: more cores than any level has', async ({ page, shared, context }) => {
    const member = await shared.buildMember({ levelFlag: 3 });
    await shared.signIn(context, member);
    await shared.buildWorkshop(member, { name: 'First', specId: 'cpu-64' });
    await shared.buildWorkshop(member, { name: 'Second', specId: 'cpu-1' });
    await page.goto('/main/myLab/workshop');
    const start = (name: string) =>
      page
        .getByRole('article')
        .or(page.getByRole('listitem'))
        .filter({ hasText: name })
        .getByRole('button', { name: /^Start/ })
        .first();
    await start('First').click();
    await expect(page.getByText('Running').first()).toBeVisible();

    await start('Second').click();

    await expect(page.getByRole('dialog', { name: 'More CPU than your level allows' })).toBeVisible();
  });

  test('MEMBER_DCU_LIMIT 25105: an empty balance, with the way to the account', async ({ page, shared, context }) => {
    const member = await shared.buildMember({ remainDcuMicro: 0n });
    await shared.signIn(context, member);
    await shared.buildWorkshop(member);
    await openLabs(page);

    await pressStart(page);

    await page.getByRole('dialog', { name: 'Not enough DCU to start' }).getByRole('button', { name: 'See my account' }).click();
    await expect(page).toHaveURL(ACCOUNT);
  });
});

test.describe('8. “Transport failure: the server msg or the error message is shown”', () => {
  test('the error message', async ({ page, shared, member }) => {
    await shared.buildWorkshop(member);
    await openLabs(page);
    await page.route(START, (route) => route.abort('connectionreset'));

    await pressStart(page);

    await expect(toast(page)).toHaveText('The service could not be reached. Please check your connection and try again.');
  });

  test('the server msg', async ({ page, shared, member }) => {
    await shared.buildWorkshop(member);
    await openLabs(page);
    // As a proxy in front of the gateway answers, which knows no envelope.
    await page.route(START, (route) => route.fulfill({ status: 502, json: { msg: 'The bridge is up' } }));

    await pressStart(page);

    await expect(toast(page)).toHaveText('The bridge is up');
  });
});

test.describe('8. “A script or CSS chunk that fails to load raises a load-failed error of type timeout, missing or error”', () => {
  const failure = (page: Page) => page.getByRole('alert').and(page.locator('[data-failure]'));

  test('error: a script the connection broke for, and reloading brings the page', async ({ page, member: _ }) => {
    await page.goto('/terms');
    await page.route(ACCOUNT_SCRIPT, (route) => route.abort('connectionreset'));

    await walk(page, ACCOUNT);

    await expect(failure(page)).toHaveAttribute('data-failure', 'error');
    await expect(failure(page)).toContainText('An error stopped it');
    await expect(page.getByRole('menuitem', { name: 'Workshop' })).toBeVisible();
    await page.unroute(ACCOUNT_SCRIPT);
    await page.getByRole('button', { name: 'Reload the page' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'My Account' })).toBeVisible();
  });

  test('error: a style', async ({ page, member: _ }) => {
    await page.goto('/terms');
    await page.route(ACCOUNT_STYLE, (route) => route.abort('connectionreset'));

    await walk(page, ACCOUNT);

    await expect(failure(page)).toHaveAttribute('data-failure', 'error');
  });

  test('missing: something came, and it was not the script', async ({ page, member: _ }) => {
    await page.goto('/terms');
    await page.route(ACCOUNT_SCRIPT, (route) => route.fulfill({ contentType: 'text/javascript', body: '' }));

    await walk(page, ACCOUNT);

    await expect(failure(page)).toHaveAttribute('data-failure', 'missing');
    await expect(failure(page)).toContainText('It is missing');
  });

  test('timeout: nothing comes, 9. “Chunk load time-out 120 seconds”', async ({ page, member: _ }) => {
    await page.clock.install();
    await page.goto('/terms');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    const asked = page.waitForRequest(ACCOUNT_SCRIPT);
    await page.route(ACCOUNT_SCRIPT, () => new Promise(() => {}));
    await walk(page, ACCOUNT);
    await asked;

    await page.clock.fastForward(115_000);
    await expect(failure(page)).toHaveCount(0);
    await page.clock.fastForward(10_000);

    await expect(failure(page)).toHaveAttribute('data-failure', 'timeout');
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  });
});

test('a page that goes offline says so, and says when it is back', async ({ page, context, member: _ }) => {
  await page.goto('/main/myLab/workshop');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();

  await context.setOffline(true);
  await expect(page.getByText('You are offline. What you see may be out of date.')).toBeVisible();
  await context.setOffline(false);

  await expect(page.getByText('You are offline. What you see may be out of date.')).toBeHidden();
  await expect(page.getByText('You are back online.')).toBeVisible();
});
