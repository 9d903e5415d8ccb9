import { lesser } from '../../bigints';
import type { Db, Tx } from '../../db/client';
import type { Language } from '../../locales/messages';
import type { Wallet } from '../ledger/ledger.service';
import { availableMicro, type Lot, type LotUse } from '../ledger/lot.rules';
import { broughtAheadMicro } from './grantSchedule.rules';
import { isLive, partsOf } from './layout.rules';
import {
  releaseCredit,
  reserveCredit,
  selectDueMembers,
  selectItemOfOrder,
  selectLiveItems,
  selectLotsOfChain,
  selectPeriods,
} from './membership.repository';
import { type Rights, rightsAt } from './membership.rules';
import {
  adoptable,
  advanceMembers,
  begin,
  type ChangeDeps,
  endForRefund,
  type Gift,
  give,
  type OrderedPackage,
  offeredOf,
  type PackageFulfilment,
  restoreAfterRefund,
} from './membershipChanges.service';
import { type PackagePlan, planOrder } from './packageOrder.rules';
import { isUntouched, refundValueOf } from './packageValue.rules';
import { bringUpToDate } from './timeline.rules';

/** What ending a package now would give back. */
export interface PackageRefund {
  itemId: string;
  /** Before what is left of the order's own cash caps it. */
  cashFen: bigint;
  /** DCU to be taken, and out of which lots: brought for time not lived, unused and not promised to running labs. */
  withdrawnMicro: bigint;
  uses: LotUse[];
  /** Nothing of it was used. */
  isUntouched: boolean;
}

/** Why a package cannot be given back: a waiting order counts on its credit, or it is over or replaced. */
export type NoPackageRefund = 'CREDIT_RESERVED' | 'PACKAGE_OVER';

export interface MembershipDeps extends ChangeDeps {
  db: Db;
  ledger: ChangeDeps['ledger'] & {
    readWallet(reader: Db | Tx, memberId: string): Promise<Pick<Wallet, 'posted' | 'held'>>;
    lotsOf(reader: Db | Tx, memberId: string): Promise<Lot[]>;
  };
}

export type MembershipService = ReturnType<typeof createMembershipService>;

/**
 * What members' packages permit and bring. Whatever changes one takes the member's wallet lock, which costs nothing to a caller that has
 * it, and first does what passing time did.
 */
export function createMembershipService(deps: MembershipDeps) {
  const { db } = deps;
  return {
    /**
     * Package, level, expiry and ceilings of the period in force; level 0 and an empty name without one. Refuses nothing. Limits that must
     * hold are asked for with the transaction that holds the wallet's lock.
     */
    async getRights(memberId: string, reader: Db | Tx = db, language?: Language): Promise<Rights> {
      const periods = await selectPeriods(reader, memberId);
      const named = periods.map((period) => ({
        ...period,
        packageName: (language && period.name?.[language]) ?? period.packageName,
      }));
      return rightsAt(periods[0]?.now ?? new Date(0), named);
    },

    /** What an order placed at an instant would do, its credit counted to one not before the end of its time to pay. Writes nothing. */
    async planOrder(reader: Db | Tx, memberId: string, offer: OrderedPackage, at: Date, countedTo: Date): Promise<PackagePlan> {
      const atMs = at.getTime();
      const { items } = bringUpToDate(await selectLiveItems(reader, [memberId]), atMs);
      const alone = await adoptable(deps, reader, memberId, at);
      const parts = [...partsOf(items, atMs), ...alone.map(({ part }) => part)];
      return planOrder(parts, offeredOf(offer), { atMs, countedToMs: countedTo.getTime() });
    },

    /**
     * Sets the running package's credit aside for a pending order; the caller holds the wallet's lock. Throws where `planOrder` under the
     * same lock did not name it.
     */
    async reserveCredit(tx: Tx, ask: { memberId: string; orderId: string; itemId: string }): Promise<void> {
      // What time began may not be written down yet.
      await advanceMembers(deps, tx, [ask.memberId]);
      if (!(await reserveCredit(tx, ask))) throw new Error(`package ${ask.itemId} cannot be credited to order ${ask.orderId}`);
    },

    /** The order is cancelled or over: the package it counted on can be credited, or refunded, again. */
    releaseCredit: (tx: Tx, orderId: string): Promise<void> => releaseCredit(tx, orderId),

    begin: (tx: Tx, order: PackageFulfilment): Promise<{ itemId: string }> => begin(deps, tx, order),
    gift: (tx: Tx, gift: Gift): Promise<'given' | 'already'> => give(deps, tx, gift),

    /**
     * What ending the order's package at an instant, now or to come, would give back; or why it cannot be given back. For the figures to
     * hold, ask under the wallet's lock after the member was settled.
     */
    async planRefund(reader: Db | Tx, orderId: string, at: Date): Promise<PackageRefund | NoPackageRefund> {
      const item = await selectItemOfOrder(reader, orderId);
      if (!item || !isLive(item)) return 'PACKAGE_OVER';
      if (item.creditOrderId !== null) return 'CREDIT_RESERVED';
      const live = await selectLiveItems(reader, [item.memberId]);
      const { items } = bringUpToDate(live, at.getTime(), item.itemId);
      const part = partsOf(items, at.getTime()).find((one) => one.item.itemId === item.itemId);
      if (!part) return 'PACKAGE_OVER';
      const wallet = await deps.ledger.readWallet(reader, item.memberId);
      const free = availableMicro(wallet, await deps.ledger.lotsOf(reader, item.memberId), at.getTime());
      const ahead = broughtAheadMicro(part);
      const lots = await selectLotsOfChain(reader, orderId, at);
      const uses = takeFrom(lots, lesser(ahead, free));
      const withdrawnMicro = uses.reduce((sum, use) => sum + use.micro, 0n);
      const ownRemainingMicro = lots.reduce((sum, lot) => (lot.isOwn ? sum + lot.remaining : sum), 0n);
      return {
        ...{ itemId: item.itemId, cashFen: refundValueOf(part, withdrawnMicro), withdrawnMicro, uses },
        isUntouched: isUntouched(part, { withdrawnMicro, ownRemainingMicro }),
      };
    },

    endForRefund: (tx: Tx, orderId: string): Promise<void> => endForRefund(deps, tx, orderId),
    restoreAfterRefund: (tx: Tx, orderId: string): Promise<void> => restoreAfterRefund(deps, tx, orderId),

    /** Members of whose packages one ended or has a grant due, by id. */
    membersDue: (at: Date, limit: number): Promise<string[]> => selectDueMembers(db, at, limit),
    advance: (tx: Tx, memberIds: readonly string[]): Promise<number> => advanceMembers(deps, tx, memberIds),
  };
}

function takeFrom(lots: readonly { lotId: bigint; remaining: bigint }[], micro: bigint): LotUse[] {
  const uses: LotUse[] = [];
  let due = micro;
  for (const { lotId, remaining } of lots) {
    if (due <= 0n) break;
    const taken = lesser(remaining, due);
    uses.push({ lotId, micro: taken });
    due -= taken;
  }
  return uses;
}
