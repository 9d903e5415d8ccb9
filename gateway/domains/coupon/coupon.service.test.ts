import { inTransaction, readNow } from '../../db/client';
import { Refusal } from '../../refusal';
import { buildTestApp, type TestApp } from '../../testing/buildTestApp';
import type { TestMember } from '../../testing/factories';
import { setTestNow } from '../../testing/testDatabase';
import { buildCoupon, buildOrder } from './couponWorld';

const NOW = new Date('2026-11-20T10:00:00Z');
const DAY_MS = 86_400_000;

describe('a coupon and orders', () => {
  let test: TestApp;
  let member: TestMember;
  beforeAll(async () => {
    test = await buildTestApp();
  });
  beforeEach(async () => {
    await setTestNow(test.db, NOW);
    member = await test.buildMember();
  });
  afterAll(() => test.close());

  const rowOf = (couponId: string) =>
    test.db.selectFrom('coupon').select(['state', 'orderId', 'usedAt']).where('id', '=', couponId).executeTakeFirstOrThrow();

  /** As placing an order does it: the member's wallet first. */
  const reserve = (couponId: string, orderId: string, { memberId } = member) =>
    inTransaction(test.db, async (tx) => {
      await test.services.ledger.lockWallet(tx, memberId);
      await test.services.coupons.reserve(tx, { couponId, memberId, orderId, at: await readNow(tx) });
    });
  const move = (work: 'use' | 'restore', orderId: string, at = NOW) =>
    inTransaction(test.db, (tx): Promise<unknown> => test.services.coupons[work](tx, orderId, at));
  async function buildOrders(count: number): Promise<string[]> {
    const orderIds = [];
    while (orderIds.length < count) orderIds.push(await buildOrder(test.db, member.memberId));
    return orderIds;
  }
  const release = (orderId: string) => inTransaction(test.db, (tx) => test.services.coupons.release(tx, orderId));

  async function reasonOf(work: Promise<unknown>): Promise<unknown> {
    const refusal = await work.catch((error: unknown) => error);
    if (!(refusal instanceof Refusal)) throw new Error('nothing was refused');
    return refusal.error === 'COUPON_UNUSABLE' ? refusal.options.data?.reason : refusal.error;
  }

  it('is reserved, used and, after a whole refund, given back while it is valid', async () => {
    const [couponId, orderId] = [await buildCoupon(test, member.memberId), await buildOrder(test.db, member.memberId)];

    await reserve(couponId, orderId);
    expect(await rowOf(couponId)).toEqual({ state: 'RESERVED', orderId, usedAt: null });

    await move('use', orderId);
    expect(await rowOf(couponId)).toEqual({ state: 'USED', orderId, usedAt: NOW });

    expect(await move('restore', orderId)).toBe(true);
    expect(await rowOf(couponId)).toEqual({ state: 'AVAILABLE', orderId: null, usedAt: null });
  });

  it('does not come back once it is over', async () => {
    const [couponId, orderId] = [await buildCoupon(test, member.memberId), await buildOrder(test.db, member.memberId)];
    await reserve(couponId, orderId);
    await move('use', orderId);

    expect(await move('restore', orderId, new Date(NOW.getTime() + 30 * DAY_MS))).toBe(false);
    expect((await rowOf(couponId)).state).toBe('USED');
  });

  it('is free again when its order ends unpaid, for the next one', async () => {
    const couponId = await buildCoupon(test, member.memberId);
    const [first, second] = [await buildOrder(test.db, member.memberId), await buildOrder(test.db, member.memberId)];
    await reserve(couponId, first);

    expect(await reasonOf(reserve(couponId, second))).toBe('RESERVED');
    await release(first);
    await reserve(couponId, second);

    expect(await rowOf(couponId)).toMatchObject({ state: 'RESERVED', orderId: second });
  });

  it('is used without regard to its end once it is reserved', async () => {
    const [couponId, orderId] = [await buildCoupon(test, member.memberId, { days: 1 }), await buildOrder(test.db, member.memberId)];
    await reserve(couponId, orderId);

    await move('use', orderId, new Date(NOW.getTime() + 2 * DAY_MS));

    expect((await rowOf(couponId)).state).toBe('USED');
  });

  it('does nothing for orders without one, and nothing twice', async () => {
    const [couponId, orderId] = [await buildCoupon(test, member.memberId), await buildOrder(test.db, member.memberId)];
    await move('use', orderId);
    await release(orderId);
    expect(await move('restore', orderId)).toBe(false);

    await reserve(couponId, orderId);
    await move('use', orderId);
    await release(orderId);
    await move('use', orderId, new Date(NOW.getTime() + 1));

    expect(await rowOf(couponId)).toEqual({ state: 'USED', orderId, usedAt: NOW });
  });

  it('is refused with its reason: over, used, somebody else’s, nobody’s', async () => {
    const { memberId } = member;
    const [couponId, orderId, next] = [
      await buildCoupon(test, memberId, { days: 1 }),
      await buildOrder(test.db, memberId),
      await buildOrder(test.db, memberId),
    ];
    const foreign = await buildCoupon(test, (await test.buildMember()).memberId);

    expect(await reasonOf(reserve(foreign, orderId))).toBe('NOT_FOUND');
    expect(await reasonOf(reserve(orderId, orderId))).toBe('NOT_FOUND');
    await setTestNow(test.db, new Date(NOW.getTime() + DAY_MS));
    expect(await reasonOf(reserve(couponId, orderId))).toBe('EXPIRED');
    await setTestNow(test.db, NOW);
    await reserve(couponId, orderId);
    await move('use', orderId);
    expect(await reasonOf(reserve(couponId, next))).toBe('USED');
  });

  it('is refused in the member’s words', async () => {
    const [couponId, orderId] = [await buildCoupon(test, member.memberId, { days: 1 }), await buildOrder(test.db, member.memberId)];
    await setTestNow(test.db, new Date(NOW.getTime() + DAY_MS));

    await expect(reserve(couponId, orderId)).rejects.toMatchObject({
      options: {
        sentences: { 'en-US': 'This coupon cannot be used here: it has expired.', 'zh-CN': '该优惠券不可用：已过期。' },
      },
    });
  });

  it('goes to exactly one of twenty orders that want it at once', async () => {
    const couponId = await buildCoupon(test, member.memberId);
    const orderIds = await buildOrders(20);

    const outcomes = await Promise.all(orderIds.map((orderId) => reserve(couponId, orderId).then(() => orderId, reasonOfError)));

    expect(outcomes.filter((outcome) => outcome === 'RESERVED')).toHaveLength(19);
    const winner = outcomes.find((outcome) => outcome !== 'RESERVED');
    expect(await rowOf(couponId)).toMatchObject({ state: 'RESERVED', orderId: winner });
  });

  it('goes to exactly one of twenty orders also where nobody holds the wallet', async () => {
    const { memberId } = member;
    const couponId = await buildCoupon(test, memberId);
    const orderIds = await buildOrders(20);

    const outcomes = await Promise.all(
      orderIds.map((orderId) =>
        inTransaction(test.db, (tx) => test.services.coupons.reserve(tx, { couponId, memberId, orderId, at: NOW })).then(
          () => orderId,
          reasonOfError,
        ),
      ),
    );

    expect(outcomes.filter((outcome) => outcome === 'RESERVED')).toHaveLength(19);
  });

  it('is one an order: the database refuses a second', async () => {
    const [first, second, orderId] = [
      await buildCoupon(test, member.memberId),
      await buildCoupon(test, member.memberId),
      await buildOrder(test.db, member.memberId),
    ];
    await reserve(first, orderId);

    await expect(reserve(second, orderId)).rejects.toMatchObject({ constraint: 'coupon_order' });
  });

  it('cannot be reserved for another member’s order, whatever asks for it', async () => {
    const [couponId, foreign] = [
      await buildCoupon(test, member.memberId),
      await buildOrder(test.db, (await test.buildMember()).memberId),
    ];

    await expect(reserve(couponId, foreign)).rejects.toMatchObject({ code: '23503' });
  });

  it.each([
    [
      'begins reserved',
      `insert into coupon (id, member_id, campaign_id, terms, starts_at, ends_at, state, order_id, issue_key)
      select gen_random_uuid(), member_id, campaign_id, terms, starts_at, ends_at, 'RESERVED', $2, 'x' from coupon where id = $1`,
    ],
    ['is used without being reserved', `update coupon set state = 'USED', order_id = $2, used_at = app_now() where id = $1`],
  ])('is refused by the database where it %s', async (_what, statement) => {
    const values = [await buildCoupon(test, member.memberId), await buildOrder(test.db, member.memberId)];

    await expect(test.pool.query(statement, values)).rejects.toMatchObject({ code: '23514' });
  });

  it('is offered to a quote while it is not used and not long over', async () => {
    const { memberId } = member;
    const [long, short, used] = [
      await buildCoupon(test, memberId),
      await buildCoupon(test, memberId, { days: 1 }),
      await buildCoupon(test, memberId),
    ];
    const orderId = await buildOrder(test.db, memberId);
    await reserve(used, orderId);
    await move('use', orderId);
    const idsAt = async (days: number) => {
      const at = new Date(NOW.getTime() + days * DAY_MS);
      return (await test.services.coupons.heldBy(test.db, memberId, at)).map(({ couponId }) => couponId);
    };

    expect(await idsAt(0)).toEqual([short, long]);
    expect(await idsAt(14)).toEqual([short, long]);
    expect(await idsAt(15)).toEqual([long]);
  });

  it('is issued once for its key, and never to two', async () => {
    const other = await test.buildMember();
    const issue = (memberId: string) =>
      inTransaction(test.db, (tx) =>
        test.services.coupons.issue(tx, {
          ...{ memberId, campaignId: 'care', couponDays: 30, issueKey: 'test:key', at: NOW },
          coupon: { ...firstCoupon(test), minimumFen: 0 },
        }),
      );

    const ids = await Promise.all(Array.from({ length: 10 }, () => issue(member.memberId)));

    expect(new Set(ids).size).toBe(1);
    await expect(issue(other.memberId)).rejects.toThrow('was issued to another member');
  });
});

function reasonOfError(error: unknown): unknown {
  return error instanceof Refusal ? error.options.data?.reason : error;
}

function firstCoupon({ services }: TestApp) {
  const giving = services.catalogue.findCampaign('care')?.giving;
  if (giving?.gives !== 'coupon') throw new Error('the campaign gives no coupon');
  return giving.coupon;
}
