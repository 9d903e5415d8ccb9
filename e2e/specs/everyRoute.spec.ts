import { join, resolve } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, Page } from '@playwright/test';
import type { Furnished } from '../furnished';
import { addressOf, type Language, type Screen, screens, titleOf } from '../routeTable';
import { expect, noteSecrets, type SharedGateway, test, walk } from '../sharedGateway';
import { type Watch, watchPage } from '../watch';

/** To be looked at: every built route. */
const SHOTS = resolve(__dirname, '../../test-results/screenshots');
const QUIET_MS = 200;
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

/** A member has something on every page, a newcomer nothing yet. */
type Role = 'visitor' | 'member' | 'newcomer';

/** A visitor is led from a member's page, a member from /login: both have a test of their own. A page for everybody alternates. */
function rolesOf({ path, isForMembers }: Screen, { locale }: Look): readonly Role[] {
  const isEverything = Boolean(process.env.ATELIER_DEEP);
  if (path === '/login') return ['visitor'];
  if (!isForMembers) return isEverything ? ['visitor', 'member'] : [locale === 'en-US' ? 'visitor' : 'member'];
  const canBeEmpty = path.startsWith('/main/') && !path.includes(':');
  return canBeEmpty && (isEverything || locale === 'zh-CN') ? ['member', 'newcomer'] : ['member'];
}

type Query = (furnished: Furnished) => string;

/** What else an address shows, by what stands behind it. */
const moreViews: Readonly<Record<string, Readonly<Record<string, Query>>>> = {
  '/main/personalCenter/costCenter/checkout': {
    '?sku': () => '?sku=dcu-100',
    '?package': () => '?package=max&months=12',
    '?order': ({ orders }) => `?order=${orders.pending}`,
    '?order=cancelled': ({ orders }) => `?order=${orders.cancelled}`,
  },
  '/main/myLab/images': {
    '?tab=community': () => '?tab=community',
    '?tab=mine': () => '?tab=mine',
    '?tab=registry': () => '?tab=registry',
  },
  '/main/personalCenter/costCenter/order': { '?order': ({ orders }) => `?order=${orders.refunded}` },
  '/main/personalCenter/costCenter/coupon': { '?status': () => '?status=used' },
  '/success': { '?order': ({ orders }) => `?order=${orders.paid}` },
};

function viewsOf({ path }: Screen, role: Role): [view: string, query: Query][] {
  return [['', () => ''], ...Object.entries(role === 'member' ? (moreViews[path] ?? {}) : {})];
}

const built = screens.filter(({ component }) => component !== null);

/** Nothing on its way, nothing in its place for the time being. */
async function settle(page: Page, watch: Watch): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect.poll(() => watch.isQuietForMs(QUIET_MS), { intervals: [50] }).toBe(true);
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
  // Without frames of other hosts, of which there are none, it needs no second page for every look.
  const { violations } = await new AxeBuilder({ page }).withTags(TAGS).setLegacyMode().analyze();
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

function heightOf(width: number): number {
  return width === 1440 ? 900 : 844;
}

/** On a screen, a phone and the smallest phone; a picture of the look’s own width, in the deep form of the first two. */
async function expectNothingWide(page: Page, own: number, name: string): Promise<void> {
  for (const width of [1440, 390, 360]) {
    await page.setViewportSize({ width, height: heightOf(width) });
    const excess = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    await expect.poll(excess, { message: `pixels wider than ${width}` }).toBeLessThanOrEqual(0);
    await expect.poll(() => cutOff(page), { message: `cut off at ${width}` }).toEqual([]);
    const isPictured = process.env.ATELIER_DEEP ? width !== 360 : width === own;
    if (isPictured) await page.screenshot({ path: join(SHOTS, `${name}-${width}.png`) });
  }
}

/** Contexts cost seconds: each look of each role has one page, which loads every address anew as a visitor's browser would on a second visit. */
const pages = new Map<string, { page: Page; watch: Watch }>();

async function pageOf(
  browser: Browser,
  { shared, furnished }: { shared: SharedGateway; furnished: Furnished },
  role: Role,
  look: Look,
) {
  const key = [role, ...Object.values(look)].join();
  const kept = pages.get(key);
  if (kept) return kept;
  const { locale, colorScheme } = look;
  const context = await browser.newContext({ baseURL: shared.origin, locale, colorScheme, reducedMotion: 'reduce' });
  noteSecrets(context, shared.process);
  if (role === 'member') await shared.signIn(context, furnished.member);
  if (role === 'newcomer') await shared.signIn(context, await shared.buildMember());
  const page = await context.newPage();
  const opened = { page, watch: watchPage(page, [shared.origin]) };
  pages.set(key, opened);
  return opened;
}

test.describe('every route', () => {
  // Every look on whatever worker is free.
  test.describe.configure({ mode: 'parallel' });

  for (const look of looks) {
    const { locale, colorScheme, width } = look;
    test.describe(`${locale}, ${colorScheme}, ${width} px`, () => {
      for (const screen of built) {
        for (const role of rolesOf(screen, look)) {
          for (const [view, query] of viewsOf(screen, role)) {
            test(`${screen.path}${view} as a ${role} is whole, orderly and open to everybody`, async ({
              browser,
              shared,
              furnished,
            }) => {
              const { page, watch } = await pageOf(browser, { shared, furnished }, role, look);
              const before = watch.problems().length;
              await page.setViewportSize({ width, height: heightOf(width) });

              await page.goto(`${addressOf(screen, { workshopId: furnished.workshopId })}${query(furnished)}`);
              await settle(page, watch);

              await expectOrderly(page, screen, look);
              await expectAccessible(page);
              const place = `${screen.path}${view}`.replaceAll(/[^\w-]+/g, '_');
              await expectNothingWide(page, width, `${place}-${role}-${locale}-${colorScheme}-at-${width}`);
              expect(watch.problems().slice(before)).toEqual([]);
            });
          }
        }
      }
    });
  }

  test('a member’s route sends a visitor to sign in and remembers it', async ({ page, furnished }) => {
    await page.goto('/terms');
    for (const screen of built.filter(({ isForMembers }) => isForMembers)) {
      const address = addressOf(screen, { workshopId: furnished.workshopId });
      await walk(page, address);
      await expect(page).toHaveURL(`/login?redirect=${encodeURIComponent(address)}`);
    }
  });

  test('/login leads a member on', async ({ page, context, shared }) => {
    await shared.signIn(context, await shared.buildMember());

    await page.goto('/login?redirect=%2Fprivacy');

    await expect(page).toHaveURL('/privacy');
  });
});
