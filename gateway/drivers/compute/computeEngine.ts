export type EngineKind = 'process' | 'container' | 'slurm' | 'kubernetes' | 'simulated';

/** What a lab is to the engine. `ref` is deterministic, so a crash between request and save never starts twice. */
export interface LabSpec {
  ref: string;
  sessionId: string;
  workshopId: string;
  memberId: string;
  installationId: string;
  image: { imageId: string; commands: readonly string[] };
  cpuCores: number;
  memoryBytes: number;
  diskBytes: number;
  processes: number;
  hostname: string;
  /** Run time, in milliseconds since the lab's start, at which the engine stops it by itself. */
  leaseLimitMs: number;
}

/** `starting` is accepted but not usable yet; `ended` stays listed until `forget`. */
export type ObservedState = 'starting' | 'running' | 'stopping' | 'ended';

/** Why a lab ended, as the engine saw it. */
export type EndReason = 'stopped' | 'lease' | 'out_of_memory' | 'disk_full' | 'exited' | 'start_failed' | 'engine_died';

/** What the engine vouches for. */
export interface Observed {
  ref: string;
  sessionId: string;
  workshopId: string;
  /** As given at `ensureStarted`; the loop leaves other installations' labs alone. */
  installationId: string;
  state: ObservedState;
  /** Milliseconds this lab was seen running, on a monotonic clock; never falls, final once `ended`. */
  runningMs: number;
  leaseLimitMs: number;
  endReason: EndReason | null;
  exitCode: number | null;
  /** For the log and the operator; never shown to a member. */
  detail: string;
}

/** A complete listing of one engine instance; anything less throws `EngineUnreachable`. */
export interface Listing {
  instanceId: string;
  labs: Observed[];
}

export interface EngineCapabilities {
  isolation: 'none' | 'namespaces' | 'container';
  cpuLimit: 'none' | 'affinity' | 'quota';
  memoryLimit: 'none' | 'polled' | 'hard';
  diskLimit: 'none' | 'polled' | 'hard';
  network: 'none' | 'egress';
  survivesGatewayRestart: boolean;
  /** Whole host capacity a lab may ask for at most. */
  maxCpuCores: number;
  maxMemoryBytes: number;
}

export interface EngineHealth {
  isHealthy: boolean;
  detail: string;
}

/** Counters and gauges; rates are computed by the caller from two samples. */
export interface LabSample {
  ref: string;
  sampledAtMs: number;
  cpuMsTotal: number;
  memoryBytes: number;
  diskBytes: number | null;
  processes: number;
}

/** A live terminal: bytes both ways. `replay` is the tail of what it printed before this attachment. */
export interface TerminalStream {
  readonly terminalId: string;
  readonly replay: Uint8Array;
  onData(listener: (chunk: Uint8Array) => void): void;
  /** Once: the shell ended (`exitCode`), or the attachment did (`null`). */
  onClose(listener: (exitCode: number | null) => void): void;
  write(chunk: Uint8Array): void;
  resize(cols: number, rows: number): void;
  /** Back-pressure: while paused the engine holds the lab's output back. */
  pause(): void;
  resume(): void;
  /** Ends the attachment; the shell lives on. */
  detach(): void;
}

export class EngineUnreachable extends Error {
  override readonly name = 'EngineUnreachable';
}

/** The engine understood and refused: not the member's doing to retry blindly. */
export class EngineRefused extends Error {
  override readonly name = 'EngineRefused';
  constructor(
    readonly reason: 'unsandboxed' | 'image' | 'capacity' | 'disk_full' | 'engine_error',
    detail: string,
  ) {
    super(detail);
  }
}

/**
 * The port every engine stands behind. Every method throws `EngineUnreachable` when the engine cannot answer; `ensureStarted`
 * also `EngineRefused`. Engines report, the reconcile loop decides. One contract suite runs over every driver.
 */
export interface ComputeEngine {
  readonly kind: EngineKind;
  /** The UUID of this engine instance, kept in DATA_DIR; a session is bound to it. */
  readonly instanceId: string;
  /** Connects, starting what it owns (the supervisor) if it does not run. */
  open(): Promise<void>;
  /** Disconnects; labs run on under their leases. */
  close(): Promise<void>;
  capabilities(): Promise<EngineCapabilities>;
  health(): Promise<EngineHealth>;
  /** The commands an image needs that this engine lacks; empty when it can be offered. */
  missingCommands(commands: readonly string[]): Promise<string[]>;
  /** Idempotent on `ref`; resolves when accepted. A `ref` that has ended is never started again. */
  ensureStarted(spec: LabSpec): Promise<void>;
  /** Raises the run time at which the lab is stopped; a lower limit than the present one is ignored. */
  extendLease(ref: string, leaseLimitMs: number): Promise<void>;
  /** Idempotent; asks kindly, then kills after `graceMs`. The home stays. */
  stop(ref: string, options: { graceMs: number }): Promise<void>;
  /** Every lab of ours, ended ones too until forgotten. */
  list(): Promise<Listing>;
  /** Drops an ended lab from the listing, once its end is booked. Idempotent. */
  forget(ref: string): Promise<void>;
  /** Deletes a workshop's home; missing is done. Refuses while a lab of it runs. */
  deleteHome(workshopId: string): Promise<void>;
  sample(refs: readonly string[]): Promise<LabSample[]>;
  terminals(ref: string): Promise<string[]>;
  /** Attaches to a terminal of a running lab, making it if it does not exist. */
  openTerminal(ref: string, options: { terminalId: string; cols: number; rows: number }): Promise<TerminalStream>;
  /** Hints that something changed; the reconcile loop polls `list()` anyway. Returns an unsubscribe. */
  onChange(listener: () => void): () => void;
}
