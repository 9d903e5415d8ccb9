import type { Words } from '../../catalog/entries';
import type { Giving } from '../../catalog/saleEntries';
import { readNow, type Tx } from '../../db/client';
import { microFromDcu } from '../../dcu';
import type { LedgerService } from '../ledger/ledger.service';
import type { CouponService } from './coupon.service';

const DAY_MS = 86_400_000;

export interface GivingDeps {
  coupons: Pick<CouponService, 'issue'>;
  ledger: Pick<LedgerService, 'lockWallet' | 'grantDcu'>;
  /** Adds days of a level, once for its key. */
  giftMembership(tx: Tx, gift: { memberId: string; packageId: string; days: number; giftKey: string }): Promise<unknown>;
}

/** Where a gift comes from. */
export interface GivingOrigin {
  /** Kept with a coupon: the campaign, or `reward:<id>`. */
  campaignId: string;
  /** Stands in the books beside DCU. */
  note: string;
  actor?: string;
}

/** What was given; the fields of other kinds are null. */
export interface Given {
  gives: Giving['gives'];
  title: Words;
  couponId: string | null;
  micro: bigint | null;
  days: number | null;
}

export type GivingService = ReturnType<typeof createGivingService>;

/** Gives what campaigns, rewards and operators give: a coupon, DCU or days of a level. */
export function createGivingService({ coupons, ledger, giftMembership }: GivingDeps) {
  return {
    /**
     * Gives it once for its key: a second time changes nothing and answers the same. `words` are what a member reads of DCU and days; a
     * coupon has its own title. Takes the member's wallet lock first.
     */
    async give(tx: Tx, memberId: string, giving: Giving, key: string, words: Words, origin: GivingOrigin): Promise<Given> {
      await ledger.lockWallet(tx, memberId);
      const at = await readNow(tx);
      const given: Given = { gives: giving.gives, title: words, couponId: null, micro: null, days: null };
      if (giving.gives === 'coupon') {
        const { coupon, couponDays } = giving;
        const couponId = await coupons.issue(tx, {
          memberId,
          campaignId: origin.campaignId,
          coupon,
          couponDays,
          issueKey: key,
          at,
        });
        return { ...given, title: coupon.title, couponId };
      }
      if (giving.gives === 'membership') {
        const { packageId, days } = giving;
        await giftMembership(tx, { memberId, packageId, days, giftKey: key });
        return { ...given, days };
      }
      const micro = microFromDcu(giving.dcu);
      await ledger.grantDcu(tx, {
        ...{ memberId, micro, kind: 'gift', source: 'gift', refType: 'gift', refId: key, idemKey: `gift:${key}` },
        expiresAt: giving.validDays === null ? null : new Date(at.getTime() + giving.validDays * DAY_MS),
        note: origin.note,
        actor: origin.actor ?? 'system',
      });
      return { ...given, micro };
    },
  };
}
