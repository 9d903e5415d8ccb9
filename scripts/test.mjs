// node scripts/test.mjs [--quick] [--deep]: every check there is, one summary, the exit code says whether all is well. --quick leaves out the build and
// the browser; --deep gives property tests and crash tests more rounds.
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build, setUpUmi } from './build.mjs';
import { ensureDependencies } from './prepare.mjs';
import { ensureSystemPackages, run, say } from './system.mjs';

const isQuick = process.argv.includes('--quick');
const REPORTS = 'build/reports';
const BIN = 'node_modules/.bin';
const deep = process.argv.includes('--deep') ? { ATELIER_DEEP: '1' } : {};
const results = [];

/** Runs one group; `count` reads how many tests it had, a group without is one. */
async function group(name, work, count = (isFine) => ({ passed: Number(isFine), failed: Number(!isFine), skipped: 0 })) {
  const startedAt = performance.now();
  const { isFine, output } = await work();
  const seconds = (performance.now() - startedAt) / 1000;
  const counted = count(isFine);
  // A group that broke without a failing test, like a crash, is a failure, too; so is one that found nothing to test.
  const isHollow = counted.failed === 0 && (!isFine || counted.passed === 0);
  if (isHollow) counted.failed = 1;
  results.push({ name, seconds, ...counted });
  say(`${counted.failed === 0 ? '✓' : '✗'} ${name} (${seconds.toFixed(1)} s)`);
  if (counted.failed > 0) say(output);
}

const program =
  (name, ...args) =>
  () =>
    run(join(BIN, name), args, { env: { ...deep, FORCE_COLOR: '0' } });

function jest(project, workers) {
  const report = join(REPORTS, `${project}.json`);
  const args = ['--selectProjects', project, `--maxWorkers=${workers}`, '--json', `--outputFile=${report}`];
  return group(`jest ${project}`, program('jest', ...args), () => {
    const found = readReport(report);
    const { numPassedTests = 0, numFailedTests = 0, numRuntimeErrorTestSuites = 0, numPendingTests = 0 } = found;
    return { passed: numPassedTests, failed: numFailedTests + numRuntimeErrorTestSuites, skipped: numPendingTests };
  });
}

function browser() {
  const report = resolve(REPORTS, 'e2e.json');
  const work = () => run(join(BIN, 'playwright'), ['test', '-c', 'e2e'], { env: { ...deep, PLAYWRIGHT_JSON_OUTPUT_NAME: report } });
  return group('e2e', work, () => {
    const { stats = {} } = readReport(report);
    return { passed: (stats.expected ?? 0) + (stats.flaky ?? 0), failed: stats.unexpected ?? 0, skipped: stats.skipped ?? 0 };
  });
}

function readReport(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
}

async function buildAll() {
  try {
    await build();
    return { isFine: true, output: '' };
  } catch (error) {
    return { isFine: false, output: String(error) };
  }
}

/** Two lanes, a core each, so that neither waits while there is work: each takes the next group, the longest first. */
async function inLanes(groups) {
  const lane = async () => {
    for (let next = groups.shift(); next; next = groups.shift()) await next();
  };
  await Promise.all([lane(), lane()]);
}

function summarise() {
  const width = Math.max(...results.map(({ name }) => name.length));
  say('');
  for (const { name, seconds, passed, failed, skipped } of results) {
    const left = skipped > 0 ? `, ${skipped} skipped` : '';
    say(
      `${name.padEnd(width)}  ${seconds.toFixed(1).padStart(6)} s  ${String(passed).padStart(5)} passed, ${failed} failed${left}`,
    );
  }
  const sum = (key) => results.reduce((total, result) => total + result[key], 0);
  say(`${sum('passed')} passed, ${sum('failed')} failed`);
  process.exitCode = sum('failed') === 0 ? 0 : 1;
}

await ensureDependencies();
ensureSystemPackages({ isForTests: !isQuick });
rmSync(REPORTS, { recursive: true, force: true });
mkdirSync(REPORTS, { recursive: true });
await setUpUmi();
await inLanes([
  ...(isQuick ? [] : [() => group('build', buildAll)]),
  // Umi's set-up is no good at starting twice in the same instant: the build's is over when the console's tests begin.
  () => group('types gateway', program('tsc', '-p', 'gateway')),
  () => jest('console', 1),
  () => group('types console', program('tsc', '-p', '.')),
  () => group('types e2e', program('tsc', '-p', 'e2e')),
  () => group('dead code', program('knip')),
  () => group('lint', program('biome', 'check', '--diagnostic-level=warn', '--error-on-warnings', '.')),
]);
// What measures time or kills processes has both cores.
await jest('gateway', 2);
if (!isQuick) await browser();
summarise();
