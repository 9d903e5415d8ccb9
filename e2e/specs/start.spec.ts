import { TEST_PASSWORD } from '../../gateway/testing/factories';
import { expect, newMobile, test } from '../sharedGateway';

test.describe('1. “Users register and log in with username and password, or by phone with a verification code”', () => {
  test('by username and password', async ({ page, shared }) => {
    const { username } = await shared.buildMember();
    await page.goto('/login');

    await page.getByRole('textbox', { name: 'Username' }).fill(username);
    await page.getByRole('textbox', { name: 'Password' }).fill(TEST_PASSWORD);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();

    await expect(page.getByRole('button', { name: `Account menu of ${username}` })).toBeVisible();
  });

  test('by phone with the code that was sent there', async ({ page, shared }) => {
    const { username, mobile } = await shared.buildMember();
    await page.goto('/login');
    await page.getByRole('tab', { name: 'Phone code' }).click();

    await page.getByLabel('Phone number').fill(mobile);
    await page.getByRole('button', { name: 'Send code' }).click();
    // The answer moves the focus to the code's field.
    await expect(page.getByText('A code is on its way')).toBeVisible();
    await page.getByLabel('Verification code').fill(await shared.process.readCode(mobile));
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();

    await expect(page.getByRole('button', { name: `Account menu of ${username}` })).toBeVisible();
  });
});

test('1. “Other links: an editor extension link and a documentation site link (the documentation opens in a new tab)”', async ({
  warmPage: page,
}) => {
  await page.goto('/terms');
  await expect(page.getByRole('link', { name: 'Editor extension' })).toHaveAttribute('href', /./);

  const opened = page.waitForEvent('popup');
  await page.getByRole('link', { name: 'Documentation Center' }).click();

  const documentation = await opened;
  await expect(documentation.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page).toHaveURL('/terms');
  await documentation.close();
});

test.describe('1. “Page title comes from a translated message holding the workshop name”', () => {
  for (const [locale, title] of [
    ['en-US', 'Sign in · Atelier'],
    ['zh-CN', '登录 · 研习坊'],
  ] as const) {
    test.describe(locale, () => {
      test.use({ locale });
      test(`is “${title}”`, async ({ page }) => {
        await page.goto('/login');

        await expect(page).toHaveTitle(title);
      });
    });
  }

  test.describe('as it is shipped', () => {
    test.use({ javaScriptEnabled: false });
    test('stands in index.html itself', async ({ page }) => {
      await page.goto('/login');

      await expect(page).toHaveTitle('研习坊');
    });
  });
});

test('1. “Primary theme colour is a purple tone (#644CFF)”', async ({ page }) => {
  await page.goto('/login');

  await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toHaveCSS('background-color', 'rgb(100, 76, 255)');
  await expect(page.locator('meta[name="theme-color"]')).toHaveAttribute('content', '#644CFF');
});

