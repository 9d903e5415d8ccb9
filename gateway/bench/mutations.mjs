// node gateway/bench/mutations.mjs [words of a name]: breaks the meter on purpose, one way at a time in a copy of the project, and expects the
// named test to turn red. Exit code 1 when a mutation survives.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const ledger = 'gateway/domains/ledger';
const metering = 'gateway/domains/metering';

const mutations = [
  {
    name: 'no wallet lock',
    file: `${ledger}/ledger.repository.ts`,
    from: '    .forUpdate()\n',
    to: '',
    test: `${metering}/metering.races.test.ts`,
    title: 'starts exactly one of a hundred parallel labs when the balance is for one',
  },
  {
    name: 'no overlap constraint',
    file: 'gateway/db/migrations/0003_workshop.ts',
    from: ',\n      exclude using gist (workshop_id with =, tstzrange(from_at, to_at) with &&)',
    to: '',
    test: `${ledger}/invariants.test.ts`,
    title: 'the database itself refuses time billed twice',
  },
  {
    name: 'no lease cap on sightings',
    file: `${metering}/meter.repository.ts`,
    from: 'least(greatest(s.observed_ms, seen.running_ms), s.lease_limit_ms)',
    to: 'greatest(s.observed_ms, seen.running_ms)',
    test: `${metering}/session.service.test.ts`,
    title: 'never charges beyond the lease, whatever the engine reports',
  },
  {
    name: 'no lease cap at the end',
    file: `${metering}/meter.rules.ts`,
    from: 'return lesser(greater(runningMs, meter.observedMs), meter.leaseLimitMs);',
    to: 'return greater(runningMs, meter.observedMs);',
    test: `${metering}/meter.rules.test.ts`,
    title: 'never observes beyond the lease and never back in time',
  },
  {
    name: 'segments span expiries',
    file: `${ledger}/lot.rules.ts`,
    from: 'fromMs < at && at < toMs',
    to: 'fromMs < at && at < toMs && at < 0',
    test: `${metering}/settle.rules.test.ts`,
    title: 'bills every lot as a meter would that ticks each second',
  },
  {
    name: 'the batch burns the longest lot first',
    file: `${ledger}/ledger.repository.ts`,
    from: 'partition by member_id order by expires_at nulls last',
    to: 'partition by member_id order by expires_at desc nulls first',
    test: `${metering}/tick.service.test.ts`,
    title: 'does set-based, for any number of labs and lots, what the rules say of one member',
  },
  {
    name: 'a short balance goes to whoever comes first',
    file: `${metering}/tick.repository.ts`,
    from: 'where is_low or all_micro > free',
    to: 'where is_low',
    test: `${metering}/tick.service.test.ts`,
    title: 'does set-based, for any number of labs and lots, what the rules say of one member',
  },
  {
    name: 'an expired lot keeps nothing back for labs that were not seen',
    file: `${metering}/settlement.service.ts`,
    from: 'sessions.reduce((sum, session) => sum + unreportedMicro(session, endOf(lot)), 0n)',
    to: '0n',
    test: `${metering}/session.service.test.ts`,
    title: 'waits with an expiry for labs that were not seen past it, and not for ever',
  },
  {
    name: 'expired lots of members with labs go at once',
    file: `${metering}/settlement.service.ts`,
    from: 'wallets.filter(({ memberId, held }) => held === 0n && !running.has(memberId))',
    to: '[...wallets]',
    test: `${metering}/expiry.test.ts`,
    title: 'lots that end at one instant stay for a member who runs a lab, whose usage from before may still be reported',
  },
  {
    name: 'a pass closes all that is due',
    file: `${metering}/tick.repository.ts`,
    from: 'order by id limit $',
    to: 'order by id limit 1000 + $',
    test: `${metering}/tick.service.test.ts`,
    title: 'closes so many segments a pass and the rest in the next, while every lease that runs low is raised at once',
  },
];

const root = resolve(import.meta.dirname, '../..');
const wanted = process.argv[2] ?? '';
let survivors = 0;
for (const { name, file, from, to, test, title } of mutations.filter((mutation) => mutation.name.includes(wanted))) {
  const copy = mkdtempSync(join(tmpdir(), 'atelier-mutation-'));
  try {
    for (const part of ['gateway', 'src/testing', 'jest.config.ts', 'package.json', 'tsconfig.json', 'config']) {
      cpSync(join(root, part), join(copy, part), { recursive: true, errorOnExist: false, force: true });
    }
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
    const source = readFileSync(join(copy, file), 'utf8');
    if (source.split(from).length < 2) throw new Error(`${file} does not contain ${from}`);
    writeFileSync(join(copy, file), source.replaceAll(from, to));
    const run = spawnSync('npx', ['jest', test, '--selectProjects', 'gateway', '--maxWorkers=1', '--json', '--silent'], {
      cwd: copy,
      encoding: 'utf8',
    });
    const report = JSON.parse(run.stdout.slice(run.stdout.indexOf('{"')));
    const failed = report.testResults
      .flatMap(({ assertionResults }) => assertionResults)
      .filter(({ status }) => status === 'failed');
    const isRed = failed.some(({ fullName }) => fullName === title);
    if (!isRed) survivors += 1;
    process.stdout.write(
      `${isRed ? 'red     ' : 'SURVIVED'}  ${name}: ${title} (${failed.length} of ${report.numTotalTests} red)\n`,
    );
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}
process.exitCode = survivors === 0 ? 0 : 1;
