import type { Clock } from '../../clock';
import { type EndReason, EngineRefused, EngineUnreachable, type LabProgress, type LabSpec, type Observed } from './computeEngine';
import { OutputTail } from './outputTail';
import { SimulatedFiles } from './simulatedFiles';
import type { SimulatedTerminal } from './simulatedTerminal';

export interface SimulatedLab {
  spec: LabSpec;
  state: Observed['state'];
  leaseLimitMs: number;
  /** Null unless running. */
  runningSinceMs: number | null;
  ranMs: number;
  endReason: EndReason | null;
  exitCode: number | null;
  progress: LabProgress | null;
  terminals: Map<string, SimulatedTerminal>;
  readonly printed: OutputTail;
}

const isBeforeRunning = (state: Observed['state']) => state === 'queued' || state === 'pulling' || state === 'starting';

/** The labs and homes behind one simulated engine. */
export class SimulatedWorld {
  readonly labs = new Map<string, SimulatedLab>();
  /** Ended and booked; none of them starts again. */
  readonly forgotten = new Set<string>();
  readonly homes = new Map<string, SimulatedFiles>();
  readonly listeners = new Set<() => void>();
  isReachable = true;
  isHoldingStarts = false;
  startCount = 0;
  refusal: EngineRefused['reason'] | null = null;
  missingCommands: readonly string[] = [];

  constructor(
    private readonly clock: Clock,
    readonly instanceId: string,
  ) {}

  /** Every call goes through here: leases that lapsed since the last one end first. */
  enter(): void {
    this.sweepLeases();
    if (!this.isReachable) throw new EngineUnreachable('the simulated engine was made unreachable');
  }

  runningMs(lab: SimulatedLab): number {
    const sinceMs = lab.runningSinceMs === null ? 0 : this.clock.monotonicMs() - lab.runningSinceMs;
    return Math.min(Math.floor(lab.ranMs + sinceMs), lab.leaseLimitMs);
  }

  start(spec: LabSpec): void {
    const state = 'starting';
    const lab: SimulatedLab = {
      spec,
      state,
      leaseLimitMs: spec.leaseLimitMs,
      runningSinceMs: null,
      ranMs: 0,
      endReason: null,
      exitCode: null,
      progress: null,
      terminals: new Map(),
      printed: new OutputTail(),
    };
    this.labs.set(spec.ref, lab);
    this.startCount += 1;
    this.home(spec.workshopId);
    if (!this.isHoldingStarts) this.begin(lab);
  }

  begin(lab: SimulatedLab): void {
    if (!isBeforeRunning(lab.state)) return;
    lab.state = 'running';
    lab.progress = null;
    lab.runningSinceMs = this.clock.monotonicMs();
    this.changed();
  }

  end(lab: SimulatedLab, endReason: EndReason, exitCode: number | null): void {
    if (lab.state === 'ended') return;
    lab.ranMs = this.runningMs(lab);
    lab.runningSinceMs = null;
    Object.assign(lab, { state: 'ended', endReason, exitCode });
    for (const terminal of [...lab.terminals.values()]) terminal.end(null);
    this.changed();
  }

  home(workshopId: string): SimulatedFiles {
    const home = this.homes.get(workshopId) ?? new SimulatedFiles(() => this.clock.nowMs());
    this.homes.set(workshopId, home);
    return home;
  }

  require(ref: string): SimulatedLab {
    const lab = this.labs.get(ref);
    if (!lab) throw new EngineRefused('engine_error', `no lab ${ref}`);
    return lab;
  }

  observe(lab: SimulatedLab): Observed {
    const { spec, state, leaseLimitMs, endReason, exitCode } = lab;
    const { ref, sessionId, workshopId, installationId } = spec;
    return {
      ref,
      sessionId,
      workshopId,
      installationId,
      state,
      runningMs: this.runningMs(lab),
      leaseLimitMs,
      endReason,
      exitCode,
      progress: lab.progress,
      detail: 'simulated',
    };
  }

  changed(): void {
    for (const listener of this.listeners) setImmediate(listener);
  }

  private sweepLeases(): void {
    for (const lab of this.labs.values()) {
      if (lab.state === 'running' && this.runningMs(lab) >= lab.leaseLimitMs) this.end(lab, 'lease', null);
    }
  }
}