test.describe('1. “The chosen language is stored locally; the browser language is the fallback; zh-CN is the final default”', () => {
  for (const [locale, language] of [
    ['en-GB', 'en-US'],
    ['zh-TW', 'zh-CN'],
    ['fr-FR', 'zh-CN'],
    ['he-IL', 'zh-CN'],
  ] as const) {
    test.describe(`a browser in ${locale}`, () => {
      test.use({ locale });
      test(`gets ${language}`, async ({ page }) => {
        await page.goto('/login');

        await expect(page.getByRole('heading', { level: 1 })).toHaveText(language === 'en-US' ? 'Sign in' : '登录');
        await expect(page.locator('html')).toHaveAttribute('lang', language);
        await expect(page.locator('html')).toHaveAttribute('dir', 'ltr');
      });
    });
  }

  test('the choice is kept over the browser’s language', async ({ page }) => {
    await page.goto('/login');
    await page.getByRole('button', { name: '中文' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('登录');

    await page.reload();

    await expect(page.getByRole('heading', { level: 1 })).toHaveText('登录');
    expect(await page.evaluate(() => localStorage.getItem('umi_locale'))).toBe('zh-CN');
  });
});

test.describe('1. “Right-to-left layout applies to he, ar, fa and ku”', () => {
  for (const [locale, direction] of [
    ['he-IL', 'rtl'],
    ['ar-EG', 'rtl'],
    ['fa-IR', 'rtl'],
    ['ku-IQ', 'rtl'],
    ['en-US', 'ltr'],
  ] as const) {
    test(`${locale} is ${direction}: the frame`, async ({ page, context, member: _ }) => {
      await context.addInitScript((chosen) => localStorage.setItem('umi_locale', chosen), locale);
      await page.goto('/terms');

      await expect(page.locator('html')).toHaveAttribute('dir', direction);
      const menu = await page.getByRole('navigation').first().boundingBox();
      expect((menu?.x ?? 0) > 720).toBe(direction === 'rtl');
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
    });
  }

  test('he-IL is rtl: drawer and table', async ({ page, context, shared, member }) => {
    await shared.buildWorkshop(member, { name: 'Mirrored' });
    await context.addInitScript(() => localStorage.setItem('umi_locale', 'he-IL'));
    await page.goto('/main/myLab/workshop?view=table');

    const row = page.getByRole('row').filter({ hasText: 'Mirrored' });
    const [name, actions] = await Promise.all([row.getByRole('link').boundingBox(), row.getByRole('button').last().boundingBox()]);
    expect(name?.x ?? 0).toBeGreaterThan(actions?.x ?? 1440);
    await page.goto('/main/myLab/workshop?create=1');
    // It slides in from the end side, which is the left.
    await expect.poll(async () => (await page.getByRole('dialog').boundingBox())?.x).toBe(0);
  });
});

test.describe('1. “Numbers are formatted with up to three decimals, trailing zeros removed”', () => {
  for (const [micro, figure] of [
    [12_345_678_900n, '12,345.678'],
    [10_500_000n, '10.5'],
    [7_000_000n, '7'],
    [400n, '0'],
  ] as const) {
    test(`${micro} millionths of a DCU are ${figure}`, async ({ page, context, shared }) => {
      await shared.signIn(context, await shared.buildMember({ remainDcuMicro: micro }));

      await page.goto('/terms');

      await expect(page.getByRole('banner').getByText(figure, { exact: true })).toBeVisible();
    });
  }
});

test.describe('1. “At start-up the query parameters source and event of the page URL are read and stored locally (as source and eventCode)”', () => {
  test('and a later visit without them keeps them', async ({ page }) => {
    await page.goto('/login?source=campus&event=autumn_2026');
    await page.goto('/terms');

    const stored = await page.evaluate(() => ({ source: localStorage.source, eventCode: localStorage.eventCode }));
    expect(stored).toEqual({ source: 'campus', eventCode: 'autumn_2026' });
  });

  test('and sent with register', async ({ page, shared }) => {
    const username = `visitor_${newMobile()}`;
    const mobile = newMobile();
    await page.goto('/login?view=register&source=campus&event=autumn_2026');

    await page.getByLabel('Username').fill(username);
    await page.getByLabel('Phone number').fill(mobile);
    await page.getByRole('button', { name: 'Send code' }).click();
    // The answer moves the focus to the code's field.
    await expect(page.getByText('A code is on its way')).toBeVisible();
    await page.getByLabel('Verification code').fill(await shared.process.readCode(`+86${mobile}`));
    await page.getByLabel('Password', { exact: true }).fill(TEST_PASSWORD);
    await page.getByLabel('Password again').fill(TEST_PASSWORD);
    await page.getByRole('button', { name: 'Create account' }).click();
    await expect(page.getByRole('button', { name: `Account menu of ${username}` })).toBeVisible();

    const kept = shared.db.selectFrom('member').select(['source', 'eventCode']).where('username', '=', username);
    expect(await kept.executeTakeFirst()).toEqual({ source: 'campus', eventCode: 'autumn_2026' });
  });
});
