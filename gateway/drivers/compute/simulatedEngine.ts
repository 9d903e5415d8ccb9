import { randomUUID } from 'node:crypto';
import type { Clock } from '../../clock';
import {
  type ComputeEngine,
  type EndReason,
  type EngineCapabilities,
  EngineRefused,
  type LabProgress,
  type LabSample,
  outputLimitBytes,
  type TerminalStream,
} from './computeEngine';
import type { SimulatedFiles } from './simulatedFiles';
import { SimulatedTerminal } from './simulatedTerminal';
import { type SimulatedLab, SimulatedWorld } from './simulatedWorld';

const gibibyte = 1024 ** 3;

/** What tests and the preview may do to the simulated engine. */
export interface SimulationHooks {
  /** While unreachable every call throws `EngineUnreachable` and terminals are cut; labs run on under their leases. */
  setReachable(isReachable: boolean): void;
  /** Ends a lab as its engine would see it end. */
  endLab(ref: string, endReason: EndReason, exitCode?: number | null): void;
  runOutOfMemory(ref: string): void;
  /** The engine dies and comes back: every living lab is listed as `engine_died`. */
  dieAndRestart(): void;
  /** The lab vanishes from the listing without a trace. */
  vanish(ref: string): void;
  /** Later starts stay `starting` until `finishStart`. */
  holdStarts(isHeld: boolean): void;
  finishStart(ref: string): void;
  /** A held start waits in a queue or fetches its image, as far as told. */
  holdAt(ref: string, state: 'queued' | 'pulling' | 'starting', progress?: LabProgress | null): void;
  /** Later starts are refused; `null` accepts again. */
  refuseStarts(reason: EngineRefused['reason'] | null): void;
  setMissingCommands(commands: readonly string[]): void;
  /** The files of a workshop's home; undefined while it has none. */
  homeFiles(workshopId: string): SimulatedFiles | undefined;
  /** How many labs were ever started, to prove that a start happened once. */
  startCount(): number;
}

/** An engine that lives in this process: real states, leases, terminals and homes, without a machine behind them. */
export interface SimulatedEngine extends ComputeEngine {
  readonly kind: 'simulated';
  readonly simulate: SimulationHooks;
}

/** Builds the simulated engine; running time and leases follow `clock.monotonicMs()`. */
export function createSimulatedEngine({
  clock,
  instanceId = randomUUID(),
}: {
  clock: Clock;
  instanceId?: string;
}): SimulatedEngine {
  const world = new SimulatedWorld(clock, instanceId);
  return {
    kind: 'simulated',
    instanceId,
    ...connectionOf(world),
    ...lifeOf(world),
    ...viewOf(world, clock),
    simulate: hooksOf(world),
  };
}

export function isSimulated(engine: ComputeEngine): engine is SimulatedEngine {
  return engine.kind === 'simulated';
}

type Part<K extends keyof ComputeEngine> = Pick<ComputeEngine, K>;

function connectionOf(world: SimulatedWorld): Part<'open' | 'close' | 'capabilities' | 'health' | 'missingCommands' | 'onChange'> {
  return {
    open: async () => world.enter(),
    close: async () => {
      for (const lab of world.labs.values()) for (const terminal of lab.terminals.values()) terminal.disconnect();
      world.listeners.clear();
    },
    capabilities: async () => {
      world.enter();
      return simulatedCapabilities;
    },
    health: async () => ({ isHealthy: world.isReachable, detail: world.isReachable ? 'simulated' : 'made unreachable' }),
    missingCommands: async (commands) => {
      world.enter();
      return commands.filter((command) => world.missingCommands.includes(command));
    },
    onChange: (listener) => {
      world.listeners.add(listener);
      return () => world.listeners.delete(listener);
    },
  };
}

function lifeOf(world: SimulatedWorld): Part<'ensureStarted' | 'extendLease' | 'stop' | 'forget' | 'deleteHome'> {
  return {
    ensureStarted: async (spec) => {
      world.enter();
      if (world.labs.has(spec.ref)) return;
      if (world.forgotten.has(spec.ref)) throw new EngineRefused('engine_error', `${spec.ref} has run and was forgotten`);
      if (world.refusal) throw new EngineRefused(world.refusal, 'refused by the test');
      if (spec.cpuCores > simulatedCapabilities.maxCpuCores || spec.memoryBytes > simulatedCapabilities.maxMemoryBytes)
        throw new EngineRefused('capacity', 'more than the simulated host has');
      world.start(spec);
    },
    extendLease: async (ref, leaseLimitMs) => {
      world.enter();
      const lab = world.require(ref);
      if (lab.state !== 'ended') lab.leaseLimitMs = Math.max(lab.leaseLimitMs, leaseLimitMs);
    },
    stop: async (ref) => {
      world.enter();
      const lab = world.labs.get(ref);
      if (lab) world.end(lab, 'stopped', 0);
    },
    forget: async (ref) => {
      world.enter();
      if (world.labs.get(ref)?.state !== 'ended') return;
      world.labs.delete(ref);
      world.forgotten.add(ref);
    },
    deleteHome: async (workshopId) => {
      world.enter();
      const isInUse = [...world.labs.values()].some((lab) => lab.spec.workshopId === workshopId && lab.state !== 'ended');
      if (isInUse) throw new EngineRefused('engine_error', `a lab of workshop ${workshopId} is running`);
      world.homes.delete(workshopId);
    },
  };
}

