import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { proportionalBytes, readProcess } from '../drivers/compute/supervisor/procTree';
import { type BenchRun, median, rounded, runBench } from './finding';
import { endSupervisor } from './labGateway';

const READY_BUDGET_S = 5;
const IDLE_BUDGET_MB = 200;
const SETTLING_MS = 10_000;
const mebibyte = 1024 ** 2;

interface Started {
  pid: number;
  readyMs: number;
  end(): Promise<void>;
}

/** `npm start` on a machine where everything is built, and what stands there idle afterwards. */
async function measureStart(run: BenchRun): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'atelier-bench-'));
  try {
    // The first makes the database and its own members.
    await (await start(dataDir)).end();
    const readyMs: number[] = [];
    let idleBytes = 0;
    for (let turn = 0; turn < (run.isQuick ? 1 : 3); turn += 1) {
      const started = await start(dataDir);
      readyMs.push(started.readyMs);
      if (turn === 0) {
        await new Promise((resolve) => setTimeout(resolve, SETTLING_MS));
        idleBytes = await memoryOf(started.pid, dataDir);
      }
      await started.end();
    }
    run.report({
      ...{ what: 'npm start, warm, until ready, median', measured: rounded(median(readyMs) / 1000), unit: 's' },
      budget: { atMost: READY_BUDGET_S },
    });
    run.report({
      ...{ what: 'idle gateway with its PostgreSQL, memory (PSS)', measured: rounded(idleBytes / mebibyte), unit: 'MB' },
      budget: { atMost: IDLE_BUDGET_MB },
    });
  } finally {
    await endSupervisor(dataDir);
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function start(dataDir: string): Promise<Started> {
  const beganMs = performance.now();
  const child = spawn('npm', ['start'], {
    env: { ...process.env, DATA_DIR: dataDir, PORT: '0', DEMO_PASSWORD: 'bench lamp shelf 42', LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'pipe', 'inherit'],
    // npm's own process is not the gateway: signals go to both.
    detached: true,
  });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  await new Promise<void>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => /^Atelier is ready/.test(line) && resolve());
    void ended.then(() => reject(new Error('npm start ended before it was ready')));
  });
  const pid = child.pid ?? 0;
  return {
    pid,
    readyMs: performance.now() - beganMs,
    async end() {
      process.kill(-pid, 'SIGTERM');
      await ended;
    },
  };
}

/** The gateway is the process group's node; PostgreSQL's processes are found by their folder. */
async function memoryOf(group: number, dataDir: string): Promise<number> {
  const all = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const stats = await Promise.all(all.map(async (pid) => ({ pid, ...(await identify(pid)) })));
  const postmaster = Number((await readFile(join(dataDir, 'postgres/data/postmaster.pid'), 'utf8')).split('\n')[0]);
  const isGateway = ({ groupId, command }: (typeof stats)[number]) => groupId === group && command.includes('scripts/run.mjs');
  const isPostgres = ({ pid, parent }: (typeof stats)[number]) => pid === postmaster || parent === postmaster;
  const ours = stats.filter((entry) => isGateway(entry) || isPostgres(entry)).flatMap(({ pid }) => readProcess(pid) ?? []);
  return ours.reduce((sum, entry) => sum + proportionalBytes(entry), 0);
}

async function identify(pid: number): Promise<{ parent: number; groupId: number; command: string }> {
  const [stat, command] = await Promise.all(
    ['stat', 'cmdline'].map((file) => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '')),
  );
  const [, parent = 0, groupId = 0] = (stat ?? '')
    .slice((stat ?? '').lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  return { parent, groupId, command: command ?? '' };
}

runBench(measureStart);
