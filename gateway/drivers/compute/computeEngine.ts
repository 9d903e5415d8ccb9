import type { Readable } from 'node:stream';

export type EngineKind = 'process' | 'container' | 'slurm' | 'kubernetes' | 'simulated';

/** What a lab is to the engine. `ref` is deterministic, so a crash between request and save never starts twice. */
export interface LabSpec {
  ref: string;
  sessionId: string;
  workshopId: string;
  memberId: string;
  installationId: string;
  /** `reference` is the container image's; null where the image has none, which only engines without images can start. */
  image: { imageId: string; reference: string | null; commands: readonly string[] };
  cpuCores: number;
  memoryBytes: number;
  diskBytes: number;
  processes: number;
  hostname: string;
  /** Run time, in milliseconds since the lab's start, at which the engine stops it by itself. */
  leaseLimitMs: number;
  /** Variables its shells have beside the engine's own, which win. */
  env: Readonly<Record<string, string>>;
  /** Folders of the host by absolute path, always read-only, under `/datasets/<name>` or at `/home/lab/knowledge`. */
  mounts: readonly LabMount[];
  /** `egress` is refused where the engine cannot keep it to public addresses. */
  network: 'none' | 'egress';
}

export interface LabMount {
  source: string;
  target: string;
}

/** `queued`, `pulling` (its image) and `starting` are accepted but not usable yet; `ended` stays listed until `forget`. */
export type ObservedState = 'queued' | 'pulling' | 'starting' | 'running' | 'stopping' | 'ended';

/** Why a lab ended, as the engine saw it. */
export type EndReason =
  | 'stopped'
  | 'lease'
  | 'out_of_memory'
  | 'disk_full'
  | 'exited'
  | 'image_unavailable'
  | 'start_failed'
  | 'engine_died';

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
  /** While queued or pulling: how far it is, or what it waits for; `detail` is the engine's own words. */
  progress: LabProgress | null;
  /** For the log and the operator; never shown to a member. */
  detail: string;
}

export interface LabProgress {
  percent: number | null;
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
  /** Labs run images of their own, which may have to be fetched first. */
  hasImages: boolean;
  /** What of a lab can be kept as an image: its whole file system (`commitImage`), or no more than its home. */
  saveImage: 'none' | 'home' | 'rootfs';
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
  /** Bytes received and sent since the start; null where the lab has no network. */
  rxBytes: number | null;
  txBytes: number | null;
}

/** Where a workshop's home lies on this machine, and whose it is. */
export interface HomePlace {
  directory: string;
  uid: number;
  gid: number;
}

export interface CommitOptions {
  reference: string;
  labels: Readonly<Record<string, string>>;
  signal: AbortSignal;
  onProgress(progress: LabProgress): void;
}

export interface CommittedImage {
  reference: string;
  sizeBytes: number;
  digest: string;
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

/** The most `output` gives, whatever was asked. */
export const outputLimitBytes = 512 * 1024;

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
  /**
   * The tail of what the lab printed in all its terminals, the main one first; of an ended lab until it is forgotten. At most
   * `outputLimitBytes`; empty for an unknown lab.
   */
  output(ref: string, options: { tailBytes: number }): Promise<Uint8Array>;
  /** Null while the workshop has no home yet, and where the engine keeps homes elsewhere. */
  homeOf(workshopId: string): Promise<HomePlace | null>;
  /** Makes a workshop's home before its first start, where the engine keeps it; one that is there is done. */
  makeHome(workshopId: string): Promise<void>;
  /** Keeps a living lab's file system, its home not included, as an image. Only where `saveImage` is `rootfs`. */
  commitImage?(ref: string, options: CommitOptions): Promise<CommittedImage>;
  /** Deletes an image of ours; a missing one is done. Throws `EngineRefused` (`image`) while a lab runs it. */
  removeImage?(reference: string): Promise<void>;
  /** The image as the engine's own archive. */
  exportImage?(reference: string): Promise<Readable>;
  /** Hints that something changed; the reconcile loop polls `list()` anyway. Returns an unsubscribe. */
  onChange(listener: () => void): () => void;
}
