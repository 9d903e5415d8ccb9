import { Type } from '@sinclair/typebox';
import { type CallTypes, Dcu, defineCalls, Fields, Id, Instant, Nullable, OneOf, PageOf, Paging } from './contract';
import { CatalogueId, Points } from './money';

/** Why points changed. earn: for money paid; task and checkIn: by doing; spend: on an order; return: of one given back; withdraw: what that one had earned. */
export const pointsChangeKinds = ['earn', 'task', 'checkIn', 'spend', 'reward', 'return', 'withdraw', 'adjust'] as const;
export type PointsChangeKind = (typeof pointsChangeKinds)[number];

/** A calendar day of the billing time zone. */
export const Day = Type.String({ pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$' });

const CheckIn = Fields({
  isDoneToday: Type.Boolean(),
  today: Day,
  /** Days in a row up to today (or yesterday, while today is still open). */
  streakDays: Type.Integer({ minimum: 0 }),
  /** Days of the present month on which the member checked in. */
  days: Type.Array(Day),
  /** What the next check-in brings. */
  nextPoints: Points,
});

const Reward = Fields({
  rewardId: CatalogueId,
  title: Type.String(),
  description: Type.String(),
  points: Points,
  gives: OneOf(['coupon', 'dcu', 'membership'] as const),
  /** How often the member may still take it; null: as often as one likes. */
  left: Nullable(Type.Integer({ minimum: 0 })),
});

export const pointsCalls = defineCalls({
  'GET /gateway/points/overview': {
    summary: 'Points held and free, the check-in calendar, what was earned by doing this month of its budget, and the rewards.',
    access: 'member',
    data: Fields({
      points: Points,
      /** Set aside for orders not yet paid. */
      heldPoints: Points,
      fenPerPoint: Type.Integer({ minimum: 1 }),
      /** Of an order’s price, at most so many of a hundred can be paid with points. */
      mostPercent: Type.Integer(),
      checkIn: CheckIn,
      earnedThisMonth: Points,
      monthlyBudget: Points,
      rewards: Type.Array(Reward),
    }),
    errors: [],
  },
  'GET /gateway/points/tasks': {
    summary: 'Ways to earn points, and whether each is done.',
    access: 'member',
    data: Fields({
      list: Type.Array(
        Fields({
          taskId: CatalogueId,
          title: Type.String(),
          description: Type.String(),
          points: Points,
          isDone: Type.Boolean(),
          doneAt: Nullable(Instant),
          /** Where it is done: a path of the console; empty where there is nothing to press. */
          path: Type.String(),
        }),
      ),
    }),
    errors: [],
  },
  'GET /gateway/points/page': {
    summary: 'Every change of the member’s points, newest first.',
    access: 'member',
    query: Fields({ ...Paging, kind: Type.Optional(OneOf(pointsChangeKinds)) }),
    data: PageOf(
      Fields({
        changeId: Type.String(),
        at: Instant,
        kind: OneOf(pointsChangeKinds),
        points: Type.Integer(),
        balanceAfter: Points,
        /** What it was for, in words. */
        subject: Type.String(),
        orderId: Nullable(Id),
      }),
    ),
    errors: [],
  },
  'POST /gateway/points/checkIn': {
    summary: 'Today’s check-in, once a day of the billing time zone.',
    access: 'member',
    data: Fields({ points: Points, balance: Points, checkIn: CheckIn }),
    errors: ['ALREADY_CHECKED_IN'],
    audited: 'self',
  },
  'POST /gateway/points/redeem': {
    summary: 'Takes a reward for points.',
    access: 'member',
    body: Fields({ rewardId: CatalogueId, expectedPoints: Points }),
    data: Fields({
      title: Type.String(),
      balance: Points,
      couponId: Nullable(Id),
      dcu: Nullable(Dcu),
      days: Nullable(Type.Integer()),
    }),
    errors: ['POINTS_TOO_FEW', 'REWARD_UNAVAILABLE', 'PRICE_CHANGED'],
    idempotent: true,
    audited: 'self',
  },
});

export type PointsCalls = CallTypes<typeof pointsCalls>;
