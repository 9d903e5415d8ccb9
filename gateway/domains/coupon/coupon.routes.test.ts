import { inTransaction, readNow } from '../../db/client';
import { buildTestApp, type TestApp } from '../../testing/buildTestApp';
import type { TestMember } from '../../testing/factories';
import { setTestNow } from '../../testing/testDatabase';
import { buildCoupon, buildOrder } from './couponWorld';

const NOW = new Date('2026-11-20T10:00:00Z');
const DAY_MS = 86_400_000;
const COUPONS = 'GET /gateway/membership/coupons';

describe('a member’s coupons', () => {
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

  const list = async (query: Record<string, string | number> = {}, who = member) =>
    (await test.as(who).send(COUPONS, { query })).data;
  const idsOf = async (query: Record<string, string | number>) => (await list(query)).list.map(({ couponId }) => couponId);
  const waitUntil = (days: number) => setTestNow(test.db, new Date(NOW.getTime() + days * DAY_MS));

  async function reserve(couponId: string): Promise<string> {
    const { memberId } = member;
    const orderId = await buildOrder(test.db, memberId);
    await inTransaction(test.db, async (tx) =>
      test.services.coupons.reserve(tx, { couponId, memberId, orderId, at: await readNow(tx) }),
    );
    return orderId;
  }
  const use = (orderId: string) => inTransaction(test.db, async (tx) => test.services.coupons.use(tx, orderId, await readNow(tx)));

  it('are asked for by a member only', async () => {
    expect(await test.as(null).send(COUPONS)).toFailWith('UNAUTHORIZED');
    expect(await test.as(member).send(COUPONS, { query: { status: 'lost' } })).toFailWith('INVALID_INPUT');
  });

  it('are none to begin with, and never another’s', async () => {
    await buildCoupon(test, (await test.buildMember()).memberId);

    expect(await list()).toEqual({ list: [], total: 0, counts: { usable: 0, used: 0, expired: 0 } });
  });

  it('stand in the tab of what can be done with them, and each tab is counted', async () => {
    const { memberId } = member;
    const [late, soon, reserved, over, used, usedLater] = [
      await buildCoupon(test, memberId, { days: 30 }),
      await buildCoupon(test, memberId, { days: 5 }),
      await buildCoupon(test, memberId, { days: 1 }),
      await buildCoupon(test, memberId, { days: 2 }),
      await buildCoupon(test, memberId),
      await buildCoupon(test, memberId),
    ];
    const orderId = await reserve(reserved);
    await use(await reserve(used));
    await waitUntil(1);
    await use(await reserve(usedLater));
    await waitUntil(2);

    expect(await idsOf({})).toEqual([reserved, soon, late]);
    expect(await idsOf({ status: 'used' })).toEqual([usedLater, used]);
    expect(await idsOf({ status: 'expired' })).toEqual([over]);
    const { counts, total, list: rows } = await list({ status: 'used' });
    expect([counts, total]).toEqual([{ usable: 3, used: 2, expired: 1 }, 2]);
    expect(rows[1]).toMatchObject({ state: 'USED', usedAt: NOW.toISOString() });
    expect((await list()).list[0]).toMatchObject({ state: 'RESERVED', orderId });
  });

  it('are paged, and a page beyond the end still says how many there are', async () => {
    const ids = [];
    for (let days = 1; days <= 12; days += 1) ids.push(await buildCoupon(test, member.memberId, { days }));

    expect(await idsOf({})).toEqual(ids.slice(0, 10));
    expect(await idsOf({ current: 3, pageSize: 5 })).toEqual(ids.slice(10));
    expect(await list({ current: 9 })).toEqual({ list: [], total: 12, counts: { usable: 12, used: 0, expired: 0 } });
  });

  it('say what they are worth and for what, in both languages', async () => {
    await buildCoupon(test, member.memberId, {
      terms: {
        title: { 'en-US': 'More DCU', 'zh-CN': '加赠 DCU' },
        ...{
          kind: 'DCU',
          amountFen: null,
          dcu: '2.5',
          validDays: 90,
          scope: 'ALL',
          productIds: ['dcu-50', 'pro', 'gone'],
          minimumFen: 5_000,
        },
      },
    });

    expect((await list()).list[0]).toEqual({
      couponId: expect.any(String),
      title: 'More DCU',
      ...{ kind: 'DCU', amountFen: null, percent: null, capFen: null, dcu: 2.5 },
      ...{ scope: 'ALL', fits: ['50 DCU', 'Pro', 'gone'], minimumFen: 5_000 },
      ...{ startsAt: NOW.toISOString(), endsAt: '2026-12-20T10:00:00.000Z' },
      ...{ state: 'AVAILABLE', orderId: null, usedAt: null },
    });
    const headers = { 'accept-language': 'zh-CN' };
    const chinese = (await test.as(member).send(COUPONS, { headers })).data.list[0];
    expect([chinese?.title, chinese?.fits]).toEqual(['加赠 DCU', ['50 DCU', '专业版', 'gone']]);
  });
});
