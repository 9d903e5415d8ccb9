import { runInTerminal } from '../runInTerminal';
import { expect, test } from '../sharedGateway';
import { watchPage } from '../watch';

const IMAGES = '/main/myLab/images';
const NOTE = 'kept in the image';

test('a lab is saved as an image, another one starts from it with its files, and others find it once it is published', async ({
  page,
  browser,
  shared,
  member,
}) => {
  test.setTimeout(120_000);
  const watch = watchPage(page, [shared.origin]);
  const client = shared.clientOf(member);
  const workshopId = await shared.buildWorkshop(member, { name: 'Lesson one' });

  await test.step('writes a file and stops', async () => {
    await client.call('POST /gateway/workshop/start', { body: { workshopId } });
    await page.goto(`/main/myLab/workshop/detail/${workshopId}`);
    await runInTerminal(page, `echo ${NOTE} > note.txt && echo written`, 'written');
    await client.call('POST /gateway/workshop/stop', { body: { workshopId } });
    const stateNow = async () => (await client.call('GET /gateway/workshop/get', { query: { workshopId } })).state;
    await expect.poll(stateNow).toBe('STOPPED');
  });

  await test.step('saves it as an image from its menu', async () => {
    await page.goto('/main/myLab/workshop');
    await page.getByRole('button', { name: 'More for Lesson one' }).click();
    await page.getByRole('menuitem', { name: 'Save as image' }).click();
    const dialog = page.getByRole('dialog', { name: 'Save Lesson one as an image' });
    await expect(dialog.getByText(/^All files in the home folder are saved/)).toBeVisible();
    await expect(dialog.getByLabel('Tag')).toHaveValue('v1');
    await dialog.getByRole('button', { name: 'Save image' }).click();
    await expect(page).toHaveURL(new RegExp(`${IMAGES}\\?tab=mine`));
    await expect(page.getByRole('article', { name: 'Lesson one:v1' }).getByText('Ready')).toBeVisible();
  });

  await test.step('sees what is in it and downloads it', async () => {
    await page.getByRole('button', { name: 'Details of Lesson one:v1' }).click();
    const drawer = page.getByRole('dialog', { name: 'Lesson one:v1' });
    await expect(drawer.getByRole('link', { name: 'Lesson one', exact: true })).toBeVisible();
    const downloaded = page.waitForEvent('download');
    await drawer.getByRole('link', { name: 'Download Lesson one:v1' }).click();
    expect((await downloaded).suggestedFilename()).toBe('Lesson one-v1.tar.gz');
    await drawer.getByRole('button', { name: 'Close' }).click();
  });

  await test.step('is led to proving their name before publishing, and publishes once it is proven', async () => {
    await page.getByRole('button', { name: 'Publish' }).click();
    const dialog = page.getByRole('dialog', { name: 'Publish Lesson one:v1?' });
    await dialog.getByRole('button', { name: 'Publish' }).click();
    await expect(dialog.getByRole('link', { name: 'Verify my real name' })).toBeVisible();
    await shared.db.updateTable('member').set({ isRealName: true }).where('id', '=', member.memberId).execute();
    await dialog.getByRole('button', { name: 'Publish' }).click();
    await expect(page.getByRole('article', { name: 'Lesson one:v1' }).getByText('Published')).toBeVisible();
  });

  await test.step('starts another lab from it and finds the file', async () => {
    await page.getByRole('button', { name: 'Start a lab from Lesson one:v1' }).click();
    const drawer = page.getByRole('dialog', { name: 'New workshop' });
    await expect(drawer.getByRole('radio', { name: 'Lesson one:v1' })).toBeChecked();
    await drawer.getByRole('button', { name: 'Create and start' }).click();
    await runInTerminal(page, 'cat note.txt', NOTE);
  });

  await test.step('somebody else finds it and gives it a star', async () => {
    const context = await browser.newContext({ baseURL: shared.origin, locale: 'en-US' });
    await shared.signIn(context, await shared.buildMember());
    const other = await context.newPage();
    await other.goto(`${IMAGES}?tab=community`);
    const card = other.getByRole('article', { name: 'Lesson one:v1' });
    await card.getByRole('button', { name: 'Give Lesson one:v1 a star' }).click();
    await expect(card.getByRole('button', { name: 'Take the star of Lesson one:v1 back' })).toHaveText('1');
    await expect(card).not.toContainText(member.username);
    await context.close();
  });
  expect(watch.problems()).toEqual([]);
});
