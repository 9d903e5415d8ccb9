import type { PointsChangeKind } from '../../contract/points';
import type { Db, Tx } from '../../db/client';
import type { LedgerPurpose } from '../../db/schema';
import type { HeldWallets } from './heldWallets';
import { insertPointPosting, updatePointHold } from './pointWallet.repository';
import { type LockedWallet, selectWallet, selectWalletForUpdate, type Wallet } from './wallet.repository';

export interface PointsChange {
  memberId: string;
  kind: PointsChangeKind;
  /** Above nothing: into the wallet; below: out of it. */
  points: bigint;
  /** Spends what `holdPoints` set aside. */
  isHeld?: boolean;
  /** Never used twice, by anybody, for ever. */
  idemKey: string;
  refType: string;
  refId: string;
  note?: string;
  actor?: string;
}

/** Where the other side of a change stands. */
const counterOf: Readonly<Record<PointsChangeKind, LedgerPurpose>> = {
  earn: 'purchase',
  task: 'gift',
  checkIn: 'gift',
  spend: 'usage',
  reward: 'usage',
  return: 'refund',
  withdraw: 'refund',
  adjust: 'adjust',
};

/** The books of points. The POINT wallet is locked after the DCU wallet, where both are needed. */
export function createPointWalletService(holds: HeldWallets) {
  /** The POINT wallet under its lock. Throws when the member has none. */
  async function lockPoints(tx: Tx, memberId: string): Promise<LockedWallet> {
    const held = holds.find(tx, memberId, 'POINT');
    return held ?? holds.keep(tx, 'POINT', found(await selectWalletForUpdate(tx, memberId, 'POINT'), memberId));
  }

  return {
    lockPoints,
    /** The POINT wallet as it is now, locked or not. Throws when the member has none. */
    readPoints: async (reader: Db | Tx, memberId: string): Promise<Wallet> =>
      holds.find(reader, memberId, 'POINT') ?? found(await selectWallet(reader, memberId, 'POINT'), memberId),

    /**
     * Writes a change of points, once for its key: 'already' when the key was used. Throws `RangeError` for nothing and for more than
     * is free (or, with `isHeld`, than is held).
     */
    async movePoints(tx: Tx, { memberId, kind, points, isHeld = false, ...change }: PointsChange): Promise<'moved' | 'already'> {
      const wallet = await lockPoints(tx, memberId);
      const limit = isHeld ? wallet.held : wallet.posted - wallet.held;
      if (points === 0n || (isHeld && points > 0n) || -points > limit) {
        throw new RangeError(`${points} points cannot be moved: ${limit} may be`);
      }
      const fromHeld = isHeld ? -points : 0n;
      const isNew = await insertPointPosting(tx, wallet, {
        note: '',
        actor: 'system',
        ...change,
        kind,
        points,
        fromHeld,
        counter: counterOf[kind],
        at: wallet.at,
      });
      if (!isNew) return 'already';
      const { posted, held, seq } = wallet;
      holds.keep(tx, 'POINT', { ...wallet, posted: posted + points, held: held - fromHeld, seq: seq + 1n });
      return 'moved';
    },

    /** Sets points aside for an order, or (below nothing) frees them. The database refuses to hold more than there are. */
    async holdPoints(tx: Tx, memberId: string, delta: bigint): Promise<void> {
      if (delta === 0n) return;
      const wallet = await lockPoints(tx, memberId);
      await updatePointHold(tx, wallet, delta);
      holds.keep(tx, 'POINT', { ...wallet, held: wallet.held + delta });
    },
  };
}

function found<T extends Wallet>(wallet: T | undefined, memberId: string): T {
  if (!wallet) throw new Error(`member ${memberId} has no wallet of points`);
  return wallet;
}
