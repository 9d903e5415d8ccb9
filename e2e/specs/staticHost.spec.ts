import type { Page } from '@playwright/test';
import { E2eGateway } from '../gateway';
import { expect, noteSecrets, test } from '../sharedGateway';
import { type StaticServer, startStaticServer } from '../staticServer';
import { type Watch, watchPage } from '../watch';

const USERNAME = 'static_reader';
const MOBILE = '+8613700001234';
const PASSWORD = 'bench lamp shelf 42';

/** Signs in, opens a screen that loads lazily and a running lab's terminal, which comes in chunks of its own. */
async function useConsole(page: Page, gateway: E2eGateway): Promise<void> {
  await page.goto(`${gateway.origin}/login`);
  await page.getByRole('textbox', { name: 'Username' }).fill(USERNAME);
  await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page
    .getByRole('link', { name: /Borrowed files/ })
    .first()
    .click();
  await expect(page.getByRole('tabpanel', { name: 'Terminal 1' }).getByRole('textbox')).toBeVisible();
}

function expectAllFrom(files: Watch, site: string, host: string): void {
  const loaded = files.requests().filter((request) => ['script', 'stylesheet', 'font', 'image'].includes(request.resourceType()));
  // The tracker stands at a fixed path on the site itself, wherever the console's files are.
  const addresses = loaded.map((request) => request.url()).filter((url) => !url.startsWith(`${site}/tracker/`));
  expect(addresses.filter((url) => !url.startsWith(`${host}/dist/`) && !url.startsWith('data:'))).toEqual([]);
  for (const chunk of ['umi.', 'p__login__index', 'p__main__myLab__workshop__index', 'p__main__myLab__workshop__detail__index'])
    expect(addresses.filter((url) => url.startsWith(`${host}/dist/${chunk}`))).not.toEqual([]);
  expect(files.problems()).toEqual([]);
}

test.describe('7. “Scripts and styles load from a static-asset host under /dist/”', () => {
  let files: StaticServer;
  let gateway: E2eGateway;

  test.beforeAll(async () => {
    files = await startStaticServer();
    gateway = await E2eGateway.start({ COMPUTE_ENGINE: 'simulated', STATIC_HOST: `${files.origin}${files.prefix}` });
    const member = gateway.newMember();
    await member.register(USERNAME, MOBILE);
    const body = { name: 'Borrowed files', specId: 'cpu-half', imageId: 'shell', startNow: true };
    await member.call('POST /gateway/workshop/create', { body });
  });
  test.afterAll(async () => {
    await gateway.remove();
    await files.stop();
  });

  test('a second origin that is any plain file host serves every script and style, lazy chunks among them', async ({
    page,
    context,
  }) => {
    noteSecrets(context, gateway);
    const watch = watchPage(page, [gateway.origin, files.origin]);

    await useConsole(page, gateway);

    expectAllFrom(watch, gateway.origin, `${files.origin}${files.prefix}`);
  });

  test('another gateway may be that host', async ({ page, context, shared }) => {
    noteSecrets(context, gateway);
    files.answerAs(shared.origin);
    const watch = watchPage(page, [gateway.origin, files.origin]);

    await useConsole(page, gateway);

    expectAllFrom(watch, gateway.origin, `${files.origin}${files.prefix}`);
  });

  test('without a setting the gateway is its own static host', async ({ page, member: _, shared }) => {
    const watch = watchPage(page, [shared.origin]);

    await page.goto('/main/myLab/workshop');

    await expect(page.getByRole('heading', { level: 1, name: 'Workshop' })).toBeVisible();
    const scripts = watch.requests().filter((request) => request.resourceType() === 'script');
    expect(scripts.filter((request) => !/^\/(dist|tracker)\//.test(new URL(request.url()).pathname))).toEqual([]);
    expect(watch.problems()).toEqual([]);
  });
});
