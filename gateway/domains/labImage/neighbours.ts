import type { Readable } from 'node:stream';
import type { LevelFlag } from '../../contract/entitlements';
import type { Db, Tx } from '../../db/client';
import type { Language } from '../../locales/messages';

/** Who asks, and in which language the answer is worded. */
export interface Viewer {
  memberId: string;
  language: Language;
}

/** What images ask of the ledger. */
export interface Wallets {
  lockWallet(tx: Tx, memberId: string): Promise<unknown>;
}

/** What images ask of the membership. */
export interface Memberships {
  getRights(
    memberId: string,
    reader?: Db | Tx,
  ): Promise<{ levelFlag: LevelFlag; ceilings: { privateImages: number; storageGb: number } }>;
}

/** What images ask of the member's account. */
export interface Proofs {
  getProofs(memberId: string, reader?: Db | Tx): Promise<{ isRealName: boolean }>;
}

/** What images ask of the files in workshops' homes. */
export interface Homes {
  hasHome(workshopId: string): Promise<boolean>;
  pack(workshopId: string): Promise<{ stream: Readable; counts(): { files: number; leftOut: number } }>;
  unpack(
    workshopId: string,
    source: Readable,
    limits: { bytes: number; entries: number },
  ): Promise<{ files: number; leftOut: number; bytes: number }>;
}
