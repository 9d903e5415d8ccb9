import type { Db, Tx } from '../../db/client';
import type { StoredOffer } from '../../db/schemaCommerce';
import type { Language } from '../../locales/messages';
import type { HeldCoupon } from '../coupon/coupon.rules';
import type { Coupon } from './order.presenter';

type PackageOffer = NonNullable<StoredOffer['package']>;
type PackagePlan = NonNullable<StoredOffer['plan']>;

/** What an order asks of the books of DCU. */
export interface Wallets {
  /** The lock that serialises a member's money, and the instant it was had. */
  lockWallet(tx: Tx, memberId: string): Promise<{ at: Date }>;
  /** The same with the wallet of points, for what will need both. */
  lockWallets(tx: Tx, memberId: string): Promise<{ at: Date }>;
  grantDcu(
    tx: Tx,
    grant: {
      memberId: string;
      micro: bigint;
      kind: 'purchase' | 'grant';
      source: 'purchase' | 'gift' | 'coupon';
      expiresAt: Date | null;
      idemKey: string;
      refType: string;
      refId: string;
      note: string;
      actor: string;
      orderId: string;
    },
  ): Promise<'granted' | 'already'>;
}

/** What an order asks of coupons. Each refuses with COUPON_UNUSABLE or, for one that is not the member's, NOT_FOUND. */
export interface Coupons {
  heldBy(reader: Db | Tx, memberId: string, at: Date): Promise<HeldCoupon[]>;
  get(reader: Db | Tx, memberId: string, couponId: string): Promise<HeldCoupon>;
  reserve(tx: Tx, ask: { couponId: string; memberId: string; orderId: string; at: Date }): Promise<void>;
  use(tx: Tx, orderId: string, at: Date): Promise<void>;
  release(tx: Tx, orderId: string): Promise<void>;
  present(coupon: HeldCoupon, language: Language): Coupon;
}

/** What an order asks of points. */
export interface Points {
  /** Points the member has and how many of them are set aside. */
  balanceOf(reader: Db | Tx, memberId: string): Promise<{ points: bigint; held: bigint }>;
  hold(tx: Tx, ask: PointsOfOrder): Promise<unknown>;
  free(tx: Tx, ask: PointsOfOrder): Promise<unknown>;
  spend(tx: Tx, ask: PointsOfOrder): Promise<unknown>;
  /** What cash earns, now or when it was paid. */
  earnedBy(cashFen: bigint): bigint;
  earnForOrder(tx: Tx, ask: { memberId: string; orderId: string; cashFen: bigint }): Promise<bigint>;
}

interface PointsOfOrder {
  memberId: string;
  orderId: string;
  points: bigint;
}

/** What an order asks of the membership. */
export interface Packages {
  planOrder(
    reader: Db | Tx,
    memberId: string,
    offer: Omit<PackageOffer, 'creditItemId'>,
    at: Date,
    countedTo: Date,
  ): Promise<{
    effect: PackagePlan['effect'];
    startsAt: Date;
    endsAt: Date;
    creditItemId: string | null;
    creditFen: bigint;
    firstMicro: bigint;
  }>;
  reserveCredit(tx: Tx, ask: { memberId: string; orderId: string; itemId: string }): Promise<void>;
  releaseCredit(tx: Tx, orderId: string): Promise<void>;
  begin(
    tx: Tx,
    order: {
      orderId: string;
      memberId: string;
      package: Omit<PackageOffer, 'creditItemId'>;
      payableFen: bigint;
      upgradeCreditFen: bigint;
    },
  ): Promise<unknown>;
}

/** What an order asks of who somebody is; read in a transaction, it is what holds there. */
export interface Users {
  getProofs(memberId: string, reader?: Db | Tx): Promise<{ isStudent: boolean; isRealName: boolean }>;
}

/** Closes every open attempt to pay an order at the provider; PAID: one turned out paid, and is applied. Throws PAYMENT_PROVIDER_UNAVAILABLE. */
export type CloseAttempts = (orderId: string) => Promise<'CLOSED' | 'PAID'>;

/** Who asks, and in which language the answer is worded. */
export interface Viewer {
  memberId: string;
  language: Language;
}
