import type { Db, Tx } from '../../db/client';
import type { LockedWallet, WalletAsset } from './wallet.repository';

/** The wallets a transaction holds locked, as they stand by now, so that none is locked and read twice. */
export interface HeldWallets {
  find(reader: Db | Tx, memberId: string, asset: WalletAsset): LockedWallet | undefined;
  keep(tx: Tx, asset: WalletAsset, wallet: LockedWallet): LockedWallet;
  /** Somebody wrote to them without saying what they are now: the next to lock them reads them again. */
  forget(tx: Tx, memberIds: Iterable<string>): void;
}

/** Goes away with its transaction: one that is run again begins with nothing. */
export function createHeldWallets(): HeldWallets {
  const held = new WeakMap<Db | Tx, Map<string, LockedWallet>>();
  return {
    find: (reader, memberId, asset) => held.get(reader)?.get(memberId + asset),
    keep(tx, asset, wallet) {
      const wallets = held.get(tx) ?? new Map<string, LockedWallet>();
      held.set(tx, wallets.set(wallet.memberId + asset, wallet));
      return wallet;
    },
    forget(tx, memberIds) {
      for (const memberId of memberIds) held.get(tx)?.delete(`${memberId}DCU`);
    },
  };
}
