// node scripts/mutations.mjs [words of a name]: breaks money and rights on purpose, one way at a time in a copy of the project, and expects the
// named test to turn red. Exit code 1 when a mutation survives, or when nothing is left of what it breaks.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { couponMutations } from '../gateway/testing/mutations/coupon.mjs';
import { membershipMutations } from '../gateway/testing/mutations/membership.mjs';
import { meterMutations } from '../gateway/testing/mutations/meter.mjs';
import { orderMutations } from '../gateway/testing/mutations/order.mjs';
import { paymentMutations } from '../gateway/testing/mutations/payment.mjs';
import { refundMutations } from '../gateway/testing/mutations/refund.mjs';
import { ensureDependencies } from './prepare.mjs';
import { say } from './system.mjs';

const PARTS = [
  'gateway',
  'src/testing',
  'scripts',
  'jest.config.ts',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'config',
];
const mutations = [
  ...meterMutations,
  ...couponMutations,
  ...membershipMutations,
  ...orderMutations,
  ...paymentMutations,
  ...refundMutations,
];
const root = resolve(import.meta.dirname, '..');

/** The names of the tests of a file that fail once `from` is `to`. */
function failuresWith({ file, from, to, test }) {
  const copy = mkdtempSync(join(tmpdir(), 'atelier-mutation-'));
  try {
    for (const part of PARTS) cpSync(join(root, part), join(copy, part), { recursive: true });
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
    const source = readFileSync(join(copy, file), 'utf8');
    if (!source.includes(from)) throw new Error(`${file} does not contain ${from}`);
    writeFileSync(join(copy, file), source.replaceAll(from, to));
    const args = ['jest', test, '--selectProjects', 'gateway', '--maxWorkers=1', '--json', '--silent'];
    const run = spawnSync('npx', args, { cwd: copy, encoding: 'utf8', maxBuffer: 2 ** 28 });
    if (!run.stdout.includes('{"')) throw new Error(run.stderr);
    const report = JSON.parse(run.stdout.slice(run.stdout.indexOf('{"')));
    return report.testResults
      .flatMap(({ assertionResults }) => assertionResults)
      .filter(({ status }) => status === 'failed')
      .map(({ fullName }) => fullName);
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

await ensureDependencies();
const wanted = process.argv[2] ?? '';
let survivors = 0;
for (const mutation of mutations.filter(({ name }) => name.includes(wanted))) {
  const failures = failuresWith(mutation);
  const isRed = failures.includes(mutation.title);
  if (!isRed) survivors += 1;
  say(`${isRed ? 'red     ' : 'SURVIVED'}  ${mutation.name}: ${mutation.title} (${failures.length} red in all)`);
}
process.exitCode = survivors === 0 ? 0 : 1;
