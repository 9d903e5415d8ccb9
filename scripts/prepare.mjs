import { existsSync, statSync } from 'node:fs';
import { doOnce } from './stamps.mjs';
import { runOrExit, say } from './system.mjs';

const INSTALLED = 'node_modules/.package-lock.json';
const OLDEST = [20, 19];

/** Ends with a sentence on a Node that is too old. */
export function ensureNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])) return;
  say(`Node ${OLDEST.join('.')} or newer is needed; this is ${process.versions.node}.`);
  process.exit(1);
}

/** Installs the packages when there are none, or the lock file says others. */
export async function ensureDependencies() {
  ensureNode();
  const paths = ['package-lock.json'];
  await doOnce({ stamp: 'node_modules/.atelier-lock', paths, result: INSTALLED }, async () => {
    // Somebody may have run npm ci by hand.
    if (existsSync(INSTALLED) && statSync(INSTALLED).mtimeMs >= statSync('package-lock.json').mtimeMs) return;
    say('Installing packages …');
    runOrExit('npm', ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error']);
  });
}
