import { loadCatalogue } from '../../catalog/catalogue';
import { images } from '../../catalog/images';
import { sale } from '../../catalog/sale';
import type { CampaignEntry } from '../../catalog/saleEntries';
import { specs } from '../../catalog/specs';
import { createDb, createPool } from '../../db/client';
import { Refusal } from '../../refusal';
import { buildTestApp, type TestApp } from '../../testing/buildTestApp';
import type { TestMember } from '../../testing/factories';
import { setTestNow } from '../../testing/testDatabase';
import { createSaleServices } from './saleServices';

const NOW = new Date('2026-11-20T10:00:00Z');
const REDEEM = 'POST /gateway/membership/redeemCoupon';
const COUPONS = 'GET /gateway/membership/coupons';

describe('redeeming a code', () => {
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

  const redeem = (code: string, who: TestMember | null = member, headers: Record<string, string> = {}) =>
    test.as(who).send(REDEEM, { body: { code }, headers });
  const redeemed = async (campaignId: string): Promise<number> =>
    (await test.db.selectFrom('campaignTotal').select('redeemed').where('campaignId', '=', campaignId).executeTakeFirstOrThrow())
      .redeemed;

  it('asks a visitor to sign in', async () => {
    expect(await redeem('WELCOME2026', null)).toFailWith('UNAUTHORIZED');
  });

  it('gives a coupon of thirty days, however the code is typed', async () => {
    const { data } = await redeem(' welcome2026 ');

    const { list, counts } = (await test.as(member).send(COUPONS)).data;
    expect(data).toEqual({ gives: 'coupon', title: '¥10 off from ¥50', couponId: list[0]?.couponId, dcu: null, days: null });
    expect(counts).toEqual({ usable: 1, used: 0, expired: 0 });
    expect(list[0]).toMatchObject({ kind: 'AMOUNT', amountFen: 1_000, minimumFen: 5_000, startsAt: NOW.toISOString() });
    expect(list[0]?.endsAt).toBe('2026-12-20T10:00:00.000Z');
  });

  it('gives a level for a week', async () => {
    const { data } = await redeem('GIFT7');

    expect(data).toEqual({ gives: 'membership', title: 'A week of Pro', couponId: null, dcu: null, days: 7 });
    expect((await test.as(member).send('GET /gateway/user/getUserBySession')).data).toMatchObject({
      levelFlag: 2,
      memberExpirationDate: '2026-11-27T10:00:00.000Z',
    });
  });

  it('says it in the member’s language', async () => {
    expect((await redeem('LEARN20', member, { 'accept-language': 'zh-CN' })).data.title).toBe('套餐八折，最多减 ¥100');
  });

  it('refuses the second time, and gives nothing more', async () => {
    const before = await redeemed('lab-dcu');
    await redeem('LABDCU');

    expect(await redeem('labdcu')).toFailWith('COUPON_CODE_REDEEMED');
    expect((await test.as(member).send(COUPONS)).data.total).toBe(1);
    expect(await redeemed('lab-dcu')).toBe(before + 1);
  });

  it('answers the same for the same key, which costs no try', async () => {
    const answers = [];
    for (let time = 0; time < 25; time += 1) answers.push(await redeem('LABDCU', member, { 'idempotency-key': 'once-only' }));

    expect(new Set(answers.map(({ envelope }) => JSON.stringify(envelope.data))).size).toBe(1);
    expect(await redeem('WELCOME2026', member, { 'idempotency-key': 'once-only' })).toFailWith('IDEMPOTENCY_CONFLICT');
  });

  it.each(['NOSUCHCODE', 'care', 'CARE', 'WELCOME 2026', 'welcome-2026'])('knows no code %s', async (code) => {
    expect(await redeem(code)).toFailWith('COUPON_CODE_UNKNOWN');
  });

  it('refuses a code before its first instant and from its last on', async () => {
    for (const [at, isValid] of [
      ['2025-12-31T15:59:59.999Z', false],
      ['2025-12-31T16:00:00.000Z', true],
      ['2027-12-31T15:59:59.999Z', true],
      ['2027-12-31T16:00:00.000Z', false],
    ] as const) {
      await setTestNow(test.db, new Date(at));
      const reply = await redeem('WELCOME2026', await test.buildMember());
      if (isValid) expect(reply.data.gives).toBe('coupon');
      else expect(reply).toFailWith('COUPON_CODE_UNKNOWN');
    }
  });

  it('lets one member try twenty codes an hour, and no more at once', async () => {
    const replies = await Promise.all(Array.from({ length: 30 }, (_, index) => redeem(`GUESS${index}`)));

    const refused = replies.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(10);
    expect(refused[0]).toFailWith('TOO_MANY_REQUESTS');
    expect(Number(refused[0]?.headers['retry-after'])).toBeGreaterThan(3_000);
    expect(await redeem('WELCOME2026')).toFailWith('TOO_MANY_REQUESTS');
    expect((await redeem('WELCOME2026', await test.buildMember())).data.gives).toBe('coupon');
  });

  it('slows the guesses of one address down, whoever guesses, and counts no right ones', async () => {
    const { redeemCode } = test.services;
    const members = await Promise.all(Array.from({ length: 70 }, () => test.buildMember()));
    const tryCode = (code: string, { memberId }: TestMember, ip: string) =>
      redeemCode({ memberId, code, ip, language: 'en-US', idempotency: null }).then(() => 'given', errorOf);

    for (const one of members) expect(await tryCode('WELCOME2026', one, '203.0.113.7')).toBe('given');
    const guesses = [];
    for (const one of members.slice(0, 61)) guesses.push(await tryCode('NOSUCHCODE', one, '203.0.113.7'));

    expect(guesses.filter((error) => error === 'COUPON_CODE_UNKNOWN')).toHaveLength(60);
    expect(guesses.at(-1)).toBe('TOO_MANY_REQUESTS');
    expect(await tryCode('LABDCU', member, '203.0.113.7')).toBe('TOO_MANY_REQUESTS');
    expect(await tryCode('LABDCU', member, '203.0.113.8')).toBe('given');
  });

  it('leaves a row in the audit, with the member and without the code', async () => {
    await redeem('WELCOME2026');
    const { rows } = await test.pool.query(`select * from audit_entry where actor = $1 and action = $2`, [member.memberId, REDEEM]);
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({ subject: member.memberId, result: 'OK' });
    expect(JSON.stringify(rows)).not.toContain('WELCOME');
  });
});

