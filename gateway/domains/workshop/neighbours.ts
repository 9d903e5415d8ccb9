import type { LevelFlag } from '../../contract/entitlements';
import type { StopReason } from '../../contract/workshopStates';
import type { Db, Tx } from '../../db/client';
import type { RunSetup } from '../../db/schemaLab';
import type { Language } from '../../locales/messages';
import type { Ceilings } from './workshop.rules';

/** What the workshop asks of the ledger. */
export interface Wallets {
  lockWallet(tx: Tx, memberId: string): Promise<unknown>;
}

/** What the workshop asks of the meter. */
export interface Meter {
  /** Throws MEMBER_DCU_LIMIT (BALANCE) below ten minutes of the rate. */
  openSession(
    tx: Tx,
    session: {
      sessionId: string;
      workshopId: string;
      memberId: string;
      generation: number;
      engineInstanceId: string;
      engineRef: string;
      specId: string;
      imageId: string;
      rateMicroPerHour: bigint;
      priceVersion: number;
      setup: RunSetup;
    },
  ): Promise<void>;
  recordSightings(sightings: readonly { sessionId: string; runningMs: number }[]): Promise<void>;
  pauseSessions(sessionIds: readonly string[]): Promise<void>;
  endSession(
    tx: Tx,
    end: { sessionId: string; runningMs: number; stopReason: StopReason | 'LEASE'; exitCode: number | null },
  ): Promise<{ stopReason: StopReason; observedMs: bigint; chargedMicro: bigint }>;
  getRunway(memberId: string): Promise<{ lastsUntil: Date | null }>;
}

/** What the workshop asks of the membership. */
export interface Memberships {
  /** What holds now; asked with the transaction of a start, what holds under its wallet lock. */
  getRights(memberId: string, reader?: Db | Tx): Promise<{ levelFlag: LevelFlag; ceilings: Ceilings }>;
}

/** What the workshop tells the points centre. */
export interface Tasks {
  /** Something a member earns points for once was done; told again, it changes nothing. */
  reportDone(memberId: string, taskId: string): Promise<void>;
}

/** What the workshop asks of the member's account. */
export interface Proofs {
  getProofs(memberId: string): Promise<{ isStudent: boolean; isRealName: boolean }>;
}

/** Who asks, and in which language the answer is worded. */
export interface Viewer {
  memberId: string;
  language: Language;
}
