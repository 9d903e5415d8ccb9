import { sql } from 'kysely';
import { type Db, planKept, type Tx } from '../../db/client';

export type WalletAsset = 'DCU' | 'POINT';

/** A member's wallet as it stands under its lock. Amounts are micro-DCU, or points. */
export interface Wallet {
  memberId: string;
  accountId: bigint;
  posted: bigint;
  held: bigint;
  seq: bigint;
}

/** A wallet under its lock. Nothing that is in it was written after this instant, which was read once it was locked. */
export interface LockedWallet extends Wallet {
  at: Date;
}

const walletColumns = ['memberId', 'accountId', 'posted', 'held', 'seq'] as const;

export function selectWallet(db: Db | Tx, memberId: string, asset: WalletAsset): Promise<Wallet | undefined> {
  return db
    .selectFrom('wallet')
    .select(walletColumns)
    .where('memberId', '=', memberId)
    .where('asset', '=', asset)
    .executeTakeFirst();
}

/** Locks wallets of a member in their order: DCU, then POINT. */
export async function selectWalletsForUpdate(
  tx: Tx,
  memberId: string,
  assets: readonly WalletAsset[],
): Promise<(LockedWallet & { asset: WalletAsset })[]> {
  // Materialised: beside `for update` itself, the time would be read before the lock is had.
  const { rows } = await sql<LockedWallet & { asset: WalletAsset }>`${planKept}
    with held as materialized (
      select member_id, asset, account_id, posted, held, seq from wallet
      where member_id = ${memberId} and asset = any(${assets}::text[]) order by asset for update)
    select *, app_now() as at from held`.execute(tx);
  return rows;
}

export async function selectWalletForUpdate(tx: Tx, memberId: string, asset: WalletAsset): Promise<LockedWallet | undefined> {
  return (await selectWalletsForUpdate(tx, memberId, [asset]))[0];
}

/** Locks those of the wallets that nobody else works on, by ascending member. */
export async function selectFreeWalletsForUpdate(tx: Tx, memberIds: readonly string[]): Promise<Wallet[]> {
  const { rows } = await sql<Wallet>`
    select member_id, account_id, posted, held, seq from wallet
    where member_id = any(${memberIds}::uuid[]) and asset = 'DCU'
    order by member_id for update skip locked`.execute(tx);
  return rows;
}

export async function insertWallet(tx: Tx, memberId: string): Promise<void> {
  await sql`
    with account as (
      insert into ledger_account (owner_kind, owner_id, asset, purpose)
      select 'member', ${memberId}, asset, 'wallet' from unnest(array['DCU','POINT']) asset returning id, asset)
    insert into wallet (member_id, asset, account_id) select ${memberId}::uuid, asset, id from account`.execute(tx);
}
