import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import type { ComputeEngine } from '../drivers/compute/computeEngine';
import { createProcessEngine } from '../drivers/compute/processEngine';
import { proportionalBytes, readProcess } from '../drivers/compute/supervisor/procTree';
import { protocolVersion } from '../drivers/compute/supervisor/protocol';
import { greetSupervisor } from '../drivers/compute/supervisorClient';
import { buildLabSpec, waitForState } from '../drivers/compute/testing/labFixtures';
import { TerminalProbe } from '../drivers/compute/testing/terminalProbe';
import { bareBubblewrap } from './bareBubblewrap';
import { type BenchRun, quantile, rounded, runBench } from './finding';
import { endSupervisor } from './labGateway';

const mebibyte = 1024 ** 2;

/** Many labs at once through the engine, beside bare bubblewrap doing the least that could be called a lab. */
async function measureLabs(run: BenchRun): Promise<void> {
  const labCount = run.isQuick ? 20 : 50;
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
    const bareMs = await measureBare(labCount);
    reportLabs(run, labCount, bareMs, await measureEngine(engine, dataDir, labCount));
  } finally {
    await engine.close();
    await endSupervisor(dataDir);
    rmSync(dataDir, { recursive: true, force: true });
  }
}

function reportLabs(run: BenchRun, labCount: number, bareMs: number[], ours: Awaited<ReturnType<typeof measureEngine>>): void {
  const all = `${labCount} labs at once`;
  run.report({
    ...{ what: `${all}, until the last runs`, measured: rounded(Math.max(...ours.runningMs)), unit: 'ms' },
    base: { name: 'bare bubblewrap', value: rounded(Math.max(...bareMs)) },
  });
  run.report({ what: `${all}, until the last prompt`, measured: rounded(ours.allPromptsMs), unit: 'ms' });
  run.report({ what: `${all}, a command's answer, p95`, measured: rounded(quantile(ours.echoMs, 0.95)), unit: 'ms' });
  run.report({ what: `${all}, a sample of all`, measured: rounded(ours.sampleMs), unit: 'ms' });
  run.report({ what: `${all}, until the last ended`, measured: rounded(ours.stopMs), unit: 'ms' });
  run.report({ what: `${all}, memory of one`, measured: rounded(ours.labMemoryBytes / mebibyte), unit: 'MB' });
  run.report({
    ...{ what: `${all}, memory of their supervisor`, measured: rounded(ours.supervisorBytes / mebibyte), unit: 'MB' },
    note: `${Math.round(ours.idleCpuShare * 100)} % of a core while nobody types`,
  });
}

async function measureBare(labCount: number): Promise<number[]> {
  const beganMs = performance.now();
  return Promise.all(
    Array.from({ length: labCount }, async () => {
      const child = spawn('bwrap', [...bareBubblewrap, '/bin/sh', '-c', 'echo ready; exec sleep 60'], {
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      await new Promise((resolve) => child.stdout.once('data', resolve));
      const tookMs = performance.now() - beganMs;
      child.kill('SIGKILL');
      return tookMs;
    }),
  );
}

async function measureEngine(engine: ComputeEngine, dataDir: string, labCount: number) {
  const specs = Array.from({ length: labCount }, () => buildLabSpec({ cpuCores: 0.5, memoryBytes: 128 * mebibyte }));
  const beganMs = performance.now();
  await Promise.all(specs.map((spec) => engine.ensureStarted(spec)));
  const runningMs = await watchRunning(engine, beganMs, labCount);
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
    runningMs,
    allPromptsMs,
    echoMs,
    sampleMs,
    labMemoryBytes: samples.reduce((total, sample) => total + sample.memoryBytes, 0) / samples.length,
    supervisorBytes: supervisor ? proportionalBytes(supervisor) : 0,
    idleCpuShare: idleCpuMs / 3000,
    stopMs: performance.now() - stopBeganMs,
  };
}

/** When each lab was first listed as running; one observer, because every listing is journaled. */
async function watchRunning(engine: ComputeEngine, beganMs: number, labCount: number): Promise<number[]> {
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

runBench(measureLabs);
