import type { Page } from '@playwright/test';
import { expect, type SharedGateway, test, walk } from '../sharedGateway';

type Kept = Awaited<ReturnType<typeof eventsOf>>[number];

/** What this page's visit told, as the gateway keeps it. */
async function eventsOf(page: Page, { db }: SharedGateway) {
  const visitId = await page.evaluate(() => sessionStorage.getItem('visitId') ?? '');
  return db.selectFrom('trackerEvent').selectAll().where('visitId', '=', visitId).execute();
}

async function eventually(page: Page, shared: SharedGateway, isThere: (events: Kept[]) => boolean): Promise<Kept[]> {
  await expect.poll(async () => isThere(await eventsOf(page, shared))).toBe(true);
  return eventsOf(page, shared);
}

/** As leaving the tab does. */
async function hide(page: Page): Promise<void> {
  await page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  });
}

function beaconsOf(page: Page): string[] {
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/gateway/track/events')) sent.push(request.resourceType());
  });
  return sent;
}

async function openTracked(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await page.waitForFunction(() => 'onOpen' in (Reflect.get(window, 'atelierTracker') ?? {}));
}

test.describe('1. Usage tracking', () => {
  test('“a tracker script is loaded at start-up from a fixed path on the site”', async ({ page, shared }) => {
    const program = page.waitForResponse(`${shared.origin}/tracker/tracker.js`);

    await page.goto('/login');

    expect((await program).status()).toBe(200);
  });

  test('“batch size 10, … sent by beacon”: the tenth event sends all ten, by patterns and without ids', async ({
    page,
    shared,
    member,
  }) => {
    const workshopId = await shared.buildWorkshop(member);
    const beacons = beaconsOf(page);
    await openTracked(page, `/main/myLab/workshop/detail/${workshopId}?tab=events`);

    // Each page must have come before the next is asked for: two changes in one rendering are one.
    const readOn = async (path: string, title: RegExp) => {
      await walk(page, path);
      await expect(page).toHaveTitle(title);
    };
    for (let nth = 1; nth <= 4; nth += 1) {
      await readOn('/terms', /^Terms/);
      await readOn('/privacy', /^Privacy/);
    }
    expect(beacons).toEqual([]);
    await readOn('/terms', /^Terms/);

    const events = await eventually(page, shared, ({ length }) => length > 0);
    expect(events).toHaveLength(10);
    expect(beacons).toEqual(['ping']);
    expect(new Set(events.map(({ route }) => route))).toEqual(
      new Set(['/main/myLab/workshop/detail/:workshopId', '/terms', '/privacy']),
    );
    const told = JSON.stringify(events);
    for (const own of [workshopId, member.memberId, member.username, member.loginSessionId]) expect(told).not.toContain(own);
  });

  test('“flush every 60 seconds”', async ({ page, shared }) => {
    await page.clock.install();
    const beacons = beaconsOf(page);
    await openTracked(page, '/login');

    await page.clock.fastForward(58_000);
    expect(beacons).toEqual([]);
    await page.clock.fastForward(2_000);

    const events = await eventually(page, shared, ({ length }) => length > 0);
    expect(events.map(({ kind, route }) => [kind, route])).toEqual([['pageView', '/login']]);
  });

  test('“automatic page-view, click and error tracking on, performance tracking off”', async ({ page, shared }) => {
    await openTracked(page, '/login');

    await page.getByRole('textbox', { name: 'Username' }).click();
    await page.evaluate(() => void Promise.reject(new TypeError('words nobody should read')));
    await hide(page);

    const events = await eventually(page, shared, ({ length }) => length > 0);
    const told = events.map(({ kind, element, errorType }) => [kind, element ?? errorType]).sort();
    expect(told).toEqual([
      ['click', 'account_username'],
      ['error', 'TypeError'],
      ['pageView', null],
    ]);
    expect(JSON.stringify(events)).not.toContain('words nobody');
  });
});
