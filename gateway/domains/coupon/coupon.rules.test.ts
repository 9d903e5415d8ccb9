import fc from 'fast-check';
import { couponKinds, couponReasons, couponScopes } from '../../contract/coupon';
import type { StoredCouponTerms } from '../../db/schemaCommerce';
import {
  bestCoupon,
  type CouponUse,
  type HeldCoupon,
  judgeCoupon,
  judgeValidity,
  rankCoupons,
  storedTerms,
  worthOf,
} from './coupon.rules';

const START = new Date('2026-11-01T00:00:00Z');
const END = new Date('2026-12-01T00:00:00Z');
const NOW = new Date('2026-11-21T00:00:00Z');

const noTerms: StoredCouponTerms = {
  title: { 'en-US': 'x', 'zh-CN': 'x' },
  ...{ kind: 'AMOUNT', amountFen: null, percent: null, capFen: null, micro: null, validDays: null },
  ...{ scope: 'ALL', productIds: [], minimumFen: 0 },
};
const amount = (amountFen: number, more: Partial<StoredCouponTerms> = {}): StoredCouponTerms => ({
  ...noTerms,
  amountFen,
  ...more,
});
const percent = (share: number, capFen: number): StoredCouponTerms => ({ ...noTerms, kind: 'PERCENT', percent: share, capFen });
const dcu = (micro: string): StoredCouponTerms => ({ ...noTerms, kind: 'DCU', micro });

const coupon = (terms: StoredCouponTerms, more: Partial<HeldCoupon> = {}): HeldCoupon => ({
  ...{ couponId: 'c', memberId: 'm', campaignId: 'x', terms, startsAt: START, endsAt: END },
  ...{ state: 'AVAILABLE', orderId: null, usedAt: null },
  ...more,
});
const use: CouponUse = { at: NOW, kind: 'SKU', productId: 'dcu-50', beforeFen: 5_000n };

describe('a coupon', () => {
  it.each([
    ['that fits', amount(1_000), {}, {}, null],
    ['on its first instant', amount(1_000), {}, { at: START }, null],
    ['before it', amount(1_000), {}, { at: new Date(START.getTime() - 1) }, 'NOT_YET'],
    ['on its last instant', amount(1_000), {}, { at: new Date(END.getTime() - 1) }, null],
    ['at its end', amount(1_000), {}, { at: END }, 'EXPIRED'],
    ['reserved for an order', amount(1_000), { state: 'RESERVED' }, {}, 'RESERVED'],
    ['used, and over by now', amount(1_000), { state: 'USED' }, { at: END }, 'USED'],
    ['for packages on a SKU', amount(1_000, { scope: 'PACKAGE' }), {}, {}, 'OTHER_PRODUCT'],
    ['for DCU on a package', dcu('10000000'), {}, { kind: 'PACKAGE', productId: 'pro' }, 'OTHER_PRODUCT'],
    ['for packages on one', amount(1_000, { scope: 'PACKAGE' }), {}, { kind: 'PACKAGE', productId: 'pro' }, null],
    ['for this SKU', amount(1_000, { productIds: ['dcu-10', 'dcu-50'] }), {}, {}, null],
    ['for another SKU', amount(1_000, { scope: 'SKU', productIds: ['dcu-10'] }), {}, {}, 'OTHER_PRODUCT'],
    ['at its minimum', amount(1_000, { minimumFen: 5_000 }), {}, {}, null],
    ['a fen below it', amount(1_000, { minimumFen: 5_001 }), {}, {}, 'BELOW_MINIMUM'],
    ['with nothing left to pay', amount(1_000, { minimumFen: 1 }), {}, { beforeFen: 0n }, 'NOTHING_LEFT_TO_PAY'],
    ['of DCU with nothing left to pay', dcu('10000000'), {}, { beforeFen: 0n }, 'NOTHING_LEFT_TO_PAY'],
    ['whose share comes to no fen', percent(20, 100), {}, { beforeFen: 4n }, 'BELOW_MINIMUM'],
  ] as const)('%s is judged', (_what, terms, more, change, reason) => {
    expect(judgeCoupon(coupon(terms, more), { ...use, ...change })).toBe(reason);
  });

  it('is judged by its time alone where no order is asked about', () => {
    expect(judgeValidity(coupon(amount(1_000, { scope: 'PACKAGE', minimumFen: 9_999 })), NOW)).toBeNull();
    expect(judgeValidity(coupon(amount(1_000)), END)).toBe('EXPIRED');
  });
});

describe('what a coupon is worth', () => {
  it.each([
    ['an amount', amount(1_000), 5_000n, 1_000n, 0n],
    ['an amount beyond the price', amount(1_000), 999n, 999n, 0n],
    ['a share, floored', percent(20, 10_000), 999n, 199n, 0n],
    ['a share up to its cap', percent(20, 10_000), 99_000n, 10_000n, 0n],
    ['all of it', percent(100, 1_000_000), 77n, 77n, 0n],
    ['DCU more', dcu('10000000'), 5_000n, 0n, 10_000_000n],
  ])('is %s', (_what, terms, beforeFen, discountFen, bonusMicro) => {
    expect(worthOf(terms, beforeFen)).toEqual({ discountFen, bonusMicro });
  });

  it('keeps a campaign’s DCU in the ledger’s unit', () => {
    const entry = { title: noTerms.title, kind: 'DCU', amountFen: null, percent: null, capFen: null } as const;
    const terms = storedTerms({ ...entry, dcu: '2.5', validDays: 90, scope: 'SKU', productIds: [], minimumFen: 5_000 });

    expect(terms).toMatchObject({ micro: '2500000', validDays: 90 });
    expect(JSON.parse(JSON.stringify(terms))).toEqual(terms);
  });
});

