import type { Db, Tx } from '../../db/client';
import type { LedgerPurpose, LotSource } from '../../db/schema';
import { createHeldWallets, type HeldWallets } from './heldWallets';
import {
  countExpiries,
  type GrantedLot,
  insertExpiries,
  insertGrant,
  insertPostings,
  insertUsageCharges,
  type Posting,
  selectAmountUnder,
  selectLots,
  selectMembersWithExpiredLots,
  type UsageCharge,
  updateHolds,
} from './ledger.repository';
import { expirableMicro, type Lot, type LotUse } from './lot.rules';
import { createPointWalletService } from './pointWallet.service';
import {
  insertWallet,
  type LockedWallet,
  selectFreeWalletsForUpdate,
  selectWallet,
  selectWalletForUpdate,
  selectWalletsForUpdate,
  type Wallet,
} from './wallet.repository';

export type { GrantedLot, Posting } from './ledger.repository';
export type { Wallet } from './wallet.repository';

export interface Grant {
  memberId: string;
  micro: bigint;
  kind: 'gift' | 'grant' | 'purchase' | 'refund' | 'adjust';
  source: LotSource;
  expiresAt: Date | null;
  /** Never used twice, by anybody, for ever: at-most-once rests on it. */
  idemKey: string;
  refType: string;
  refId: string;
  note?: string;
  actor?: string;
  /** The order that brought it; its refund takes back what is left. */
  orderId?: string;
}

export interface Withdrawal {
  memberId: string;
  kind: 'refund' | 'adjust';
  /** Out of which lots; the caller chose them after `settleMember`, under the wallet's lock. */
  uses: readonly LotUse[];
  idemKey: string;
  refType: string;
  refId: string;
  note?: string;
  actor?: string;
}

/** Whose account a grant comes out of. */
const sourceOfGrant: Readonly<Record<Grant['kind'], LedgerPurpose>> = {
  gift: 'gift',
  grant: 'gift',
  purchase: 'purchase',
  refund: 'refund',
  adjust: 'adjust',
};

export type LedgerService = ReturnType<typeof createLedgerService>;

/**
 * The DCU books. Everything that moves a wallet holds its lock first and goes through here; the database refuses whatever
 * would leave entries, wallet and lots apart. `settleMember` closes a member's open usage segments (metering owns them).
 */
