import { addBillingDays, billingDayOf } from '../../billingCalendar';
import type { PointsCalls } from '../../contract/points';
import { inTransaction, readNow, type Tx } from '../../db/client';
import { findAnswer, type IdempotentRequest, runOnce } from '../../db/idempotency';
import { dcuFromMicro } from '../../dcu';
import type { Language } from '../../locales/messages';
import { Refusal } from '../../refusal';
import type { GivingService } from '../coupon/giving.service';
import { countRewards, insertCheckIn, selectLastCheckIn, selectTasksDone } from './points.repository';
import { checkInPoints, rewardsLeft, streakAt } from './points.rules';
import type { PointsDeps, PointsService } from './points.service';
import type { PointsViewService } from './pointsView.service';

type Redeemed = PointsCalls['POST /gateway/points/redeem']['data'];

export interface Redeeming {
  memberId: string;
  rewardId: string;
  expectedPoints: number;
  language: Language;
  idempotency: IdempotentRequest | null;
}

interface ActionDeps extends PointsDeps {
  points: PointsService;
  pointsViews: PointsViewService;
  giving: Pick<GivingService, 'give'>;
}

export type PointsActionService = ReturnType<typeof createPointsActionService>;

/** What a member does in the points centre. */
export function createPointsActionService(deps: ActionDeps) {
  const { db, catalogue, ledger, points } = deps;
  const { sale } = catalogue;

  /** Today's check-in, once a day of the billing time zone. Refuses with `ALREADY_CHECKED_IN`. */
  function checkIn(memberId: string): Promise<PointsCalls['POST /gateway/points/checkIn']['data']> {
    return inTransaction(db, async (tx) => {
      await ledger.lockWallet(tx, memberId);
      const at = await readNow(tx);
      const day = billingDayOf(at);
      const streak = streakAt(await selectLastCheckIn(tx, memberId), day, addBillingDays(day, -1)) + 1;
      const due = checkInPoints(sale.points, streak);
      const key = { idemKey: `checkIn:${memberId}:${day}`, refType: 'checkIn', refId: day };
      if (!(await insertCheckIn(tx, { memberId, day, streak, points: due }))) throw new Refusal('ALREADY_CHECKED_IN');
      const paid = await points.payForDoing(tx, { memberId, kind: 'checkIn', points: due, ...key });
      const { posted } = await ledger.readPoints(tx, memberId);
      return { points: Number(paid), balance: Number(posted), checkIn: await deps.pointsViews.checkInOf(tx, memberId, at) };
    });
  }

  /**
   * Takes a reward for points. Refuses with `REWARD_UNAVAILABLE`, `PRICE_CHANGED` when it costs something else than its member saw, and
   * `POINTS_TOO_FEW`.
   */
  async function redeem(ask: Redeeming): Promise<Redeemed> {
    const before = await findAnswer<Redeemed>(db, ask.memberId, ask.idempotency);
    if (before) return before.answer;
    return inTransaction(db, (tx) => runOnce(tx, ask.memberId, ask.idempotency, () => takeReward(deps, tx, ask)));
  }

  /** A task was done, perhaps not for the first time: pays for it as `completeTask` does. Done before, it costs one look. */
  async function reportDone(memberId: string, taskId: string): Promise<void> {
    if ((await selectTasksDone(db, memberId)).has(taskId)) return;
    await inTransaction(db, (tx) => points.completeTask(tx, memberId, taskId));
  }

  return { checkIn, redeem, reportDone };
}

async function takeReward(
  { ledger, catalogue, giving }: ActionDeps,
  tx: Tx,
  { memberId, rewardId, expectedPoints, language }: Redeeming,
): Promise<Redeemed> {
  await ledger.lockWallet(tx, memberId);
  const reward = catalogue.findReward(rewardId);
  const taken = (await countRewards(tx, memberId)).get(rewardId) ?? 0;
  if (!reward || reward.isRetired || rewardsLeft(reward, taken) === 0) throw new Refusal('REWARD_UNAVAILABLE');
  if (reward.points !== expectedPoints) throw new Refusal('PRICE_CHANGED', { data: { points: reward.points } });
  const wallet = await ledger.lockPoints(tx, memberId);
  const free = wallet.posted - wallet.held;
  if (free < BigInt(reward.points)) {
    const shown = { needed: reward.points, points: Number(free) };
    throw new Refusal('POINTS_TOO_FEW', { params: shown, data: shown });
  }
  // The member's first, second, third …: never twice, whatever races.
  const key = `reward:${rewardId}:${memberId}:${taken + 1}`;
  const cost = { points: -BigInt(reward.points), idemKey: key, refType: 'reward', refId: rewardId };
  await ledger.movePoints(tx, { memberId, kind: 'reward', ...cost });
  const origin = { campaignId: `reward:${rewardId}`, note: 'reward', actor: 'member' };
  const given = await giving.give(tx, memberId, reward.giving, key, reward.title, origin);
  return {
    title: given.title[language],
    balance: Number(wallet.posted - BigInt(reward.points)),
    couponId: given.couponId,
    dcu: given.micro === null ? null : dcuFromMicro(given.micro),
    days: given.days,
  };
}
