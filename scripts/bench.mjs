// node scripts/bench.mjs [name …] [--quick] [--json file]: runs the benches one after another, each a program of its own, and prints one table. A budget
// that is missed is shown, and does not fail the run: on a loaded machine absolute figures mean little.
import { fork } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';
import { dirname, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from './build.mjs';
import { ensureDependencies } from './prepare.mjs';
import { ensureSystemPackages, say } from './system.mjs';

/** In this order: what measures time to the millisecond comes before what fills the disk. */
const benches = ['calls', 'commerce', 'terminal', 'labs', 'start', 'console', 'history', 'expiry', 'tick'];
const HEADINGS = ['what', 'measured', 'beside', 'ratio', 'budget', ''];

const { values, positionals } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, json: { type: 'string', default: 'test-results/bench.json' } },
  allowPositionals: true,
});
const unknown = positionals.filter((name) => !benches.includes(name));
if (unknown.length > 0) {
  say(`There is no bench ${unknown.join(', ')}; there are ${benches.join(', ')}.`);
  process.exit(1);
}

/** Runs one bench; its findings come as messages. */
function runBench(name) {
  return new Promise((done) => {
    const findings = [];
    const child = fork(`gateway/bench/${name}.ts`, values.quick ? ['--quick'] : [], { execArgv: ['-r', 'esbuild-register'] });
    child.on('message', (finding) => findings.push({ bench: name, ...finding }));
    child.on('close', (code) => done({ findings, isFine: code === 0 }));
  });
}

/** What the budget is held against, and whether it holds; null where there is none. */
function judge({ measured, base, budget }) {
  const ratio = base ? measured / base.value : null;
  if (!budget) return { ratio, holds: null };
  const figure = ratio === null || budget.of === 'measured' ? measured : ratio;
  return { ratio, holds: figure <= (budget.atMost ?? Number.POSITIVE_INFINITY) && figure >= (budget.atLeast ?? 0) };
}

function cells(finding) {
  const { what, measured, unit, base, budget, note, ratio, holds } = finding;
  const isOfRatio = ratio !== null && budget?.of !== 'measured';
  const bound = (sign, value) => (value === undefined ? '' : `${sign} ${value}${isOfRatio ? ' ×' : ` ${unit}`}`);
  return [
    note ? `${what} (${note})` : what,
    `${measured} ${unit}`,
    base ? `${base.value} ${unit}, ${base.name}` : '',
    ratio === null ? '' : `${ratio.toFixed(2)} ×`,
    bound('≤', budget?.atMost) + bound('≥', budget?.atLeast),
    holds === null ? '' : holds ? 'holds' : 'MISSES',
  ];
}

/** A Markdown table, wide enough to be read as it is. */
function table(rows) {
  const lines = [HEADINGS, ...rows];
  const widths = HEADINGS.map((_, column) => Math.max(3, ...lines.map((line) => line[column].length)));
  const draw = (line) => `| ${line.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`;
  return [draw(HEADINGS), `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`, ...rows.map(draw)].join('\n');
}

try {
  await ensureDependencies();
  ensureSystemPackages({ isForTests: true });
  await build();
} catch (error) {
  say(error.message);
  process.exit(1);
}
const startedAt = performance.now();
const machine = {
  cores: availableParallelism(),
  processor: cpus()[0]?.model ?? '',
  memoryGb: Math.round(totalmem() / 2 ** 30),
  node: process.version,
  loadBefore: loadavg()[0],
};
const findings = [];
const broken = [];
for (const name of positionals.length > 0 ? positionals : benches) {
  const beganAt = performance.now();
  const result = await runBench(name);
  findings.push(...result.findings.map((finding) => ({ ...finding, ...judge(finding) })));
  if (!result.isFine) broken.push(name);
  say(
    `${result.isFine ? '✓' : '✗'} ${name} (${((performance.now() - beganAt) / 1000).toFixed(0)} s, load ${loadavg()[0].toFixed(1)})`,
  );
}
const report = resolve(values.json);
mkdirSync(dirname(report), { recursive: true });
writeFileSync(
  report,
  `${JSON.stringify({ at: new Date().toISOString(), isQuick: values.quick, machine, findings, broken }, null, 2)}\n`,
);
say(`\n${table(findings.map(cells))}\n`);
const missed = findings.filter(({ holds }) => holds === false).length;
const minutes = ((performance.now() - startedAt) / 60_000).toFixed(1);
say(
  `${findings.length} figures, ${missed} missed, ${broken.length} benches broken, ${minutes} min, load ${loadavg()[0].toFixed(1)}: ${report}`,
);
process.exitCode = broken.length === 0 ? 0 : 1;
