import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { defineConfig } from '@playwright/test';

const REPORT = process.env.PLAYWRIGHT_JSON_OUTPUT_NAME;

/** The system's own Chromium; none is downloaded. */
function findChromium(): string {
  const folders = ['/usr/bin', ...(process.env.PATH ?? '').split(delimiter)];
  for (const name of ['chromium', 'chromium-browser', 'google-chrome']) {
    for (const folder of folders) {
      try {
        accessSync(join(folder, name), constants.X_OK);
        return join(folder, name);
      } catch {
        // Not here; look on.
      }
    }
  }
  throw new Error('No Chromium on this machine: install the system package chromium.');
}

const JOURNEYS = ['crash', 'firstLab', 'mock', 'staticHost'].map((name) => `${name}.spec.ts`);
const LAST = 'logHygiene.spec.ts';

export default defineConfig({
  testDir: './specs',
  outputDir: '../test-results',
  // Each drives a browser, a gateway, a PostgreSQL and its labs, and waits for them a third of its time: two cores serve three.
  workers: 3,
  timeout: 90_000,
  expect: { timeout: 10_000 },
  forbidOnly: Boolean(process.env.CI),
  projects: [
    // First and side by side, because they mostly wait; what has a gateway of its own would also end the shared one in between.
    { name: 'journeys', testMatch: JOURNEYS },
    { name: 'browser', testIgnore: [...JOURNEYS, LAST] },
    // Last, because it reads what all the others' gateways wrote.
    { name: 'afterwards', testMatch: LAST, dependencies: ['journeys', 'browser'] },
  ],
  reporter: REPORT ? [['line'], ['json', { outputFile: REPORT }]] : [['list']],
  use: {
    browserName: 'chromium',
    locale: 'en-US',
    viewport: { width: 1440, height: 900 },
    // What still moves on its way in would be clicked where it no longer is.
    contextOptions: { reducedMotion: 'reduce' },
    actionTimeout: 20_000,
    // Keeping the page at every step takes a tenth of the suite's time, so only who looks at one file has that; what fails among all
    // of them leaves a picture and its page in words, and is traced when it is run again by its name.
    trace: REPORT ? 'off' : { mode: 'retain-on-failure', screenshots: false, sources: false },
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: findChromium(),
      args: [
        ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
        '--disable-quic',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--no-first-run',
      ],
    },
  },
});
