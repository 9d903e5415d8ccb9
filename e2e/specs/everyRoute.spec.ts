import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { addressOf, type Language, type Screen, screens, titleOf } from '../routeTable';
import { expect, type SharedGateway, test, walk } from '../sharedGateway';
import { watchPage } from '../watch';

/** To be looked at: every built route in its two widths. */
const SHOTS = resolve(__dirname, '../../test-results/screenshots');
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'];

interface Look {
  locale: Language;
  colorScheme: 'light' | 'dark';
  width: number;
}

/** The short form takes the two looks that differ in everything, the deep one all. */
const looks: readonly Look[] = process.env.ATELIER_DEEP
  ? (['en-US', 'zh-CN'] as const).flatMap((locale) =>
      (['light', 'dark'] as const).flatMap((colorScheme) => [1440, 390].map((width) => ({ locale, colorScheme, width }))),
    )
  : [
      { locale: 'en-US', colorScheme: 'light', width: 1440 },
      { locale: 'zh-CN', colorScheme: 'dark', width: 390 },
    ];

/** A visitor is led from a member's page, a member from /login: both have a test of their own. A page for everybody alternates. */
function rolesOf({ path, isForMembers }: Screen, { locale }: Look): readonly ('visitor' | 'member')[] {
  if (isForMembers) return ['member'];
  if (path === '/login') return ['visitor'];
  return process.env.ATELIER_DEEP ? ['visitor', 'member'] : [locale === 'en-US' ? 'visitor' : 'member'];
}

const built = screens.filter(({ component }) => component !== null);

/** A member with something to show: a running and a stopped lab, and changes of the balance. */
async function buildFurnishedMember(shared: SharedGateway) {
  const member = await shared.buildMember();
  const workshopId = await shared.buildWorkshop(member, { name: 'Gradient descent' });
  await shared.buildWorkshop(member, { name: 'Thesis data cleaning', specId: 'cpu-1' });
  await shared.clientOf(member).call('POST /gateway/workshop/start', { body: { workshopId } });
  return { member, workshopId };
}

/** Nothing on its way, nothing in its place for the time being. */
async function settle(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.waitForLoadState('networkidle');
  await expect(page.locator('.ant-skeleton, .ant-spin-spinning')).toHaveCount(0);
}

async function expectOrderly(page: Page, shown: Screen, { locale, colorScheme }: Look): Promise<void> {
  const workshop = locale === 'en-US' ? 'Atelier' : '研习坊';
  // A page of one thing is named by that thing.
  const own = shown.path.includes(':') ? '.+' : titleOf(shown, locale);
  await expect(page).toHaveTitle(new RegExp(`^${own} · ${workshop}$`));
  await expect(page.locator('html')).toHaveAttribute('lang', locale);
  await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme);
  await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1);
  await expect(page.getByRole('main')).toHaveCount(1);
}

async function expectAccessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).withTags(TAGS).analyze();
  const found = violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} ${target}: ${failureSummary}`),
  );
  expect(found).toEqual([]);
}

/** What can be pressed or filled in and lies beyond the window's edges, but for what can be scrolled into sight. */
function cutOff(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const isScrolled = (element: Element): boolean =>
      element.parentElement !== null &&
      // Antd's tabs scroll without saying so, and list what is out of sight in a menu.
      (element.matches('.ant-tabs-nav-wrap') ||
        /auto|scroll/.test(getComputedStyle(element.parentElement).overflowX) ||
        isScrolled(element.parentElement));
    return [...document.querySelectorAll('a, button, input, [role=button], [role=tab]')]
      .filter((element) => {
        const { left, right, width } = element.getBoundingClientRect();
        return width > 0 && (left < -1 || right > window.innerWidth + 1) && !isScrolled(element);
      })
      .map((element) => `${element.tagName} ${element.ariaLabel ?? element.textContent}`);
  });
}

/** On a screen, a phone and the smallest phone; a picture of the first two. */
async function expectNothingWide(page: Page, name: string): Promise<void> {
  for (const width of [1440, 390, 360]) {
    await page.setViewportSize({ width, height: width === 1440 ? 900 : 844 });
    const excess = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    await expect.poll(excess, { message: `pixels wider than ${width}` }).toBeLessThanOrEqual(0);
    await expect.poll(() => cutOff(page), { message: `cut off at ${width}` }).toEqual([]);
    if (width !== 360) await page.screenshot({ path: join(SHOTS, `${name}-${width}.png`) });
  }
}

test.describe('every route', () => {
  let furnished: Awaited<ReturnType<typeof buildFurnishedMember>>;

  test.beforeAll(async ({ shared }) => {
    mkdirSync(SHOTS, { recursive: true });
    furnished = await buildFurnishedMember(shared);
  });

  for (const look of looks) {
    const { locale, colorScheme, width } = look;
    test.describe(`${locale}, ${colorScheme}, ${width} px`, () => {
      test.use({ locale, colorScheme, viewport: { width, height: width === 1440 ? 900 : 844 } });

      for (const screen of built) {
        for (const role of rolesOf(screen, look)) {
          test(`${screen.path} as a ${role} is whole, orderly and open to everybody`, async ({ page, context, shared }) => {
            if (role === 'member') await shared.signIn(context, furnished.member);
            const watch = watchPage(page, [shared.origin]);

            await page.goto(addressOf(screen, { workshopId: furnished.workshopId }));
            await settle(page);

            await expectOrderly(page, screen, look);
            await expectAccessible(page);
            const place = screen.path.replaceAll(/[/:]+/g, '_');
            await expectNothingWide(page, `${place}-${role}-${locale}-${colorScheme}-at-${width}`);
            expect(watch.problems()).toEqual([]);
          });
        }
      }
    });
  }

  test('a member’s route sends a visitor to sign in and remembers it', async ({ page }) => {
    await page.goto('/terms');
    for (const screen of built.filter(({ isForMembers }) => isForMembers)) {
      const address = addressOf(screen, { workshopId: furnished.workshopId });
      await walk(page, address);
      await expect(page).toHaveURL(`/login?redirect=${encodeURIComponent(address)}`);
    }
  });

  test('/login leads a member on', async ({ page, context, shared }) => {
    await shared.signIn(context, furnished.member);

    await page.goto('/login?redirect=%2Fprivacy');

    await expect(page).toHaveURL('/privacy');
  });
});
