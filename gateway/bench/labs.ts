import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import type { ComputeEngine } from '../drivers/compute/computeEngine';
import { createProcessEngine } from '../drivers/compute/processEngine';
import { supervisorPaths } from '../drivers/compute/supervisor/paths';
import { proportionalBytes, readProcess } from '../drivers/compute/supervisor/procTree';
import { protocolVersion } from '../drivers/compute/supervisor/protocol';
import { greetSupervisor } from '../drivers/compute/supervisorClient';
import { buildLabSpec, waitForState } from '../drivers/compute/testing/labFixtures';
import { TerminalProbe } from '../drivers/compute/testing/terminalProbe';

const labCount = Number(process.argv[2] ?? 50);
const mebibyte = 1024 ** 2;

/** Many labs at once through the engine, beside bare bubblewrap doing the least that could be called a lab. */
async function measureLabs(): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'atelier-bench-'));
  const options = {
    dataDir,
    log: pino({ level: 'silent' }),
    isUnsandboxedAllowed: async () => true,
    settings: { idleExitMs: 500 },
  };
  const engine = createProcessEngine(options);
  try {
    await engine.open();
    const bare = await measureBare();
    const engineFigures = await measureEngine(engine, dataDir);
    const figures = { labs: labCount, cores: availableParallelism(), bare, ...engineFigures };
    process.stdout.write(`${table(figures)}\n${JSON.stringify(figures)}\n`);
  } finally {
    await engine.close();
    await endSupervisor(dataDir);
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function measureBare() {
  const recipe = ['--unshare-all', '--die-with-parent', '--ro-bind', '/usr', '/usr', '--symlink', 'usr/bin', '/bin'];
  const mounts = [
    '--symlink',
    'usr/lib',
    '/lib',
    '--symlink',
    'usr/lib64',
    '/lib64',
    '--proc',
    '/proc',
    '--dev',
    '/dev',
    '--tmpfs',
    '/tmp',
  ];
  const beganMs = performance.now();
  const startMs = await Promise.all(
    Array.from({ length: labCount }, async () => {
      const child = spawn('bwrap', [...recipe, ...mounts, '/bin/sh', '-c', 'echo ready; exec sleep 60'], {
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      await new Promise((resolve) => child.stdout.once('data', resolve));
      const tookMs = performance.now() - beganMs;
      child.kill('SIGKILL');
      return tookMs;
    }),
  );
  return spread(startMs);
}

async function measureEngine(engine: ComputeEngine, dataDir: string) {
  const specs = Array.from({ length: labCount }, () => buildLabSpec({ cpuCores: 0.5, memoryBytes: 128 * mebibyte }));
  const beganMs = performance.now();
  await Promise.all(specs.map((spec) => engine.ensureStarted(spec)));
  const acceptedMs = Math.round(performance.now() - beganMs);
  const runningMs = await watchRunning(engine, beganMs);
  const promptBeganMs = performance.now();
  const shells = await Promise.all(specs.map((spec) => TerminalProbe.ready(engine, spec.ref)));
  const allPromptsMs = performance.now() - promptBeganMs;

  const echoMs: number[] = [];
  for (const shell of shells.slice(0, 10)) {
    for (let turn = 0; turn < 10; turn += 1) {
      const typedMs = performance.now();
      await shell.run(`echo ${turn}`);
      echoMs.push(performance.now() - typedMs);
    }
  }
  const sampleBeganMs = performance.now();
  const samples = await engine.sample(specs.map((spec) => spec.ref));
  const sampleMs = performance.now() - sampleBeganMs;
  const { welcome, socket } = await greetSupervisor(dataDir, { protocol: protocolVersion, channel: 'control' });
  socket.destroy();
  const supervisor = readProcess(welcome.supervisorPid);
  const idleCpuMs = await cpuOver(welcome.supervisorPid, 3000);

  const stopBeganMs = performance.now();
  await Promise.all(specs.map((spec) => engine.stop(spec.ref, { graceMs: 0 })));
  await Promise.all(specs.map((spec) => waitForState(engine, spec.ref, 'ended', 120_000)));
  return {
    acceptedMs,
    running: spread(runningMs),
    allPromptsMs: Math.round(allPromptsMs),
    command: spread(echoMs),
    labMemoryKb: Math.round(samples.reduce((total, sample) => total + sample.memoryBytes, 0) / samples.length / 1024),
    sampleMs: Math.round(sampleMs),
    supervisorPssMb: Math.round((supervisor ? proportionalBytes(supervisor) : 0) / mebibyte),
    supervisorIdleCpuPercent: Math.round(idleCpuMs / 30),
    stopMs: Math.round(performance.now() - stopBeganMs),
  };
}

/** When each lab was first listed as running; one observer, because every listing is journaled. */
async function watchRunning(engine: ComputeEngine, beganMs: number): Promise<number[]> {
  const seenMs = new Map<string, number>();
  while (seenMs.size < labCount) {
    for (const lab of (await engine.list()).labs) {
      if (lab.state === 'ended') throw new Error(`lab ${lab.ref} ended by ${lab.endReason}: ${lab.detail}`);
      if (lab.state === 'running' && !seenMs.has(lab.ref)) seenMs.set(lab.ref, performance.now() - beganMs);
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return [...seenMs.values()];
}

async function cpuOver(pid: number, ms: number): Promise<number> {
  const before = readProcess(pid)?.cpuMs ?? 0;
  await new Promise((resolve) => setTimeout(resolve, ms));
  return (readProcess(pid)?.cpuMs ?? 0) - before;
}

function spread(values: readonly number[]) {
  const sorted = [...values].sort((left, right) => left - right);
  const at = (share: number) => Math.round((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0) * 10) / 10;
  return { p50: at(0.5), p95: at(0.95), max: at(1) };
}

function table(figures: Record<string, unknown>): string {
  return Object.entries(figures)
    .map(([name, value]) => `${name.padEnd(28)}${typeof value === 'object' ? JSON.stringify(value) : value}`)
    .join('\n');
}

async function endSupervisor(dataDir: string): Promise<void> {
  const greeted = await greetSupervisor(dataDir, { protocol: protocolVersion, channel: 'control' }).catch(() => null);
  if (greeted) process.kill(greeted.welcome.supervisorPid, 'SIGTERM');
  greeted?.socket.destroy();
  // Kept until it has let go of its folder.
  while (greeted && readProcess(greeted.welcome.supervisorPid)) await new Promise((resolve) => setTimeout(resolve, 20));
  writeFileSync(supervisorPaths(dataDir).log, '');
}

measureLabs().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  process.exitCode = 1;
});
