import { startOfBillingMonth } from '../../billingCalendar';
import type { Catalogue } from '../../catalog/catalogue';
import type { Db, Tx } from '../../db/client';
import { readNow } from '../../db/client';
import type { LedgerService } from '../ledger/ledger.service';
import { selectEarnedByDoing } from './points.repository';
import { earnedBy, withinBudget } from './points.rules';

export interface PointsDeps {
  db: Db;
  catalogue: Pick<Catalogue, 'sale' | 'findReward'>;
  ledger: Pick<LedgerService, 'lockWallet' | 'lockPoints' | 'readPoints' | 'movePoints' | 'holdPoints'>;
}

interface PointsOfOrder {
  memberId: string;
  orderId: string;
  points: bigint;
}

export type PointsService = ReturnType<typeof createPointsService>;

/** Points of members: held, spent and earned by orders, earned by doing. The caller of whatever takes a transaction holds the DCU wallet's lock. */
export function createPointsService({ catalogue, ledger }: PointsDeps) {
  const rules = catalogue.sale.points;
  const ofOrder = (orderId: string) => ({ refType: 'order', refId: orderId });

  /** Pays for something done as far as the month's budget goes; what that was. */
  async function payForDoing(
    tx: Tx,
    paid: { memberId: string; kind: 'task' | 'checkIn'; points: bigint; idemKey: string; refType: string; refId: string },
  ): Promise<bigint> {
    const earned = await selectEarnedByDoing(tx, paid.memberId, startOfBillingMonth(await readNow(tx)));
    const points = withinBudget(rules, earned, paid.points);
    if (points === 0n) return 0n;
    return (await ledger.movePoints(tx, { ...paid, points })) === 'moved' ? points : 0n;
  }

  return {
    payForDoing,
    earnedBy: (cashFen: bigint): bigint => earnedBy(rules, cashFen),

    /** Points the member has and how many of them are set aside. Throws when there is no wallet. */
    async balanceOf(reader: Db | Tx, memberId: string): Promise<{ points: bigint; held: bigint }> {
      const { posted, held } = await ledger.readPoints(reader, memberId);
      return { points: posted, held };
    },

    /** Sets points aside for an order. The database refuses more than are free. */
    hold: (tx: Tx, { memberId, points }: PointsOfOrder): Promise<void> => ledger.holdPoints(tx, memberId, points),
    /** The order will not need them. */
    free: (tx: Tx, { memberId, points }: PointsOfOrder): Promise<void> => ledger.holdPoints(tx, memberId, -points),
    /** Spends what `hold` set aside, once an order. */
    async spend(tx: Tx, { memberId, orderId, points }: PointsOfOrder): Promise<void> {
      if (points === 0n) return;
      const spent = { memberId, kind: 'spend' as const, points: -points, isHeld: true, idemKey: `spend:${orderId}` };
      await ledger.movePoints(tx, { ...spent, ...ofOrder(orderId) });
    },

    /** Points the cash of an order earns, once an order; how many. */
    async earnForOrder(
      tx: Tx,
      { memberId, orderId, cashFen }: { memberId: string; orderId: string; cashFen: bigint },
    ): Promise<bigint> {
      const points = earnedBy(rules, cashFen);
      if (points === 0n) return 0n;
      await ledger.movePoints(tx, { memberId, kind: 'earn', points, idemKey: `earn:${orderId}`, ...ofOrder(orderId) });
      return points;
    },

    /** Takes what an order had earned, once a refund. Throws `RangeError` for more than is free: what is missing goes off the cash. */
    async withdrawForRefund(tx: Tx, ask: PointsOfOrder & { refundId: string }): Promise<void> {
      if (ask.points === 0n) return;
      const taken = { memberId: ask.memberId, kind: 'withdraw' as const, points: -ask.points, idemKey: `withdraw:${ask.refundId}` };
      await ledger.movePoints(tx, { ...taken, ...ofOrder(ask.orderId) });
    },

    /** Gives points back: what an order was paid with, or what a refund that was refused had taken. Once for each of the two. */
    async returnForRefund(tx: Tx, ask: PointsOfOrder & { refundId: string; what: 'spent' | 'withdrawn' }): Promise<void> {
      if (ask.points === 0n) return;
      const given = {
        memberId: ask.memberId,
        kind: 'return' as const,
        points: ask.points,
        idemKey: `return:${ask.what}:${ask.refundId}`,
      };
      await ledger.movePoints(tx, { ...given, ...ofOrder(ask.orderId) });
    },

    /**
     * Pays for a task of the catalogue, once a member for ever; how many points that was. Throws `RangeError` for a task that is not in the
     * catalogue.
     */
    async completeTask(tx: Tx, memberId: string, taskId: string): Promise<bigint> {
      const task = rules.tasks.find((one) => one.taskId === taskId);
      if (!task) throw new RangeError(`the catalogue has no task ${taskId}`);
      await ledger.lockWallet(tx, memberId);
      const points = BigInt(task.points);
      const key = { idemKey: `task:${taskId}:${memberId}`, refType: 'task', refId: taskId };
      // Not held against the month's budget: what is done once cannot be done again in a month that has some left.
      return (await ledger.movePoints(tx, { memberId, kind: 'task', points, ...key })) === 'moved' ? points : 0n;
    },

    /** Adds or takes points for a reason an operator gives, once for its reference. Throws `RangeError` for more than is free. */
    async adjust(
      tx: Tx,
      ask: { memberId: string; points: bigint; ref: string; reason: string; operator: string },
    ): Promise<'moved' | 'already'> {
      await ledger.lockWallet(tx, ask.memberId);
      return ledger.movePoints(tx, {
        memberId: ask.memberId,
        kind: 'adjust',
        points: ask.points,
        idemKey: `adjust:points:${ask.ref}`,
        ...{ refType: 'operator', refId: ask.ref, note: ask.reason, actor: ask.operator },
      });
    },
  };
}
