import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { doOnce } from './stamps.mjs';
import { run, say } from './system.mjs';

const MAX = 'node_modules/.bin/max';
const shared = ['package-lock.json', 'scripts/build.mjs', 'gateway/contract'];
const consoleSources = ['.umirc.ts', 'config', 'public', 'src', 'tsconfig.json', 'typings.d.ts', ...shared];
const gatewaySources = ['gateway', ...shared];
/** The gateway's programs, each a bundle of its own beside the others; npm's packages stay outside. */
const programs = {
  main: 'gateway/main.ts',
  verify: 'gateway/verify.ts',
  operator: 'gateway/operator.ts',
  supervisor: 'gateway/drivers/compute/supervisor/main.ts',
};
/** Runs in a sandbox without our packages, so it carries what it needs. */
const agent = 'gateway/drivers/homeFiles/agent/main.ts';
const COMPRESSED = /\.(js|css|svg|json|woff2?)$/;
const SMALLEST_BYTES = 1024;

/** Umi's generated sources, which the type checker and Jest look into. */
export async function setUpUmi() {
  const { isFine, output } = await run(MAX, ['setup']);
  if (!isFine) throw new Error(output);
}

/** Builds what changed since the last build: the console to `dist`, the gateway to `build/gateway`. */
export async function build() {
  await buildGateway();
  await buildConsole();
}

export async function buildGateway() {
  await doOnce({ stamp: 'build/gateway.stamp', paths: gatewaySources, result: 'build/gateway/main.js' }, async () => {
    const { build: bundle } = await import('esbuild');
    const shared = {
      bundle: true,
      platform: 'node',
      target: 'node20',
      format: 'cjs',
      // The console's settings are not the gateway's, and on a fresh clone what they extend is not there yet.
      tsconfigRaw: {},
      logLevel: 'warning',
    };
    await bundle({ ...shared, entryPoints: programs, outdir: 'build/gateway', packages: 'external', sourcemap: true });
    await bundle({ ...shared, entryPoints: [agent], outfile: 'build/gateway/homeFilesAgent.js' });
  });
}

export async function buildConsole() {
  await doOnce({ stamp: 'build/console.stamp', paths: consoleSources, result: 'dist/index.html' }, async () => {
    say('Building the console …');
    const { isFine, output } = await run(MAX, ['build'], { env: { NODE_ENV: 'production' } });
    // A bundler that finds no sources may still call that a success.
    if (!isFine || !existsSync('dist/index.html') || !readdirSync('dist').some((name) => /^umi\..*\.js$/.test(name))) {
      throw new Error(`The console cannot be built.\n${output}`);
    }
    await compressFiles('dist');
  });
}

/** Compressed once here, so that the gateway only picks a file. */
async function compressFiles(folder) {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    if (!entry.isFile() || !COMPRESSED.test(entry.name)) continue;
    const content = readFileSync(file);
    if (content.length < SMALLEST_BYTES) continue;
    const best = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };
    writeFileSync(`${file}.br`, await promisify(brotliCompress)(content, best));
    writeFileSync(`${file}.gz`, await promisify(gzip)(content, { level: constants.Z_BEST_COMPRESSION }));
  }
}
