import type { ColumnType, Generated } from 'kysely';
import type { StopReason, WorkshopState } from '../contract/workshopStates';

type Defaulted<T> = ColumnType<T, T | undefined, T>;
type Json<T> = ColumnType<T, string, string>;

/** How far long work has come; `percent` is null while nobody can tell. */
export interface Progress {
  percent: number | null;
  detail: string;
}

/** What a workshop was set to when a run of it began. */
export interface RunSetup {
  maxHours?: number | null;
  idleMinutes?: number | null;
  env?: Record<string, string>;
  network?: 'none' | 'egress';
}

export interface WorkshopTable {
  id: string;
  memberId: string;
  name: string;
  specId: string;
  imageId: string;
  maxHours: number | null;
  engineInstanceId: string;
  desired: Defaulted<'stopped' | 'running' | 'deleted'>;
  state: Defaulted<WorkshopState>;
  stateReason: Defaulted<string>;
  stateChangedAt: Defaulted<Date>;
  failureCode: string | null;
  failureHint: string | null;
  isRetryable: boolean | null;
  generation: Defaulted<number>;
  createdAt: Generated<Date>;
  /** What its home holds, as last seen. */
  diskBytes: Defaulted<bigint>;
  idleMinutes: number | null;
  env: ColumnType<Record<string, string>, string | undefined, string>;
  network: Defaulted<'none' | 'egress'>;
  homeFilledAt: Date | null;
}

export interface LabSessionTable {
  id: string;
  workshopId: string;
  memberId: string;
  generation: number;
  engineInstanceId: string;
  engineRef: string | null;
  specId: string;
  imageId: string;
  queuedAt: Date;
  startedAt: Date | null;
  endedAt: Date | null;
  stopReason: StopReason | null;
  exitCode: number | null;
  rateMicroPerHour: bigint;
  priceVersion: number;
  priceFixedUntil: Date;
  priceNotifiedVersion: number | null;
  priceNotifiedAt: Date | null;
  observedMs: Defaulted<bigint>;
  leaseLimitMs: bigint;
  heldMicro: bigint;
  chargedMicro: Defaulted<bigint>;
  rateBaseMs: Defaulted<bigint>;
  rateBaseMicro: Defaulted<bigint>;
  segmentSeq: Defaulted<number>;
  segmentFromMs: Defaulted<bigint>;
  segmentFromAt: Date | null;
  meteredUntil: Date | null;
  lastSeenAt: Date | null;
  warnedRunwayMs: bigint | null;
  extendedMs: Defaulted<bigint>;
  activeAt: Date | null;
  progress: Json<Progress> | null;
  setup: ColumnType<RunSetup, string | undefined, string>;
  cpuP95Percent: number | null;
  memoryPeakBytes: bigint | null;
  hiddenAt: Date | null;
}

export interface UsageSegmentTable {
  sessionId: string;
  seq: number;
  workshopId: string;
  memberId: string;
  fromAt: Date;
  toAt: Date;
  rateMicroPerHour: bigint;
  priceVersion: number;
  micro: bigint;
  txId: bigint | null;
}

export interface WorkshopEventTable {
  id: string;
  workshopId: string;
  sessionId: string | null;
  at: Defaulted<Date>;
  fromState: WorkshopState | null;
  toState: WorkshopState;
  reason: string;
  actor: 'member' | 'system' | 'operator';
  evidence: Json<Record<string, string | number>>;
}

export interface LabMetricTable {
  sessionId: string;
  workshopId: string;
  at: Date;
  cpuPercent: number;
  memoryBytes: bigint;
  diskBytes: bigint | null;
  costMicro: bigint;
  rxBytesPerSecond: bigint | null;
  txBytesPerSecond: bigint | null;
}

export interface TerminalTicketTable {
  hash: Buffer;
  memberId: string;
  workshopId: string;
  loginSessionId: string;
  terminalId: string;
  expiresAt: Date;
  usedAt: Date | null;
}

export interface LabOutputTable {
  sessionId: string;
  tail: Buffer;
  isCut: boolean;
  savedAt: Generated<Date>;
}

export interface LabImageTable {
  id: string;
  memberId: string;
  workshopId: string;
  name: string;
  tag: string;
  description: Defaulted<string>;
  baseImageId: string;
  parentId: string | null;
  engineInstanceId: string;
  state: 'SAVING' | 'READY' | 'FAILED' | 'DELETED';
  progress: Json<Progress> | null;
  failureCode: string | null;
  archiveKey: string | null;
  archiveBytes: bigint | null;
  archiveSha256: Buffer | null;
  files: number | null;
  secretPaths: ColumnType<string[], string | undefined, string>;
  reference: string | null;
  layerBytes: bigint | null;
  publishedAt: Date | null;
  stars: Defaulted<number>;
  uses: Defaulted<number>;
  claimId: string | null;
  claimedUntil: Date | null;
  attempts: Defaulted<number>;
  createdAt: Generated<Date>;
  readyAt: Date | null;
  deletedAt: Date | null;
}

export interface LabImageStarTable {
  imageId: string;
  memberId: string;
  createdAt: Generated<Date>;
}

export interface RegistryAccountTable {
  memberId: string;
  robotId: bigint;
  robotName: string;
  secretCipher: Buffer;
  expiresAt: Date | null;
  createdAt: Generated<Date>;
}

export interface LabTables {
  workshop: WorkshopTable;
  labSession: LabSessionTable;
  usageSegment: UsageSegmentTable;
  workshopEvent: WorkshopEventTable;
  labMetric: LabMetricTable;
  terminalTicket: TerminalTicketTable;
  labOutput: LabOutputTable;
  labImage: LabImageTable;
  labImageStar: LabImageStarTable;
  registryAccount: RegistryAccountTable;
}
