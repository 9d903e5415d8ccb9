import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { runInTerminal } from '../runInTerminal';
import { expect, test } from '../sharedGateway';
import { watchPage } from '../watch';

const DETAIL = '/main/myLab/workshop/detail';

async function downloadZip(page: Page, name: string): Promise<Record<string, string>> {
  const downloaded = page.waitForEvent('download');
  await page.getByRole('link', { name: `Download as zip: ${name}` }).click();
  const file = await downloaded;
  expect(file.suggestedFilename()).toBe(`${name}.zip`);
  const script =
    'import json,sys,zipfile; z=zipfile.ZipFile(sys.argv[1]); print(json.dumps({n: z.read(n).decode() for n in z.namelist()}))';
  return JSON.parse(execFileSync('python3', ['-c', script, await file.path()], { encoding: 'utf8' }));
}

test('files go from the page to the lab and back, while it runs and while it does not', async ({ page, shared, member }) => {
  const watch = watchPage(page, [shared.origin]);
  const workshopId = await shared.buildWorkshop(member, { name: 'Course work' });
  const client = shared.clientOf(member);
  const folder = mkdtempSync(join(tmpdir(), 'atelier-upload-'));
  mkdirSync(join(folder, 'course', 'data'), { recursive: true });
  writeFileSync(join(folder, 'course', 'notes.md'), 'from the desk\n');
  writeFileSync(join(folder, 'course', 'data', 'points.csv'), 'a,b\n1,2\n');

  await test.step('before the first start a folder is uploaded', async () => {
    await page.goto(`${DETAIL}/${workshopId}?tab=files`);
    await expect(page.getByText('This workshop has not run yet.')).toBeVisible();
    await page.getByLabel('Upload folder').and(page.locator('input')).setInputFiles(join(folder, 'course'));
    await expect(page.getByText('2 of 2 done')).toBeVisible();
    await page.getByRole('button', { name: 'course', exact: true }).click();
    await expect(page.getByRole('button', { name: 'notes.md', exact: true })).toBeVisible();
    expect((await new AxeBuilder({ page }).include('main').analyze()).violations).toEqual([]);
  });

  await test.step('the lab has it', async () => {
    await client.call('POST /gateway/workshop/start', { body: { workshopId } });
    await page.goto(`${DETAIL}/${workshopId}`);
    await runInTerminal(page, 'cat course/notes.md', 'from the desk');
  });

  await test.step('what is edited in the page is what the lab reads', async () => {
    await page.getByRole('tab', { name: 'Files' }).click();
    await page.getByRole('button', { name: 'course', exact: true }).click();
    await page.getByRole('button', { name: 'notes.md', exact: true }).click();
    const field = page.getByLabel('Text of course/notes.md');
    await expect(field).toHaveValue('from the desk\n');
    await field.fill('edited in the page\n');
    await page.keyboard.press('Control+s');
    await expect(page.getByText('Saved', { exact: true })).toBeVisible();
    await page.getByRole('button', { name: 'Close', exact: true }).click();
    await page.getByRole('tab', { name: 'Terminal', exact: true }).click();
    await runInTerminal(page, 'cat course/notes.md', 'edited in the page');
  });

  await test.step('stopped, it is still there, and leaves as a zip', async () => {
    await client.call('POST /gateway/workshop/stop', { body: { workshopId } });
    await page.goto(`${DETAIL}/${workshopId}?tab=files`);
    expect(await downloadZip(page, 'course')).toEqual({
      'data/': '',
      'data/points.csv': 'a,b\n1,2\n',
      'notes.md': 'edited in the page\n',
    });
  });

  rmSync(folder, { recursive: true });
  expect(watch.problems()).toEqual([]);
});

test('nothing of the files is loaded before they are shown', async ({ page, shared, member }) => {
  const workshopId = await shared.buildWorkshop(member, { name: 'Light' });
  const watch = watchPage(page, [shared.origin]);
  const asked = () => watch.requests().map((request) => request.url());
  await page.goto(`${DETAIL}/${workshopId}`);
  await expect(page.getByRole('heading', { name: 'Light' })).toBeVisible();
  await expect.poll(() => watch.isQuietForMs(300)).toBe(true);
  const before = new Set(asked());

  await page.getByRole('tab', { name: 'Files' }).click();
  await expect(page.getByText('This workshop has not run yet.')).toBeVisible();

  expect([...before].filter((url) => url.includes('/workshop/files'))).toEqual([]);
  expect(asked().filter((url) => !before.has(url) && /\.js$/.test(url)).length).toBeGreaterThan(0);
});
