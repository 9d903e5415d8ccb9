import type { ColumnType, Generated, GeneratedAlways } from 'kysely';
import type { PointsChangeKind } from '../contract/points';
import type { EngineKind } from '../drivers/compute/computeEngine';
import type { AuditEntryTable } from './schemaAudit';
import type { CommerceTables } from './schemaCommerce';
import type { LabTables } from './schemaLab';
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

/** The tables as the query builder sees them; names in camel case at this border only. */
export interface Database extends CommerceTables, LabTables, SandboxTables {
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
  trackerEvent: TrackerEventTable;
  auditEntry: AuditEntryTable;
}
