import { v7 as uuidv7 } from 'uuid';
import { inTransaction } from '../../db/client';
import { buildTestApp, type TestApp } from '../../testing/buildTestApp';
import type { TestMember } from '../../testing/factories';
import { setTestNow } from '../../testing/testClock';
import { inspectBooks } from '../ledger/invariants';

// 18:00 on the 20th there.
const NOW = new Date('2026-11-20T10:00:00Z');
const DAY_MS = 86_400_000;
const CHECK_IN = 'POST /gateway/points/checkIn';
const REDEEM = 'POST /gateway/points/redeem';
const OVERVIEW = 'GET /gateway/points/overview';
const PAGE = 'GET /gateway/points/page';
const TASKS = 'GET /gateway/points/tasks';

describe('the points centre', () => {
  let test: TestApp;
  let member: TestMember;
  beforeAll(async () => {
    test = await buildTestApp();
  });
  beforeEach(async () => {
    await setTestNow(test.db, NOW);
    member = await test.buildMember();
  });
  afterEach(async () => {
    const results = await inTransaction(test.db, inspectBooks);
    expect(results.flatMap((result) => result.breaches)).toEqual([]);
  });
  afterAll(() => test.close());

  const day = (days: number) => setTestNow(test.db, new Date(NOW.getTime() + days * DAY_MS));
  const checkIn = () => test.as(member).send(CHECK_IN, {});
  const overview = async (who = member) => (await test.as(who).send(OVERVIEW, {})).data;
  const give = (points: bigint, who = member) =>
    inTransaction(test.db, (tx) =>
      test.services.points.adjust(tx, { memberId: who.memberId, points, ref: uuidv7(), reason: 'a test', operator: 'test' }),
    );
  const redeem = (rewardId: string, expectedPoints: number, headers: Record<string, string> = {}) =>
    test.as(member).send(REDEEM, { body: { rewardId, expectedPoints }, headers });

  it.each([CHECK_IN, OVERVIEW, TASKS, PAGE] as const)('%s asks a visitor to sign in', async (call) => {
    expect(await test.as(null).send(call, {})).toFailWith('UNAUTHORIZED');
  });

  it('is empty for a new member', async () => {
    expect(await overview()).toMatchObject({
      points: 0,
      heldPoints: 0,
      earnedThisMonth: 0,
      checkIn: { isDoneToday: false, today: '2026-11-20', streakDays: 0, days: [], nextPoints: 5 },
    });
    expect((await test.as(member).send(PAGE, {})).data).toEqual({ list: [], total: 0 });
  });

  describe('a check-in', () => {
    it('brings points once a day, and every seventh in a row more', async () => {
      const brought: number[] = [];
      for (let n = 0; n < 8; n += 1) {
        await day(n);
        brought.push((await checkIn()).data.points);
      }

      expect(brought).toEqual([5, 5, 5, 5, 5, 5, 20, 5]);
      expect(await overview()).toMatchObject({ points: 55, earnedThisMonth: 55, checkIn: { streakDays: 8, isDoneToday: true } });
    });

    it('begins anew after a missed day, and the calendar holds the days of its own month', async () => {
      await checkIn();
      await day(2);
      expect((await overview()).checkIn).toMatchObject({ streakDays: 0, days: ['2026-11-20'] });
      expect((await checkIn()).data.checkIn).toMatchObject({ streakDays: 1, days: ['2026-11-20', '2026-11-22'] });
      await day(11);
      expect((await overview()).checkIn.days).toEqual([]);
    });

    it('counts the day of the billing time zone', async () => {
      await setTestNow(test.db, new Date('2026-11-20T15:59:59Z'));
      await checkIn();
      await setTestNow(test.db, new Date('2026-11-20T16:00:00Z'));

      expect((await checkIn()).data).toMatchObject({ balance: 10, checkIn: { today: '2026-11-21', streakDays: 2 } });
    });

    it('is made once by twenty at a time', async () => {
      const answers = await Promise.all(Array.from({ length: 20 }, checkIn));

      expect(answers.filter(({ envelope }) => envelope.code === 0)).toHaveLength(1);
      for (const answer of answers.filter(({ envelope }) => envelope.code !== 0)) expect(answer).toFailWith('ALREADY_CHECKED_IN');
      expect((await overview()).points).toBe(5);
    });
  });

  describe('a reward', () => {
    it('is taken for points, and what it gives is the member’s', async () => {
      await give(900n);
      const before = (await test.as(member).send('GET /gateway/account/remainDcu', {})).data.remainDcu;

      expect((await redeem('dcu-5', 500)).data).toMatchObject({ balance: 400, dcu: 5, couponId: null });
      expect((await test.as(member).send('GET /gateway/account/remainDcu', {})).data.remainDcu).toBe(before + 5);
      const { couponId } = (await redeem('coupon-5', 400)).data;
      const { list } = (await test.as(member).send('GET /gateway/membership/coupons', {})).data;
      expect(list.map((coupon) => coupon.couponId)).toEqual([couponId]);
      expect((await overview()).points).toBe(0);
    });

    it('is refused without points enough, for another price, once too often and when there is none', async () => {
      await give(1_000n);

      expect(await redeem('dcu-5', 499)).toFailWith('PRICE_CHANGED');
      expect(await redeem('nothing', 1)).toFailWith('REWARD_UNAVAILABLE');
      expect(await redeem('standard-7', 600)).not.toFailWith('REWARD_UNAVAILABLE');
      await give(600n);
      expect(await redeem('standard-7', 600)).toFailWith('REWARD_UNAVAILABLE');
      await give(-600n);
      const refused = await redeem('dcu-5', 500);
      expect(refused).toFailWith('POINTS_TOO_FEW');
      expect(refused.envelope.data).toMatchObject({ needed: 500, points: 400 });
    });

    it('is taken once for a key, however often it is asked', async () => {
      await give(1_000n);
      const key = { 'idempotency-key': uuidv7() };
      const answers = await Promise.all(Array.from({ length: 10 }, () => redeem('dcu-5', 500, key)));

      expect(new Set(answers.map(({ data }) => JSON.stringify(data))).size).toBe(1);
      expect((await overview()).points).toBe(500);
      expect(await redeem('coupon-5', 400, key)).toFailWith('IDEMPOTENCY_CONFLICT');
    });

    it('is paid for by points that are there: of many at once only so many', async () => {
      await give(1_100n);
      const answers = await Promise.all(Array.from({ length: 12 }, () => redeem('dcu-5', 500)));

      expect(answers.filter(({ envelope }) => envelope.code === 0)).toHaveLength(2);
      expect((await overview()).points).toBe(100);
    });
  });

  it('a task pays once for ever, within the month’s budget', async () => {
    const complete = () => inTransaction(test.db, (tx) => test.services.points.completeTask(tx, member.memberId, 'first-lab'));
    const earlier = (await test.as(member).send(TASKS, {})).data.list.find(({ taskId }) => taskId === 'first-lab');

    expect(await Promise.all(Array.from({ length: 8 }, complete))).toEqual(expect.arrayContaining([50n, 0n]));
    const later = (await test.as(member).send(TASKS, {})).data.list.find(({ taskId }) => taskId === 'first-lab');

    expect([earlier?.isDone, later]).toEqual([
      false,
      expect.objectContaining({ isDone: true, doneAt: NOW.toISOString(), points: 50 }),
    ]);
    expect(await overview()).toMatchObject({ points: 50, earnedThisMonth: 50 });
    await expect(
      inTransaction(test.db, (tx) => test.services.points.completeTask(tx, member.memberId, 'no-such-task')),
    ).rejects.toThrow(RangeError);
  });

  it('the ledger says what each change was for, newest first, and is filtered', async () => {
    await checkIn();
    await give(500n);
    await redeem('dcu-5', 500);
    const page = async (query: Record<string, string | number>) => (await test.as(member).send(PAGE, { query })).data;

    const { list, total } = await page({});
    expect(total).toBe(3);
    expect(list.map(({ kind, points, balanceAfter, subject }) => [kind, points, balanceAfter, subject])).toEqual([
      ['reward', -500, 5, '5 DCU'],
      ['adjust', 500, 505, 'a test'],
      ['checkIn', 5, 5, '2026-11-20'],
    ]);
    expect((await page({ kind: 'checkIn' })).total).toBe(1);
    expect((await page({ current: 2, pageSize: 2 })).list.map(({ kind }) => kind)).toEqual(['checkIn']);
    expect(await page({ current: 9 })).toEqual({ list: [], total: 3 });
    expect((await test.as(await test.buildMember()).send(PAGE, {})).data.total).toBe(0);
  });

  it('an adjustment is made once for its reference and never takes what is not free', async () => {
    await give(100n);
    const adjust = (points: bigint, ref: string) =>
      inTransaction(test.db, (tx) =>
        test.services.points.adjust(tx, { memberId: member.memberId, points, ref, reason: 'a test', operator: 'test' }),
      );
    const ref = uuidv7();

    expect([await adjust(-40n, ref), await adjust(-40n, ref)]).toEqual(['moved', 'already']);
    await expect(adjust(-61n, uuidv7())).rejects.toThrow(RangeError);
    expect((await overview()).points).toBe(60);
  });
});