function viewOf(
  world: SimulatedWorld,
  clock: Clock,
): Part<'list' | 'sample' | 'terminals' | 'openTerminal' | 'output' | 'homeOf' | 'makeHome'> {
  return {
    list: async () => {
      world.enter();
      return { instanceId: world.instanceId, labs: [...world.labs.values()].map((lab) => world.observe(lab)) };
    },
    sample: async (refs) => {
      world.enter();
      const labs = refs.flatMap((ref) => world.labs.get(ref) ?? []).filter((lab) => lab.state === 'running');
      return labs.map((lab) => sampleLab(world, lab, clock.nowMs()));
    },
    terminals: async (ref) => {
      world.enter();
      return [...world.require(ref).terminals.keys()];
    },
    output: async (ref, { tailBytes }) => {
      world.enter();
      return world.labs.get(ref)?.printed.read(Math.min(tailBytes, outputLimitBytes)) ?? new Uint8Array();
    },
    homeOf: async () => null,
    makeHome: async (workshopId) => {
      world.enter();
      world.home(workshopId);
    },
    openTerminal: async (ref, { terminalId, cols, rows }) => {
      world.enter();
      const lab = world.require(ref);
      if (lab.state !== 'running') throw new EngineRefused('engine_error', `lab ${ref} is ${lab.state}`);
      return openTerminal(world, lab, terminalId, { cols, rows });
    },
  };
}

function openTerminal(
  world: SimulatedWorld,
  lab: SimulatedLab,
  terminalId: string,
  size: { cols: number; rows: number },
): TerminalStream {
  const place = {
    files: world.home(lab.spec.workshopId),
    hostname: lab.spec.hostname,
    processNames: () => [...lab.terminals.values()].map((terminal) => terminal.processName),
  };
  const terminal =
    lab.terminals.get(terminalId) ??
    new SimulatedTerminal(
      ...([terminalId, place, size] as const),
      (chunk) => lab.printed.push(terminalId, chunk),
      () => lab.terminals.delete(terminalId),
    );
  lab.terminals.set(terminalId, terminal);
  return terminal.attach(size);
}

/** A gentle wave of load, so that charts have a shape; counters never fall. */
function sampleLab(world: SimulatedWorld, lab: SimulatedLab, sampledAtMs: number): LabSample {
  const ranMs = world.runningMs(lab);
  const busyMs = 0.2 * ranMs - 2400 * Math.sin(ranMs / 15_000);
  return {
    ref: lab.spec.ref,
    sampledAtMs,
    cpuMsTotal: Math.round(Math.max(0, busyMs) * lab.spec.cpuCores),
    memoryBytes: Math.round(lab.spec.memoryBytes * (0.18 + 0.05 * Math.sin(ranMs / 40_000))),
    diskBytes: world.home(lab.spec.workshopId).sizeBytes(),
    processes: 1 + lab.terminals.size,
    ...(lab.spec.network === 'none' ? { rxBytes: null, txBytes: null } : { rxBytes: ranMs * 40, txBytes: ranMs * 4 }),
  };
}

function hooksOf(world: SimulatedWorld): SimulationHooks {
  const cutTerminals = (lab: SimulatedLab) => {
    for (const terminal of lab.terminals.values()) terminal.disconnect();
  };
  return {
    setReachable: (isReachable) => {
      world.isReachable = isReachable;
      if (!isReachable) for (const lab of world.labs.values()) cutTerminals(lab);
      world.changed();
    },
    endLab: (ref, endReason, exitCode = null) => world.end(world.require(ref), endReason, exitCode),
    runOutOfMemory: (ref) => world.end(world.require(ref), 'out_of_memory', 137),
    dieAndRestart: () => {
      for (const lab of world.labs.values()) world.end(lab, 'engine_died', null);
    },
    vanish: (ref) => {
      cutTerminals(world.require(ref));
      world.labs.delete(ref);
    },
    holdStarts: (isHeld) => {
      world.isHoldingStarts = isHeld;
    },
    finishStart: (ref) => world.begin(world.require(ref)),
    holdAt: (ref, state, progress = null) => {
      Object.assign(world.require(ref), { state, progress });
      world.changed();
    },
    refuseStarts: (reason) => {
      world.refusal = reason;
    },
    setMissingCommands: (commands) => {
      world.missingCommands = commands;
    },
    homeFiles: (workshopId) => world.homes.get(workshopId),
    startCount: () => world.startCount,
  };
}

const simulatedCapabilities: EngineCapabilities = {
  isolation: 'none',
  cpuLimit: 'none',
  memoryLimit: 'none',
  diskLimit: 'none',
  network: 'none',
  survivesGatewayRestart: false,
  hasImages: false,
  saveImage: 'home',
  maxCpuCores: 64,
  maxMemoryBytes: 512 * gibibyte,
};
