import type { CouponTermsEntry } from '../../catalog/saleEntries';
import type { CouponCalls, CouponReason } from '../../contract/coupon';
import type { Db, Tx } from '../../db/client';
import { couponReasonWords } from '../../locales/couponWords';
import { type Language, messageOf } from '../../locales/messages';
import { Refusal } from '../../refusal';
import { type PresentedCoupon, type ProductNames, presentCoupon } from './coupon.presenter';
import {
  type CouponTab,
  insertCoupon,
  pageCoupons,
  selectCoupon,
  selectCouponForUpdate,
  selectHeld,
  selectIssued,
  selectOfOrderForUpdate,
  updateCoupon,
} from './coupon.repository';
import { type HeldCoupon, judgeValidity, storedTerms } from './coupon.rules';

type CouponPage = CouponCalls['GET /gateway/membership/coupons']['data'];

const DAY_MS = 86_400_000;
/** A quote still names coupons that ended lately, with the reason. */
const NAMED_AFTER_END_MS = 14 * DAY_MS;
/** A quote names at most so many, the soonest ending. */
const HELD_MOST = 100;

export interface Issue {
  memberId: string;
  /** The campaign, or what else it came from: `reward:<id>`. */
  campaignId: string;
  coupon: CouponTermsEntry;
  couponDays: number;
  /** Never used twice: the same key gives the same coupon. */
  issueKey: string;
  at: Date;
}

export type CouponService = ReturnType<typeof createCouponService>;

/**
 * Coupons of members. Whoever changes one holds the member's wallet lock; the row's own lock comes after those of order and lots. Refuses
 * with `COUPON_UNUSABLE` (data.reason says why) and, for one that is not the member's, `NOT_FOUND`.
 */
export function createCouponService({ db, catalogue }: { db: Db; catalogue: ProductNames }) {
  return {
    /** What an order may choose from: coupons not used and not long over, soonest ending first. */
    heldBy: (reader: Db | Tx, memberId: string, at: Date): Promise<HeldCoupon[]> =>
      selectHeld(reader, memberId, new Date(at.getTime() - NAMED_AFTER_END_MS), HELD_MOST),

    /** One coupon of the member's. Refuses with `NOT_FOUND`. */
    async get(reader: Db | Tx, memberId: string, couponId: string): Promise<HeldCoupon> {
      return found(await selectCoupon(reader, memberId, couponId));
    },

    /** Sets the coupon aside for an order whose quote it fitted. Refuses with `COUPON_UNUSABLE` and `NOT_FOUND`. */
    async reserve(tx: Tx, { couponId, memberId, orderId, at }: { couponId: string; memberId: string; orderId: string; at: Date }) {
      const coupon = found(await selectCouponForUpdate(tx, memberId, couponId));
      const reason = judgeValidity(coupon, at);
      if (reason !== null) throw couponUnusable(reason);
      await updateCoupon(tx, couponId, { state: 'RESERVED', orderId, usedAt: null });
    },

    /** The order was paid: its coupon is used up. Does nothing for an order without one. */
    async use(tx: Tx, orderId: string, at: Date): Promise<void> {
      const coupon = await selectOfOrderForUpdate(tx, orderId);
      if (coupon?.state === 'RESERVED') await updateCoupon(tx, coupon.couponId, { state: 'USED', orderId, usedAt: at });
    },

    /** The order will not be paid: its coupon is free again. Does nothing for an order without one. */
    async release(tx: Tx, orderId: string): Promise<void> {
      const coupon = await selectOfOrderForUpdate(tx, orderId);
      if (coupon?.state === 'RESERVED') await updateCoupon(tx, coupon.couponId, FREE);
    },

    /** The whole order was refunded: its coupon comes back while it is valid; whether it did. */
    async restore(tx: Tx, orderId: string, at: Date): Promise<boolean> {
      const coupon = await selectOfOrderForUpdate(tx, orderId);
      if (coupon?.state !== 'USED' || coupon.endsAt <= at) return false;
      await updateCoupon(tx, coupon.couponId, FREE);
      return true;
    },

    /** Gives a coupon once for its key; its id is the first one's however often it is asked for. */
    issue(tx: Tx, { coupon, couponDays, at, ...issue }: Issue): Promise<string> {
      const endsAt = new Date(at.getTime() + couponDays * DAY_MS);
      return insertCoupon(tx, { ...issue, terms: storedTerms(coupon), startsAt: at, endsAt });
    },

    /** What was issued under a key. */
    findIssued: (reader: Db | Tx, issueKey: string): Promise<HeldCoupon | undefined> => selectIssued(reader, issueKey),

    /** The member's coupons of one tab, and how many each tab has. */
    async page(
      memberId: string,
      { current, pageSize, status }: { current: number; pageSize: number; status: CouponTab },
      language: Language,
    ): Promise<CouponPage> {
      const asked = { tab: status, offset: (current - 1) * pageSize, size: pageSize };
      const { rows, counts } = await pageCoupons(db, memberId, asked);
      return { list: rows.map((row) => presentCoupon(row, language, catalogue)), total: counts[status], counts };
    },

    present: (coupon: HeldCoupon, language: Language): PresentedCoupon => presentCoupon(coupon, language, catalogue),
  };
}

const FREE = { state: 'AVAILABLE', orderId: null, usedAt: null } as const;

function found(coupon: HeldCoupon | undefined): HeldCoupon {
  if (!coupon) throw new Refusal('NOT_FOUND');
  return coupon;
}

/** The refusal of a coupon, with its reason in words and for the page. */
export function couponUnusable(reason: CouponReason): Refusal {
  const sentence = (language: Language) => messageOf('COUPON_UNUSABLE', language, { reason: couponReasonWords[language][reason] });
  return new Refusal('COUPON_UNUSABLE', {
    sentences: { 'en-US': sentence('en-US'), 'zh-CN': sentence('zh-CN') },
    data: { reason },
  });
}
