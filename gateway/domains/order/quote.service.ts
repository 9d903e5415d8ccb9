import { lesser } from '../../bigints';
import type { Catalogue } from '../../catalog/catalogue';
import type { Db, Tx } from '../../db/client';
import type { StoredOffer } from '../../db/schemaCommerce';
import { Refusal } from '../../refusal';
import { type CouponUse, type HeldCoupon, type JudgedCoupon, judgeCoupon, rankCoupons, worthOf } from '../coupon/coupon.rules';
import { couponUnusable } from '../coupon/coupon.service';
import type { Coupons, Packages, Points, Users } from './neighbours';
import { type Offer, type PackageAsk, packageOffer, type SkuAsk, skuOffer } from './offer.rules';
import { creditInstants, PAY_MS, requireMayCustomise } from './order.rules';
import { type Amounts, mostPointsFor, type PointsRule, priceBeforeCoupon, priceOrder } from './price.rules';
import { selectStockLeft } from './stock.repository';

export type Product = ({ kind: 'SKU' } & SkuAsk) | ({ kind: 'PACKAGE' } & PackageAsk);

/** Coupon and points as the member chose them; `best` is the best coupon and no points. */
export type Choice = 'best' | { couponId: string | null; points: bigint };

/** What a product costs a member at an instant, and everything that placing it would write. */
export interface Quote {
  at: Date;
  payUntil: Date;
  offer: Offer;
  priceVersion: number;
  amounts: Amounts;
  lines: Amounts[];
  stored: StoredOffer;
  coupons: JudgedCoupon[];
  coupon: HeldCoupon | null;
  points: { used: bigint; available: bigint; most: bigint; fenPerPoint: bigint };
  isRealName: boolean;
}

export interface QuoteDeps {
  catalogue: Pick<Catalogue, 'findSku' | 'findPackage' | 'sale' | 'customPrice'>;
  coupons: Coupons;
  points: Points;
  packages: Packages;
  users: Users;
}

export type QuoteService = ReturnType<typeof createQuoteService>;

/** Prices. Read in a transaction that holds the member's wallet lock, a quote is what holds there. */
export function createQuoteService(deps: QuoteDeps) {
  const { catalogue, users, packages, points } = deps;
  const { sale } = catalogue;
  const rule: PointsRule = { fenPerPoint: BigInt(sale.points.fenPerPoint), mostPercent: BigInt(sale.points.mostPercent) };

  return {
    /**
     * Throws SKU_UNAVAILABLE, SKU_SOLD_OUT, PACKAGE_UNAVAILABLE, REAL_NAME_REQUIRED (CUSTOM_PACKAGE) and, of what was chosen, NOT_FOUND,
     * COUPON_UNUSABLE and POINTS_TOO_MANY.
     */
    async quote(
      reader: Db | Tx,
      memberId: string,
      product: Product,
      choice: Choice,
      at: Date,
      countedTo = creditInstants(at)[0],
    ): Promise<Quote> {
      const { isStudent, isRealName } = await users.getProofs(memberId, reader);
      const offer = product.kind === 'SKU' ? skuOffer(catalogue, product, isStudent) : packageOffer(catalogue, product, isStudent);
      if (offer.isCustom) requireMayCustomise({ isRealName });
      await requireLeft(reader, offer);
      const payUntil = new Date(at.getTime() + PAY_MS);
      const plan = offer.package && (await packages.planOrder(reader, memberId, offer.package, at, countedTo));
      const lineListFen = offer.lines.map((line) => line.listFen);
      const before = priceBeforeCoupon({ lineListFen, ownFen: offer.ownFen, creditFen: plan?.creditFen ?? 0n });
      const use: CouponUse = { at, kind: offer.kind, productId: offer.productId, beforeFen: before.leftFen };
      const judged = rankCoupons(await deps.coupons.heldBy(reader, memberId, at), use);
      const coupon = await chosenCoupon(deps, reader, { memberId, choice, use, judged });
      const worth = coupon ? worthOf(coupon.terms, before.leftFen) : { discountFen: 0n, bonusMicro: 0n };
      const balance = await points.balanceOf(reader, memberId);
      const available = balance.points - balance.held;
      const most = lesser(available, mostPointsFor(before.leftFen - worth.discountFen, rule));
      const used = choice === 'best' ? 0n : choice.points;
      if (used > most) throw new Refusal('POINTS_TOO_MANY', { params: { most: Number(most) }, data: { most: Number(most) } });
      const priced = priceOrder(before, { couponDiscountFen: worth.discountFen, points: used, rule });
      return {
        ...{ at, payUntil, offer, isRealName, coupon, coupons: judged, priceVersion: sale.priceVersion, ...priced },
        stored: {
          ...offer.brings,
          couponMicro: String(worth.bonusMicro),
          couponValidDays: worth.bonusMicro > 0n ? (coupon?.terms.validDays ?? null) : null,
          package: offer.package && {
            ...offer.package,
            creditItemId: before.upgradeCreditFen > 0n ? (plan?.creditItemId ?? null) : null,
          },
          plan: plan && {
            effect: plan.effect,
            startsAt: plan.startsAt.toISOString(),
            endsAt: plan.endsAt.toISOString(),
            firstMicro: String(plan.firstMicro),
          },
        },
        points: { used, available, most, fenPerPoint: rule.fenPerPoint },
      };
    },
  };
}

/** Throws SKU_SOLD_OUT where a limited offer has too few pieces left. */
async function requireLeft(reader: Db | Tx, { productId, quantity, stock }: Offer): Promise<void> {
  if (stock === null) return;
  const left = (await selectStockLeft(reader, productId)) ?? stock;
  if (left < quantity) throw soldOut(left);
}

export function soldOut(left: number): Refusal {
  return new Refusal('SKU_SOLD_OUT', { params: { left }, data: { left } });
}

/** The coupon that counts. One that was named must fit; one that nobody named is chosen only where it does. */
async function chosenCoupon(
  { coupons }: QuoteDeps,
  reader: Db | Tx,
  ask: { memberId: string; choice: Choice; use: CouponUse; judged: readonly JudgedCoupon[] },
): Promise<HeldCoupon | null> {
  const { choice, use, judged, memberId } = ask;
  if (choice === 'best') return judged[0]?.reason === null ? judged[0].coupon : null;
  if (choice.couponId === null) return null;
  const coupon = await coupons.get(reader, memberId, choice.couponId);
  const reason = judgeCoupon(coupon, use);
  if (reason !== null) throw couponUnusable(reason);
  return coupon;
}