describe('a code that may be redeemed ten times', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await buildTestApp();
    await setTestNow(test.db, NOW);
  });
  afterAll(() => test.close());

  /** The code on connections of their own, as another gateway beside this one has them. */
  function redeemerOf(campaign: Partial<CampaignEntry>, { db, pool }: Pick<TestApp, 'db' | 'pool'> = test) {
    const base = sale.campaigns[0] as CampaignEntry;
    const campaigns = [{ ...base, ...campaign }];
    const catalogue = loadCatalogue({ specs, images, sale: { ...sale, campaigns } });
    const { ledger, users, membership } = test.services;
    const { redeemCode } = createSaleServices({ db, pool, catalogue, ledger, users, giftMembership: membership.gift });
    return (memberId: string) =>
      redeemCode({ memberId, code: String(campaign.code), ip: null, language: 'en-US', idempotency: null }).then(
        () => 'given',
        errorOf,
      );
  }
  const couponsOf = async (campaignId: string) =>
    (await test.db.selectFrom('coupon').select('memberId').where('campaignId', '=', campaignId).execute()).length;
  const totalOf = (campaignId: string) =>
    test.db.selectFrom('campaignTotal').select(['redeemed', 'most']).where('campaignId', '=', campaignId).executeTakeFirst();

  it('is given to exactly ten of fifty who want it at once through two gateways', async () => {
    const campaign = { campaignId: 'ten', code: 'TENONLY', most: 10 };
    const pool = createPool(test.url);
    const redeemers = [redeemerOf(campaign), redeemerOf(campaign, { db: createDb(pool), pool })];
    const members = await Promise.all(Array.from({ length: 50 }, () => test.buildMember()));

    const outcomes = await Promise.all(members.map(({ memberId }, index) => redeemers[index % 2]?.(memberId)));
    await pool.end();

    expect(outcomes.filter((outcome) => outcome === 'given')).toHaveLength(10);
    expect(outcomes.filter((outcome) => outcome === 'COUPON_CODE_USED_UP')).toHaveLength(40);
    expect(await couponsOf('ten')).toBe(10);
    expect(await totalOf('ten')).toEqual({ redeemed: 10, most: 10 });
  });

  it('is given once to a member who asks twenty times at once', async () => {
    const redeem = redeemerOf({ campaignId: 'often', code: 'OFTEN', most: 10 });
    const { memberId } = await test.buildMember();

    const outcomes = await Promise.all(Array.from({ length: 20 }, () => redeem(memberId)));

    expect(outcomes.filter((outcome) => outcome === 'given')).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === 'COUPON_CODE_REDEEMED')).toHaveLength(19);
    expect(await totalOf('often')).toEqual({ redeemed: 1, most: 10 });
  });

  it('gives DCU into the books, once, with its expiry', async () => {
    const giving = { gives: 'dcu', dcu: '2.5', validDays: 90 } as const;
    const redeem = redeemerOf({ campaignId: 'power', code: 'POWER', giving });
    const { memberId } = await test.buildMember({ remainDcuMicro: 0n });

    await Promise.all([redeem(memberId), redeem(memberId)]);

    const lots = await test.services.ledger.lotsOf(test.db, memberId);
    expect(lots).toMatchObject([{ remaining: 2_500_000n, source: 'gift', expiresAtMs: NOW.getTime() + 90 * 86_400_000 }]);
  });

  it('can be given to more once the catalogue says so, and to none where it now says less', async () => {
    const [first, second, third] = [await test.buildMember(), await test.buildMember(), await test.buildMember()];
    const campaign = { campaignId: 'grows', code: 'GROWS', most: 1 };
    expect(await redeemerOf(campaign)(first.memberId)).toBe('given');
    expect(await redeemerOf(campaign)(second.memberId)).toBe('COUPON_CODE_USED_UP');

    expect(await redeemerOf({ ...campaign, most: 2 })(second.memberId)).toBe('given');

    expect(await redeemerOf({ ...campaign, most: 1 })(third.memberId)).toBe('COUPON_CODE_USED_UP');
    expect(await totalOf('grows')).toEqual({ redeemed: 2, most: 2 });
  });

  it('can be tried again by whom it was used up for: nothing of the try stays', async () => {
    const [first, second] = [await test.buildMember(), await test.buildMember()];
    const campaign = { campaignId: 'later', code: 'LATER', most: 1 };
    await redeemerOf(campaign)(first.memberId);
    await redeemerOf(campaign)(second.memberId);

    const { rows } = await test.pool.query(`select member_id::text from campaign_redemption where campaign_id = 'later'`);
    expect(rows).toEqual([{ member_id: first.memberId }]);
    expect(await couponsOf('later')).toBe(1);
  });
});

function errorOf(error: unknown): string {
  if (error instanceof Refusal) return error.error;
  throw error;
}
