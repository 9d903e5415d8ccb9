import type { ColumnType, Generated } from 'kysely';
import type { CouponKind, CouponScope, CouponState } from '../contract/coupon';
import type { ItemState, PackageEffect } from '../contract/membership';
import type { OrderState, PaymentState, RefundReason, RefundState } from '../contract/orderStates';
import type { Language } from '../locales/messages';

type Defaulted<T> = ColumnType<T, T | undefined, T>;
type Json<T> = ColumnType<T, string, string>;
/** Words in every language, as the catalogue had them when something was sold. */
export type StoredWords = Readonly<Record<Language, string>>;

/** What a package permits, kept with what was bought. */
export interface StoredCeilings {
  cpuCores: number;
  dcuPerHour: number;
  storageGb: number;
  runningLabs: number;
  privateImages: number;
  maxHours: number;
}

/** What an order sold. Amounts of DCU are micro-DCU as decimal strings: JSON has no integers of that size. */
export interface StoredOffer {
  micro: string;
  bonusMicro: string;
  couponMicro: string;
  /** How long the DCU last; null: for ever. */
  validDays: number | null;
  couponValidDays: number | null;
  package: {
    packageId: string;
    levelFlag: 1 | 2 | 3;
    months: number;
    monthlyMicro: string;
    ceilings: StoredCeilings;
    /** The package whose credit the order counts on. */
    creditItemId: string | null;
  } | null;
  /** What the package would do when it was ordered; null without one. Instants are ISO 8601. */
  plan: { effect: PackageEffect; startsAt: string; endsAt: string; firstMicro: string } | null;
}

interface AmountColumns {
  listFen: bigint;
  studentDiscountFen: bigint;
  upgradeCreditFen: bigint;
  couponDiscountFen: bigint;
  pointsDiscountFen: bigint;
  payableFen: bigint;
}

export interface OrderTable extends AmountColumns {
  id: string;
  orderNo: string;
  memberId: string;
  /** The member's orders are numbered from 1 without gaps. */
  seq: Generated<number>;
  kind: 'SKU' | 'PACKAGE';
  productId: string;
  quantity: number;
  title: Json<StoredWords>;
  offer: Json<StoredOffer>;
  priceVersion: number;
  isLimited: boolean;
  state: Defaulted<OrderState>;
  pointsUsed: bigint;
  couponId: string | null;
  refundedFen: Defaulted<bigint>;
  pointsEarned: Defaulted<bigint>;
  placedAt: Date;
  payUntil: Date;
  fulfilledAt: Date | null;
  closedAt: Date | null;
  cancelReason: Defaulted<string>;
}

export interface OrderLineTable extends AmountColumns {
  orderId: string;
  line: number;
  title: Json<StoredWords>;
  quantity: number;
}

export type OrderActor = 'member' | 'system' | 'provider' | 'operator';

export interface OrderEventTable {
  id: string;
  orderId: string;
  at: Defaulted<Date>;
  fromState: OrderState | null;
  toState: OrderState;
  reason: string;
  actor: OrderActor;
  evidence: Json<Record<string, string | number>>;
}

export interface SkuStockTable {
  skuId: string;
  initial: number;
  reserved: Defaulted<number>;
  sold: Defaulted<number>;
}

export interface PaymentTable {
  id: string;
  orderId: string;
  memberId: string;
  provider: string;
  method: string;
  state: Defaulted<PaymentState>;
  amountFen: bigint;
  currency: Defaulted<'CNY'>;
  providerTxn: string | null;
  paidAt: Date | null;
  qrText: Defaulted<string>;
  redirectUrl: Defaulted<string>;
  createdAt: Date;
  expiresAt: Date;
  nextQueryAt: Date | null;
  queries: Defaulted<number>;
  appliedAt: Date | null;
  refundedFen: Defaulted<bigint>;
}

