import { addBillingDays, billingDayOf, startOfBillingMonth } from '../../billingCalendar';
import type { PointsCalls, PointsChangeKind } from '../../contract/points';
import { type Db, readNow, type Tx } from '../../db/client';
import type { Language } from '../../locales/messages';
import {
  countRewards,
  type PointsRow,
  pagePointRows,
  selectCheckInDays,
  selectEarnedByDoing,
  selectLastCheckIn,
  selectTasksDone,
} from './points.repository';
import { checkInPoints, rewardsLeft, streakAt } from './points.rules';
import type { PointsDeps } from './points.service';

type Answer<K extends keyof PointsCalls> = PointsCalls[K]['data'];
type CheckIn = Answer<'GET /gateway/points/overview'>['checkIn'];

export type PointsViewService = ReturnType<typeof createPointsViewService>;

/** What the points centre shows of a member. */
export function createPointsViewService(deps: PointsDeps) {
  return {
    checkInOf: (reader: Db | Tx, memberId: string, at: Date) => checkInOf(deps, reader, memberId, at),
    overview: (memberId: string, language: Language) => overview(deps, memberId, language),
    tasks: (memberId: string, language: Language) => tasks(deps, memberId, language),
    page: (memberId: string, ask: Paging, language: Language) => page(deps, memberId, ask, language),
  };
}

async function checkInOf({ catalogue: { sale } }: PointsDeps, reader: Db | Tx, memberId: string, at: Date): Promise<CheckIn> {
  const today = billingDayOf(at);
  const last = await selectLastCheckIn(reader, memberId);
  const streakDays = streakAt(last, today, addBillingDays(today, -1));
  const isDoneToday = last?.day === today;
  return {
    isDoneToday,
    today,
    streakDays,
    days: await selectCheckInDays(reader, memberId, billingDayOf(startOfBillingMonth(at))),
    nextPoints: Number(checkInPoints(sale.points, streakDays + 1)),
  };
}

async function overview(deps: PointsDeps, memberId: string, language: Language): Promise<Answer<'GET /gateway/points/overview'>> {
  const { db, ledger } = deps;
  const { sale } = deps.catalogue;
  const at = await readNow(db);
  const [wallet, checkIn, earned, taken] = await Promise.all([
    ledger.readPoints(db, memberId),
    checkInOf(deps, db, memberId, at),
    selectEarnedByDoing(db, memberId, startOfBillingMonth(at)),
    countRewards(db, memberId),
  ]);
  return {
    points: Number(wallet.posted),
    heldPoints: Number(wallet.held),
    fenPerPoint: sale.points.fenPerPoint,
    mostPercent: sale.points.mostPercent,
    checkIn,
    earnedThisMonth: Number(earned),
    monthlyBudget: sale.points.monthlyBudget,
    rewards: sale.rewards
      .filter((reward) => !reward.isRetired)
      .map((reward) => ({
        rewardId: reward.rewardId,
        title: reward.title[language],
        description: reward.description[language],
        points: reward.points,
        gives: reward.giving.gives,
        left: rewardsLeft(reward, taken.get(reward.rewardId) ?? 0),
      })),
  };
}

async function tasks(
  { db, catalogue }: PointsDeps,
  memberId: string,
  language: Language,
): Promise<Answer<'GET /gateway/points/tasks'>> {
  const done = await selectTasksDone(db, memberId);
  const list = catalogue.sale.points.tasks.map(({ taskId, title, description, points: worth, path }) => {
    const doneAt = done.get(taskId);
    const words = { taskId, title: title[language], description: description[language], points: worth, path };
    return { ...words, isDone: doneAt !== undefined, doneAt: doneAt?.toISOString() ?? null };
  });
  return { list };
}

interface Paging {
  current: number;
  pageSize: number;
  kind: PointsChangeKind | null;
}

/** Every change of the member's points, newest first. */
async function page(
  { db, catalogue }: PointsDeps,
  memberId: string,
  { current, pageSize, kind }: Paging,
  language: Language,
): Promise<Answer<'GET /gateway/points/page'>> {
  const offset = (current - 1) * pageSize;
  const { rows, total } = await pagePointRows(db, { memberId, kind, offset, size: pageSize });
  const list = rows.map((row) => ({
    changeId: String(row.txId),
    at: row.at.toISOString(),
    kind: row.kind,
    points: Number(row.amount),
    balanceAfter: Number(row.balanceAfter),
    subject: subjectOf(catalogue, row, language),
    orderId: row.orderId,
  }));
  return { list, total };
}

/** What a change was for: the order, the task, the reward or the day, else what the books say. */
function subjectOf(
  catalogue: PointsDeps['catalogue'],
  { orderTitle, refType, refId, note }: PointsRow,
  language: Language,
): string {
  const words = {
    order: () => orderTitle?.[language],
    task: () => catalogue.sale.points.tasks.find(({ taskId }) => taskId === refId)?.title[language],
    reward: () => catalogue.findReward(refId)?.title[language],
    checkIn: () => refId,
  };
  return (refType in words ? words[refType as keyof typeof words]() : undefined) ?? note;
}
