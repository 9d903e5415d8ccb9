import { readFile } from 'node:fs/promises';
import { expect, test } from '../sharedGateway';
import { balanceShown, COSTS } from '../shopping';
import { watchPage } from '../watch';

/** Whole millionths, which sums of figures with a point are not. */
function microOf(dcu: string): number {
  return Math.round(Number(dcu) * 1e6);
}

test('the lines of a bill as a file come to the millionth that was charged', async ({ page, shared, member }) => {
  const watch = watchPage(page, [shared.origin]);
  const client = shared.clientOf(member);
  for (const [name, specId] of [
    ['Sorting', 'cpu-2'],
    ['Clustering, "two"', 'cpu-half'],
  ] as const) {
    const workshopId = await shared.buildWorkshop(member, { name, specId });
    const find = () => client.call('GET /gateway/workshop/get', { query: { workshopId } });
    await client.call('POST /gateway/workshop/start', { body: { workshopId } });
    await expect.poll(async () => (await find()).session?.runningMs ?? 0).toBeGreaterThan(50);
    await client.call('POST /gateway/workshop/stop', { body: { workshopId } });
    await expect.poll(async () => (await find()).state).toBe('STOPPED');
  }
  const { remainDcu } = await client.call('GET /gateway/account/remainDcu');
  const chargedMicro = 100_000_000 - microOf(String(remainDcu));
  expect(chargedMicro).toBeGreaterThan(0);

  await page.goto(`${COSTS}/bill`);
  await expect(page.getByRole('row').filter({ hasText: 'Sorting' })).toBeVisible();
  const downloaded = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download as CSV' }).click();
  const file = await downloaded;

  expect(file.suggestedFilename()).toMatch(/^atelier-\d{4}-\d\d-01-\d{4}-\d\d-\d\d\.csv$/);
  const [head = '', ...lines] = (await readFile(await file.path(), 'utf8')).trimEnd().split('\r\n');
  expect(head).toContain('Workshop,Size,Hours,DCU');
  expect(lines.map((line) => line.includes('"Clustering, ""two"""')).sort()).toEqual([false, true]);
  const sumMicro = lines.reduce((sum, line) => sum + microOf(/,(\d+\.\d{6}),\d+,[\w-]+$/.exec(line)?.[1] ?? ''), 0);
  expect(sumMicro).toBe(chargedMicro);
  expect(watch.problems()).toEqual([]);
});

test('who asks for it is told of a low balance in the header and on the page', async ({ page, shared, member: _ }) => {
  const watch = watchPage(page, [shared.origin]);
  await page.goto(`${COSTS}/account`);
  const alert = page.getByRole('region', { name: 'Low balance alert' });
  await alert.getByLabel('Tell me below').fill('500');
  await alert.getByRole('button', { name: 'Save alert' }).click();

  await expect(alert.getByText('The balance is below the 500 DCU you set.')).toBeVisible();
  await expect(page.getByRole('banner').getByRole('button', { name: '100 DCU: your balance, below your alert.' })).toBeVisible();
  await alert.getByRole('button', { name: 'Take the alert away' }).click();
  await expect(balanceShown(page, '100')).toBeVisible();
  expect(watch.problems()).toEqual([]);
});
