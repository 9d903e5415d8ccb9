import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { WebSocket } from 'ws';
import type { ComputeEngine } from '../drivers/compute/computeEngine';
import { createProcessEngine } from '../drivers/compute/processEngine';
import { buildLabSpec, endLab, waitForState } from '../drivers/compute/testing/labFixtures';
import { TerminalProbe } from '../drivers/compute/testing/terminalProbe';
import { startChild } from '../testing/childProcess';
import { type BenchRun, median, quantile, rounded, runBench, timeMs } from './finding';
import { endSupervisor, type LabGateway, onLabGateway } from './labGateway';
import { SocketTyping } from './socketTyping';

/** JupyterHub 3.0's start of a server on such a machine: 1.3–2.5 s; the faster is the harder. */
const JUPYTERHUB_START_MS = 1_300;
const ASK_AGAIN_MS = 20;

/** A lab as a member has it: from the click to the prompt, and from a key to its echo. */
async function measureTerminal(run: BenchRun): Promise<void> {
  await onLabGateway(async (gateway) => {
    const { workshopId } = await gateway.call('POST /gateway/workshop/create', {
      body: { name: 'Bench', specId: 'cpu-half', imageId: 'shell' },
    });
    const engineDir = await mkdtemp(join(tmpdir(), 'atelier-bench-'));
    const engine = createProcessEngine({
      dataDir: engineDir,
      log: pino({ level: 'silent' }),
      isUnsandboxedAllowed: async () => true,
    });
    try {
      await engine.open();
      await measureStarts(run, gateway, engine, workshopId);
      await measureEcho(run, gateway, workshopId);
    } finally {
      await engine.close();
      await endSupervisor(engineDir);
      await rm(engineDir, { recursive: true, force: true });
    }
  });
}

async function measureStarts(run: BenchRun, gateway: LabGateway, engine: ComputeEngine, workshopId: string): Promise<void> {
  const took: { ours: number[]; engine: number[] } = { ours: [], engine: [] };
  await clickToPrompt(gateway, workshopId);
  for (let turn = 0; turn < (run.isQuick ? 3 : 9); turn += 1) {
    took.ours.push(await clickToPrompt(gateway, workshopId));
    took.engine.push(await engineToPrompt(engine));
  }
  const [ours, alone] = [rounded(median(took.ours)), rounded(median(took.engine))];
  const common = { what: 'start of a workshop, call to prompt, median', measured: ours, unit: 'ms' as const };
  run.report({
    ...common,
    ...{ base: { name: 'the engine alone', value: alone }, budget: { of: 'measured', atMost: rounded(1.3 * alone + 300) } },
    note: '1.3 × the engine + 300 ms',
  });
  run.report({
    ...common,
    ...{ base: { name: 'JupyterHub 3.0, 1.3–2.5 s (published)', value: JUPYTERHUB_START_MS }, budget: { atMost: 0.2 } },
  });
}

/** Starts, waits, attaches, reads the prompt; then stops again, which is not counted. */
async function clickToPrompt(gateway: LabGateway, workshopId: string): Promise<number> {
  const tookMs = await timeMs(async () => {
    await gateway.call('POST /gateway/workshop/start', { body: { workshopId } });
    await untilState(gateway, workshopId, 'RUNNING');
    const socket = await gateway.openTerminal(workshopId);
    await SocketTyping.atPrompt(socket);
    socket.terminate();
  });
  await gateway.call('POST /gateway/workshop/stop', { body: { workshopId } });
  await untilState(gateway, workshopId, 'STOPPED');
  return tookMs;
}

async function untilState(gateway: LabGateway, workshopId: string, state: 'RUNNING' | 'STOPPED'): Promise<void> {
  for (;;) {
    const workshop = await gateway.call('GET /gateway/workshop/get', { query: { workshopId } });
    if (workshop.state === state) return;
    if (workshop.state === 'FAILED') throw new Error(`the lab failed: ${workshop.failure?.hint}`);
    await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_MS));
  }
}

async function engineToPrompt(engine: ComputeEngine): Promise<number> {
  const spec = buildLabSpec({ cpuCores: 0.5 });
  const tookMs = await timeMs(async () => {
    await engine.ensureStarted(spec);
    await waitForState(engine, spec.ref, 'running');
    await TerminalProbe.ready(engine, spec.ref);
  });
  await endLab(engine, spec.ref);
  return tookMs;
}

/** Key by key at both terminals in turn, so that whatever else loads the machine loads both alike. */
async function measureEcho(run: BenchRun, gateway: LabGateway, workshopId: string): Promise<void> {
  await gateway.call('POST /gateway/workshop/start', { body: { workshopId } });
  await untilState(gateway, workshopId, 'RUNNING');
  const bareServer = startChild('gateway/bench/bareTerminal.ts');
  const [, bareUrl = ''] = await bareServer.line(/^bare on (\S+)$/);
  const sockets = [await gateway.openTerminal(workshopId), new WebSocket(bareUrl)] as const;
  const [ours, bare] = await Promise.all(sockets.map((socket) => SocketTyping.atPrompt(socket)));
  const took: { ours: number[]; bare: number[] } = { ours: [], bare: [] };
  for (let key = 0; ours && bare && key < (run.isQuick ? 200 : 1_000); key += 1) {
    took.ours.push(await ours.echoMs('x'));
    took.bare.push(await bare.echoMs('x'));
    if (key % 40 === 39) await Promise.all([ours.clearLine(), bare.clearLine()]);
  }
  for (const share of [0.5, 0.95]) {
    run.report({
      ...{ what: `terminal, key to echo, p${share * 100}`, measured: rounded(quantile(took.ours, share)), unit: 'ms' },
      base: { name: 'bare ws + pty, same shell', value: rounded(quantile(took.bare, share)) },
      ...(share === 0.95 ? { budget: { atMost: 1.5 } } : {}),
    });
  }
  for (const socket of sockets) socket.terminate();
  await bareServer.end('SIGTERM');
}

runBench(measureTerminal);