describe('the best coupon', () => {
  it('takes most off, then adds most, then ends soonest, then has the first id', () => {
    const soon = { endsAt: new Date(END.getTime() - 1) };
    const all = [
      coupon(dcu('5'), { couponId: 'few dcu' }),
      coupon(dcu('9'), { couponId: 'b dcu' }),
      coupon(dcu('9'), { couponId: 'a dcu' }),
      coupon(dcu('9'), { couponId: 'soon dcu', ...soon }),
      coupon(amount(900), { couponId: 'less' }),
      coupon(percent(20, 10_000), { couponId: 'most' }),
      coupon(amount(9_999), { couponId: 'used', state: 'USED', ...soon }),
      coupon(amount(9_999, { minimumFen: 9_999 }), { couponId: 'small' }),
    ];

    expect(rankCoupons(all, use).map((judged) => judged.coupon.couponId)).toEqual([
      ...['most', 'less', 'soon dcu', 'a dcu', 'b dcu', 'few dcu'],
      ...['used', 'small'],
    ]);
    expect(bestCoupon(all, use)).toMatchObject({ coupon: { couponId: 'most' }, discountFen: 1_000n, reason: null });
    expect(rankCoupons(all, use).at(-1)).toMatchObject({ reason: 'BELOW_MINIMUM', discountFen: 0n, bonusMicro: 0n });
  });

  it('is none where none can be used', () => {
    expect(bestCoupon([coupon(amount(1), { state: 'RESERVED' })], use)).toBeNull();
    expect(bestCoupon([], use)).toBeNull();
  });
});

const fen = fc.integer({ min: 1, max: 10_000_000 });
const anyTerms = fc
  .record({
    kind: fc.constantFrom(...couponKinds),
    scope: fc.constantFrom(...couponScopes),
    fen,
    cap: fen,
    minimum: fen,
    share: fc.integer({ min: 1, max: 100 }),
  })
  .map(
    ({ kind, scope, fen: value, cap, minimum, share }): StoredCouponTerms => ({
      ...noTerms,
      ...{ kind, scope, minimumFen: minimum % 20_000 },
      ...(kind === 'AMOUNT'
        ? { amountFen: value }
        : kind === 'PERCENT'
          ? { percent: share, capFen: cap }
          : { micro: String(value) }),
    }),
  );
const anyCoupon = fc
  .record({ terms: anyTerms, endsInMs: fc.integer({ min: -5, max: 5 }), id: fc.uuid(), isUsed: fc.boolean() })
  .map(({ terms, endsInMs, id, isUsed }) =>
    coupon(terms, { couponId: id, endsAt: new Date(NOW.getTime() + endsInMs), state: isUsed ? 'USED' : 'AVAILABLE' }),
  );
const anyUse = fc.record({
  at: fc.constant(NOW),
  kind: fc.constantFrom('SKU', 'PACKAGE'),
  productId: fc.constant('x'),
  beforeFen: fc.bigInt({ min: 0n, max: 1_000_000n }),
}) as fc.Arbitrary<CouponUse>;

describe('whatever the coupons and the order', () => {
  it('never more is taken off than is left to pay, and never less than nothing', () => {
    fc.assert(
      fc.property(anyTerms, fc.bigInt({ min: 0n, max: 1_000_000n }), (terms, beforeFen) => {
        const { discountFen, bonusMicro } = worthOf(terms, beforeFen);
        expect(discountFen >= 0n && discountFen <= beforeFen && bonusMicro >= 0n).toBe(true);
        if (terms.kind === 'DCU') expect(discountFen).toBe(0n);
        else expect(discountFen <= BigInt(terms.amountFen ?? terms.capFen ?? 0)).toBe(true);
      }),
    );
  });

  it('the best one is usable and no usable one takes off more; an unusable one does nothing', () => {
    fc.assert(
      fc.property(fc.array(anyCoupon, { maxLength: 12 }), anyUse, (coupons, asked) => {
        const ranked = rankCoupons(coupons, asked);
        const best = bestCoupon(coupons, asked);
        const usable = ranked.filter(({ reason }) => reason === null);

        expect(ranked).toHaveLength(coupons.length);
        expect(best).toEqual(usable[0] ?? null);
        for (const { discountFen } of usable) expect(best !== null && discountFen <= best.discountFen).toBe(true);
        for (const judged of ranked) {
          expect(judged.reason).toBe(judgeCoupon(judged.coupon, asked));
          if (judged.reason === null) expect(judged.discountFen > 0n || judged.bonusMicro > 0n).toBe(true);
          else expect([couponReasons.includes(judged.reason), judged.discountFen, judged.bonusMicro]).toEqual([true, 0n, 0n]);
        }
      }),
    );
  });

  it('the order of the list they come in changes nothing', () => {
    const shuffled = fc
      .array(anyCoupon, { maxLength: 8 })
      .chain((coupons) => fc.tuple(fc.constant(coupons), fc.shuffledSubarray(coupons, { minLength: coupons.length })));
    fc.assert(
      fc.property(shuffled, anyUse, ([coupons, mixed], asked) => {
        expect(rankCoupons(mixed, asked)).toEqual(rankCoupons(coupons, asked));
      }),
    );
  });
});
