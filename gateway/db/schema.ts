import type { ColumnType, Generated, GeneratedAlways } from 'kysely';
import type { PointsChangeKind } from '../contract/points';
import type { StopReason, WorkshopState } from '../contract/workshopStates';
import type { EngineKind } from '../drivers/compute/computeEngine';
import type { AuditEntryTable } from './schemaAudit';
import type { CommerceTables } from './schemaCommerce';
import type { SandboxTables } from './schemaSandbox';
import type { TrackerEventTable } from './schemaTracker';

/** A column the database fills when the insert does not. */
type Defaulted<T> = ColumnType<T, T | undefined, T>;
type Json<T> = ColumnType<T, string, string>;

export interface InstallationTable {
  id: string;
  isSingleton: Generated<boolean>;
  hmacKey: Buffer;
  createdAt: Generated<Date>;
}

export interface MemberTable {
  id: string;
  username: string;
  usernameKey: GeneratedAlways<string>;
  passwordHash: string;
  mobile: string;
  email: string | null;
  isRealName: Defaulted<boolean>;
  isStudent: Defaulted<boolean>;
  source: string | null;
  eventCode: string | null;
  createdAt: Generated<Date>;
}

export interface LoginSessionTable {
  id: string;
  memberId: string;
  secretHash: Buffer;
  isKept: boolean;
  ip: string;
  userAgent: string;
  createdAt: Generated<Date>;
  lastSeenAt: Defaulted<Date>;
  expiresAt: Date;
  revokedAt: Date | null;
}

export interface VerificationCodeTable {
  id: string;
  mobile: string;
  scene: string;
  codeHash: Buffer;
  triesLeft: number;
  ip: string;
  createdAt: Generated<Date>;
  expiresAt: Date;
  usedAt: Date | null;
  voidedAt: Date | null;
}

export interface SmsBudgetTable {
  day: Date;
  sent: number;
}

export interface LoginSlowdownTable {
  key: string;
  failures: number;
  lastFailedAt: Date;
  blockedUntil: Date | null;
}

export interface RateLimitTable {
  key: string;
  points: number;
  expire: bigint | null;
}

export interface IdempotencyTable {
  memberId: string;
  route: string;
  key: string;
  requestHash: Buffer;
  status: number | null;
  body: Json<unknown> | null;
  createdAt: Generated<Date>;
}

export type Asset = 'DCU' | 'POINT';
/** Of DCU; then those of points alone. */
export type LedgerKind = 'gift' | 'grant' | 'purchase' | 'usage' | 'expiry' | 'refund' | 'adjust' | PointsChangeKind;
export type LedgerPurpose = 'wallet' | 'gift' | 'purchase' | 'usage' | 'breakage' | 'refund' | 'adjust';
export type LotSource = 'gift' | 'membership' | 'coupon' | 'purchase' | 'refund';

export interface LedgerAccountTable {
  id: GeneratedAlways<bigint>;
  ownerKind: 'member' | 'platform';
  ownerId: string;
  asset: Asset;
  purpose: LedgerPurpose;
}

export interface LedgerTxTable {
  id: GeneratedAlways<bigint>;
  kind: LedgerKind;
  idemKey: string;
  refType: string;
  refId: string;
  note: Defaulted<string>;
  actor: Defaulted<string>;
  lines: Defaulted<number>;
  createdAt: Defaulted<Date>;
}

export interface LedgerEntryTable {
  txId: bigint;
  line: number;
  accountId: bigint;
  asset: Asset;
  amount: bigint;
  accountSeq: bigint | null;
  balanceAfter: bigint | null;
  kind: LedgerKind;
  at: Date;
}

export interface WalletTable {
  memberId: string;
  asset: Asset;
  accountId: bigint;
  posted: Defaulted<bigint>;
  held: Defaulted<bigint>;
  seq: Defaulted<bigint>;
}

export interface DcuLotTable {
  id: GeneratedAlways<bigint>;
  memberId: string;
  originTxId: bigint;
  source: LotSource;
  orderId: string | null;
  granted: bigint;
  remaining: bigint;
  grantedAt: Date;
  expiresAt: Date | null;
}

export interface LotUseTable {
  txId: bigint;
  lotId: bigint;
  amount: bigint;
}

export interface EngineInstanceTable {
  id: string;
  kind: EngineKind;
  lastSeenAt: Defaulted<Date>;
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

/** The tables as the query builder sees them; names in camel case at this border only. */
export interface Database extends CommerceTables, SandboxTables {
  installation: InstallationTable;
  member: MemberTable;
  loginSession: LoginSessionTable;
  verificationCode: VerificationCodeTable;
  smsBudget: SmsBudgetTable;
  loginSlowdown: LoginSlowdownTable;
  rateLimit: RateLimitTable;
  idempotency: IdempotencyTable;
  ledgerAccount: LedgerAccountTable;
  ledgerTx: LedgerTxTable;
  ledgerEntry: LedgerEntryTable;
  wallet: WalletTable;
  dcuLot: DcuLotTable;
  lotUse: LotUseTable;
  engineInstance: EngineInstanceTable;
  workshop: WorkshopTable;
  labSession: LabSessionTable;
  usageSegment: UsageSegmentTable;
  workshopEvent: WorkshopEventTable;
  labMetric: LabMetricTable;
  terminalTicket: TerminalTicketTable;
  trackerEvent: TrackerEventTable;
  auditEntry: AuditEntryTable;
}
