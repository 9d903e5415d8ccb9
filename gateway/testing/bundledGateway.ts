import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

/** The gateway as one file, for tests that start it many times; beside the sources, because npm's packages are found from there. */
export async function bundleGateway(): Promise<{ entry: string; remove(): void }> {
  mkdirSync('build', { recursive: true });
  const folder = mkdtempSync(join('build', 'crash-'));
  const entry = join(folder, 'main.js');
  await build({
    ...{ entryPoints: ['gateway/main.ts'], outfile: entry, bundle: true, packages: 'external', platform: 'node', target: 'node20' },
    ...{ format: 'cjs', tsconfigRaw: {}, logLevel: 'warning' },
  });
  return { entry, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
