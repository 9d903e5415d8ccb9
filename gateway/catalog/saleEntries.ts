import type { CouponKind, CouponScope } from '../contract/coupon';
import type { LevelFlag } from '../contract/entitlements';
import type { Words } from './entries';

/** One SKU on sale. DCU are decimal strings, prices whole fen. */
export interface SkuEntry {
  skuId: string;
  name: Words;
  description: Words;
  dcu: string;
  /** Comes with it for nothing. */
  bonusDcu: string;
  listFen: number;
  /** Null: students pay the same. */
  studentFen: number | null;
  /** How long its DCU last, in days; null: for ever. */
  validDays: number | null;
  maxQuantity: number;
  /** Pieces there are of a limited offer; null: not limited. */
  stock: number | null;
  isRetired: boolean;
}

/** One package: a level by month and by year. Its ceilings are the level's. */
export interface PackageEntry {
  packageId: string;
  levelFlag: Exclude<LevelFlag, 0>;
  name: Words;
  description: Words;
  monthFen: number;
  yearFen: number;
  studentMonthFen: number | null;
  studentYearFen: number | null;
  monthlyDcu: string;
  isRetired: boolean;
}

/** How a custom package of the highest level is built and priced: cores × their price + monthly DCU × theirs, months as they come. */
export interface CustomPackageEntry {
  name: Words;
  cpuCores: { min: number; max: number; step: number };
  monthlyDcu: { min: number; max: number; step: number };
  fenPerCoreMonth: number;
  fenPerDcu: number;
  studentPercentOff: number;
  /** What twelve months cost, in months. */
  yearInMonths: number;
  /** Ceilings that grow with the cores: DCU an hour for each core. The others are those of level 3. */
  dcuPerHourPerCore: number;
}

export interface CouponTermsEntry {
  title: Words;
  kind: CouponKind;
  amountFen: number | null;
  percent: number | null;
  capFen: number | null;
  dcu: string | null;
  validDays: number | null;
  scope: CouponScope;
  productIds: readonly string[];
  minimumFen: number;
}

/** What a code, a reward or an operator gives. */
export type Giving =
  | { gives: 'coupon'; coupon: CouponTermsEntry /** From when it is issued. */; couponDays: number }
  | { gives: 'dcu'; dcu: string; validDays: number | null }
  | { gives: 'membership'; packageId: string; days: number };

export interface CampaignEntry {
  campaignId: string;
  name: Words;
  giving: Giving;
  /** What members type; null: given by operators only. Upper-case. */
  code: string | null;
  /** ISO 8601 instants between which the code can be redeemed. */
  from: string;
  until: string;
  /** How often the code can be redeemed in all; null: no limit. */
  most: number | null;
}

export interface RewardEntry {
  rewardId: string;
  title: Words;
  description: Words;
  points: number;
  giving: Giving;
  /** How often one member may take it; null: no limit. */
  mostEach: number | null;
  isRetired: boolean;
}

export interface PointsTaskEntry {
  taskId: string;
  title: Words;
  description: Words;
  points: number;
  /** Path of the console where it is done. */
  path: string;
}

export interface PointsRules {
  /** Points a whole yuan of cash earns. */
  perYuan: number;
  /** What a point is worth when it pays. */
  fenPerPoint: number;
  /** Of an order’s price before them, at most so many of a hundred are paid with points. */
  mostPercent: number;
  checkIn: {
    points: number /** Each so many days in a row bring `streakPoints` instead. */;
    streakEvery: number;
    streakPoints: number;
  };
  /** What a member can earn by doing (check-in, tasks) in a calendar month of the billing time zone. */
  monthlyBudget: number;
  tasks: readonly PointsTaskEntry[];
}

/** Everything that is sold and given away. A change of any price is a new version: an order names the one its member saw. */
export interface SaleEntries {
  priceVersion: number;
  skus: readonly SkuEntry[];
  packages: readonly PackageEntry[];
  custom: CustomPackageEntry;
  campaigns: readonly CampaignEntry[];
  rewards: readonly RewardEntry[];
  points: PointsRules;
}