export function createLedgerService({ db, settleMember }: { db: Db; settleMember: (tx: Tx, memberId: string) => Promise<void> }) {
  const holds = createHeldWallets();

  /** The wallet under its lock, first in the lock order; a transaction that has it is not asked again. Throws when the member has none. */
  async function lockWallet(tx: Tx, memberId: string): Promise<LockedWallet> {
    const held = holds.find(tx, memberId, 'DCU');
    return held ?? holds.keep(tx, 'DCU', found(await selectWalletForUpdate(tx, memberId, 'DCU'), memberId));
  }

  /** The wallets of DCU and points under their locks, for what will need both; the one of DCU. Throws when the member has none. */
  async function lockWallets(tx: Tx, memberId: string): Promise<LockedWallet> {
    for (const { asset, ...wallet } of await selectWalletsForUpdate(tx, memberId, ['DCU', 'POINT'])) holds.keep(tx, asset, wallet);
    return found(holds.find(tx, memberId, 'DCU'), memberId);
  }

  /**
   * Adds a lot to a member's balance, once for its key: 'already' when the key was used. Open usage segments are closed first,
   * because a new lot may be the next to be burnt.
   */
  async function grantDcu(tx: Tx, grant: Grant): Promise<'granted' | 'already'> {
    if (grant.micro <= 0n) throw new RangeError('a grant must be positive');
    await lockWallet(tx, grant.memberId);
    await settleMember(tx, grant.memberId);
    const wallet = await lockWallet(tx, grant.memberId);
    const isNew = await insertGrant(tx, wallet, {
      ...grant,
      from: sourceOfGrant[grant.kind],
      note: grant.note ?? '',
      actor: grant.actor ?? 'system',
      orderId: grant.orderId ?? null,
      at: wallet.at,
    });
    if (!isNew) return 'already';
    holds.keep(tx, 'DCU', { ...wallet, posted: wallet.posted + grant.micro, seq: wallet.seq + 1n });
    return 'granted';
  }

  /** Writes postings whose lots are chosen; the caller holds the wallet's lock. */
  async function post(tx: Tx, wallet: Wallet, at: Date, postings: readonly Posting[]): Promise<Map<string, bigint>> {
    if (postings.length === 0) return new Map();
    holds.forget(tx, [wallet.memberId]);
    return insertPostings(tx, wallet, at, postings);
  }

  /** Takes an expired lot to breakage but for `keptMicro`, as far as no hold needs it; how much that was. */
  async function expireLot(tx: Tx, memberId: string, lot: Lot, keptMicro: bigint): Promise<bigint> {
    const wallet = await lockWallet(tx, memberId);
    const micro = expirableMicro(wallet, lot, keptMicro);
    if (micro === 0n) return 0n;
    const idemKey = `expire:${lot.lotId}:${(await countExpiries(tx, lot.lotId)) + 1}`;
    const uses = [{ lotId: lot.lotId, micro }];
    await post(tx, wallet, wallet.at, [{ kind: 'expiry', idemKey, refType: 'lot', refId: String(lot.lotId), micro, uses }]);
    return micro;
  }

  /**
   * Takes DCU out of chosen lots. Throws `RangeError` for more than is free of holds: what running labs are promised cannot be taken.
   */
  async function withdrawDcu(tx: Tx, { memberId, uses, ...posting }: Withdrawal): Promise<void> {
    const wallet = await lockWallet(tx, memberId);
    const micro = uses.reduce((sum, use) => sum + use.micro, 0n);
    if (micro <= 0n || micro > wallet.posted - wallet.held) throw new RangeError('a withdrawal must be positive and free of holds');
    await post(tx, wallet, wallet.at, [{ ...posting, micro, uses }]);
  }

  return {
    ...createPointWalletService(holds),
    lockWallet,
    lockWallets,
    post,
    grantDcu,
    withdrawDcu,
    expireLot,
    /** Closes the member's open usage segments at this instant: what every change of what would be burnt begins with. */
    settleMember,
    /** Opens a member's accounts and wallets of DCU and points, empty. */
    openWallet: (tx: Tx, memberId: string): Promise<void> => insertWallet(tx, memberId),
    /** The wallet as it is now, unlocked. Throws when the member has none. */
    readWallet: async (reader: Db | Tx, memberId: string): Promise<Wallet> =>
      found(await selectWallet(reader, memberId, 'DCU'), memberId),
    /** Locks, in order, those wallets that nobody else works on. */
    lockFreeWallets: (tx: Tx, memberIds: readonly string[]): Promise<Wallet[]> => selectFreeWalletsForUpdate(tx, memberIds),
    /** Lots with a remainder in burn order. */
    lotsOf: (reader: Db | Tx, memberId: string): Promise<GrantedLot[]> => selectLots(reader, memberId),
    ...createManyWallets(holds),
    /** By how much a transaction of this key moved a member's wallet, of DCU or points; undefined when there is none. */
    amountUnder: (reader: Db | Tx, idemKey: string): Promise<bigint | undefined> => selectAmountUnder(reader, idemKey),
    membersWithExpiredLots: (at: Date): Promise<string[]> => selectMembersWithExpiredLots(db, at),
  };
}

/** What moves many locked wallets in one statement. */
function createManyWallets(holds: HeldWallets) {
  return {
    /** Charges usage out of the holds of many locked wallets. */
    async chargeUsage(tx: Tx, at: Date, charges: readonly UsageCharge[]): Promise<Map<string, bigint>> {
      if (charges.length === 0) return new Map();
      holds.forget(
        tx,
        charges.map((charge) => charge.memberId),
      );
      return insertUsageCharges(tx, at, charges);
    },
    /** Takes the expired lots of many locked wallets that hold nothing to breakage; how much that was. */
    async expireLots(tx: Tx, at: Date, memberIds: readonly string[]): Promise<bigint> {
      if (memberIds.length === 0) return 0n;
      holds.forget(tx, memberIds);
      return insertExpiries(tx, at, memberIds);
    },
    /** Moves what locked wallets hold. */
    async moveHolds(tx: Tx, deltas: ReadonlyMap<string, bigint>): Promise<void> {
      if (deltas.size === 0) return;
      holds.forget(tx, deltas.keys());
      await updateHolds(tx, deltas);
    },
  };
}

function found<T extends Wallet>(wallet: T | undefined, memberId: string): T {
  if (!wallet) throw new Error(`member ${memberId} has no DCU wallet`);
  return wallet;
}
