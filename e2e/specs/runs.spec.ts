import { expect, test, walk } from '../sharedGateway';
import { watchPage } from '../watch';

const WORKSHOPS = '/main/myLab/workshop';

test('a run is extended, stopped at once, explained, read, copied and taken out of the list', async ({ page, shared, member }) => {
  const watch = watchPage(page, [shared.origin]);
  const workshopId = await shared.buildWorkshop(member, { name: 'Deep run' });
  await shared.clientOf(member).call('POST /gateway/workshop/update', { body: { workshopId, maxHours: 1 } });
  const card = page.getByRole('article', { name: 'Deep run' });
  const dialog = page.getByRole('dialog');

  await test.step('started, it says when it stops and why, and runs longer', async () => {
    await page.goto(WORKSHOPS);
    await card.getByRole('button', { name: 'Start lab' }).click();
    await expect(card).toContainText('(max hours)');
    await card.getByRole('button', { name: 'Extend Deep run' }).click();
    await dialog.getByRole('button', { name: 'Add 1 hour' }).click();
    await expect(dialog).toBeHidden();
  });

  await test.step('what is typed into it is printed', async () => {
    await card.getByRole('button', { name: 'Open terminal' }).click();
    const pane = page.getByRole('tabpanel', { name: 'Terminal 1' });
    await expect(pane.getByRole('log')).toContainText('$');
    await pane.getByRole('textbox').focus();
    await page.keyboard.type('echo kept by the run');
    await page.keyboard.press('Enter');
    await expect(pane.getByRole('log')).toContainText('kept by the run');
  });

  await test.step('stopped at once, with what may be lost', async () => {
    await page.getByRole('button', { name: 'More for Deep run' }).click();
    await page.getByRole('menuitem', { name: 'Stop at once' }).click();
    await expect(dialog).toContainText('not written to a file yet is lost');
    await dialog.getByRole('button', { name: 'Stop at once' }).click();
    await expect(page.getByText('Stopped', { exact: true }).first()).toBeVisible();
    await page.getByRole('tab', { name: 'Events' }).click();
    await expect(page.getByRole('listitem').filter({ hasText: 'You let it run longer' })).toContainText('1 h more');
  });

  const row = page.getByRole('row').filter({ hasText: 'Deep run' });

  await test.step('its instance says why, and keeps what it printed', async () => {
    await walk(page, '/main/myLab/instances');
    await expect(row).toContainText('You stopped it at once');
    await row.getByRole('button', { name: 'Output of Deep run' }).click();
    await expect(dialog).toContainText('kept by the run');
    await dialog.getByRole('button', { name: 'Close' }).click();
    await expect(dialog).toBeHidden();
  });

  await test.step('a workshop like it is made', async () => {
    await row.getByRole('button', { name: 'More for Deep run' }).click();
    await page.getByRole('menuitem', { name: 'Make a copy' }).click();
    await dialog.getByRole('button', { name: 'Make a copy' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Deep run 2' })).toBeVisible();
  });

  await test.step('the run leaves the list', async () => {
    await walk(page, '/main/myLab/instances');
    await row.getByRole('button', { name: 'More for Deep run' }).click();
    await page.getByRole('menuitem', { name: 'Take out of the list' }).click();
    await dialog.getByRole('button', { name: 'Take out of the list' }).click();
    await expect(page.getByText('Nothing ran yet')).toBeVisible();
  });
  expect(watch.problems()).toEqual([]);
});