export interface RefundTable {
  id: string;
  orderId: string;
  memberId: string;
  paymentId: string | null;
  reason: RefundReason;
  state: Defaulted<RefundState>;
  amountFen: bigint;
  withdrawnMicro: Defaulted<bigint>;
  withdrawnPoints: Defaulted<bigint>;
  spentPointsFen: Defaulted<bigint>;
  returnedPoints: Defaulted<bigint>;
  returnsCoupon: Defaulted<boolean>;
  endsPackage: Defaulted<boolean>;
  isWhole: boolean;
  note: Defaulted<string>;
  actor: string;
  idemKey: string;
  createdAt: Date;
  endedAt: Date | null;
  tries: Defaulted<number>;
  nextTryAt: Date | null;
  failure: Defaulted<string>;
}

/** A coupon's terms as its campaign said them when it was issued; micro-DCU as a decimal string. */
export interface StoredCouponTerms {
  title: StoredWords;
  kind: CouponKind;
  amountFen: number | null;
  percent: number | null;
  capFen: number | null;
  micro: string | null;
  /** How long DCU it adds last. */
  validDays: number | null;
  scope: CouponScope;
  /** SKUs or packages it is for; empty: all of its scope. */
  productIds: readonly string[];
  minimumFen: number;
}

export interface CouponTable {
  id: string;
  memberId: string;
  campaignId: string;
  terms: Json<StoredCouponTerms>;
  startsAt: Date;
  endsAt: Date;
  state: Defaulted<CouponState>;
  orderId: string | null;
  usedAt: Date | null;
  issueKey: string;
  createdAt: Generated<Date>;
}

export interface CampaignTotalTable {
  campaignId: string;
  redeemed: Defaulted<number>;
  most: number | null;
}

export interface CampaignRedemptionTable {
  campaignId: string;
  memberId: string;
  at: Generated<Date>;
}

export interface PurchasedPackageItemTable {
  id: string;
  memberId: string;
  source: 'ORDER' | 'GIFT';
  orderId: string | null;
  giftKey: string | null;
  packageId: string;
  name: Json<StoredWords>;
  levelFlag: number;
  ceilings: Json<StoredCeilings>;
  valueFen: bigint;
  startsAt: Date;
  endsAt: Date;
  totalMs: bigint;
  anchorAt: Date;
  months: number | null;
  monthlyMicro: bigint;
  carriedMicro: Defaulted<bigint>;
  grantedMicro: Defaulted<bigint>;
  grantsMade: Defaulted<number>;
  nextGrantAt: Date | null;
  state: ItemState;
  endedAt: Date | null;
  creditOrderId: string | null;
  creditedFen: Defaulted<bigint>;
  createdAt: Date;
}

export interface MembershipPeriodTable {
  id: string;
  memberId: string;
  packageName: string;
  levelFlag: number;
  startsAt: Date;
  endsAt: Date;
  itemId: string | null;
  name: Json<StoredWords> | null;
  ceilings: Json<StoredCeilings> | null;
}

export interface CheckInTable {
  memberId: string;
  /** `YYYY-MM-DD` in the billing time zone. */
  day: ColumnType<string, string, string>;
  streak: number;
  points: bigint;
}

export interface BalanceAlertTable {
  memberId: string;
  thresholdMicro: bigint;
  isBySms: boolean;
  language: Language;
  belowSince: Date | null;
  textDueAt: Date | null;
  textSentAt: Date | null;
  updatedAt: Date;
}

/** The tables of money and rights, as the query builder sees them. */
export interface CommerceTables {
  order: OrderTable;
  orderLine: OrderLineTable;
  orderEvent: OrderEventTable;
  skuStock: SkuStockTable;
  payment: PaymentTable;
  refund: RefundTable;
  coupon: CouponTable;
  campaignTotal: CampaignTotalTable;
  campaignRedemption: CampaignRedemptionTable;
  purchasedPackageItem: PurchasedPackageItemTable;
  membershipPeriod: MembershipPeriodTable;
  checkIn: CheckInTable;
  balanceAlert: BalanceAlertTable;
}
