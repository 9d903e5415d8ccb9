import { expect, type Page } from '@playwright/test';

/** Types a line into the open terminal and waits until one of the rows of its transcript is `answer`. */
export async function runInTerminal(page: Page, line: string, answer: string): Promise<void> {
  const pane = page.getByRole('tabpanel', { name: 'Terminal 1' });
  const output = pane.getByRole('log', { name: 'Output of Terminal 1' });
  await expect(output).toContainText('$');
  await pane.getByRole('textbox').focus();
  await page.keyboard.type(line);
  await page.keyboard.press('Enter');
  await expect.poll(() => output.locator('> div').allTextContents()).toContain(answer);
}
