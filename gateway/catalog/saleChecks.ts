import { levels } from '../contract/entitlements';
import {
  checkId,
  checkPositive,
  checkPositiveOrNone,
  checkSomeDcu,
  checkWithin,
  checkWords,
  readDcu,
  requireThat,
} from './entryChecks';
import { checkGiving } from './givingChecks';
import { CUSTOM_PACKAGE_ID, YEAR_MONTHS } from './price.rules';
import type {
  CampaignEntry,
  CustomPackageEntry,
  PackageEntry,
  PointsRules,
  RewardEntry,
  SaleEntries,
  SkuEntry,
} from './saleEntries';

/** What the contract and the tables take at most. */
const MOST = { quantity: 99, cpuCores: 1024, monthlyDcu: 1_000_000, pointsPercent: 50 };

/** Checks everything that is sold and given away. Throws `CatalogueError` naming the first entry that is wrong. */
export function checkSale(sale: SaleEntries): void {
  checkPositive('The sale', { priceVersion: sale.priceVersion });
  const productIds = new Set<string>([CUSTOM_PACKAGE_ID]);
  for (const sku of sale.skus) checkSku(sku, productIds);
  for (const entry of sale.packages) checkPackage(entry, productIds);
  checkLevels(sale.packages);
  checkCustom(sale.custom);
  checkCampaigns(sale);
  checkRewards(sale);
  checkPoints(sale.points);
}

/** SKUs and packages share their ids: a coupon names its products by them. */
function checkSku(sku: SkuEntry, seen: Set<string>): void {
  const named = `SKU ${sku.skuId}`;
  checkId(named, sku.skuId, seen);
  seen.add(sku.skuId);
  checkWords(named, { name: sku.name, description: sku.description });
  checkSomeDcu(named, 'dcu', sku.dcu);
  readDcu(named, 'bonusDcu', sku.bonusDcu);
  checkPositive(named, { listFen: sku.listFen });
  checkPositiveOrNone(named, { studentFen: sku.studentFen, validDays: sku.validDays, stock: sku.stock });
  checkStudent(named, sku.listFen, sku.studentFen);
  checkWithin(named, 'maxQuantity', sku.maxQuantity, 1, MOST.quantity);
}

function checkStudent(named: string, listFen: number, studentFen: number | null): void {
  requireThat(studentFen === null || studentFen <= listFen, `${named} must not cost students more than others.`);
}

function checkPackage(entry: PackageEntry, seen: Set<string>): void {
  const named = `Package ${entry.packageId}`;
  const { monthFen, yearFen, studentMonthFen, studentYearFen } = entry;
  checkId(named, entry.packageId, seen);
  seen.add(entry.packageId);
  checkWithin(named, 'levelFlag', entry.levelFlag, 1, 3);
  checkWords(named, { name: entry.name, description: entry.description });
  readDcu(named, 'monthlyDcu', entry.monthlyDcu);
  checkPositive(named, { monthFen, yearFen });
  checkPositiveOrNone(named, { studentMonthFen, studentYearFen });
  checkYear(named, monthFen, yearFen);
  const hasBoth = (studentMonthFen === null) === (studentYearFen === null);
  requireThat(hasBoth, `${named} needs student prices for both the month and the year, or neither.`);
  checkStudent(named, monthFen, studentMonthFen);
  checkStudent(named, yearFen, studentYearFen);
  if (studentMonthFen !== null && studentYearFen !== null) checkYear(`${named} for students`, studentMonthFen, studentYearFen);
}

function checkYear(named: string, monthFen: number, yearFen: number): void {
  requireThat(yearFen <= YEAR_MONTHS * monthFen, `${named} must not cost more by the year than by twelve months.`);
}

/** Every paid level is sold by one package, and a higher one never costs less. */
function checkLevels(packages: readonly PackageEntry[]): void {
  const onSale = packages.filter((entry) => !entry.isRetired).sort((one, other) => one.levelFlag - other.levelFlag);
  for (const { levelFlag } of levels.slice(1)) {
    const sold = onSale.filter((entry) => entry.levelFlag === levelFlag).length;
    requireThat(sold === 1, `Level ${levelFlag} must be sold by exactly one package, not ${sold}.`);
  }
  onSale.slice(1).forEach((entry, index) => {
    const lower = onSale[index];
    const isDearer = lower !== undefined && entry.monthFen >= lower.monthFen && entry.yearFen >= lower.yearFen;
    requireThat(isDearer, `Package ${entry.packageId} must not cost less than the one of the level below.`);
  });
}

function checkCustom(custom: CustomPackageEntry): void {
  const named = 'The custom package';
  checkWords(named, { name: custom.name });
  checkRange(named, 'cpuCores', custom.cpuCores, 1, MOST.cpuCores);
  checkRange(named, 'monthlyDcu', custom.monthlyDcu, 0, MOST.monthlyDcu);
  const { fenPerCoreMonth, fenPerDcu, dcuPerHourPerCore } = custom;
  checkPositive(named, { fenPerCoreMonth, fenPerDcu, dcuPerHourPerCore });
  checkWithin(named, 'studentPercentOff', custom.studentPercentOff, 0, 99);
  checkWithin(named, 'yearInMonths', custom.yearInMonths, 1, YEAR_MONTHS);
  const widest = levels[3];
  requireThat(custom.cpuCores.min >= widest.cpuCores, `${named} must not have fewer cpuCores than level 3.`);
  const slowest = custom.cpuCores.min * dcuPerHourPerCore;
  requireThat(slowest >= widest.dcuPerHour, `${named} must not have a lower DCU an hour than level 3.`);
}

function checkRange(named: string, field: string, range: CustomPackageEntry['cpuCores'], min: number, max: number): void {
  checkWithin(named, `the least of ${field}`, range.min, min, max);
  checkWithin(named, `the most of ${field}`, range.max, range.min, max);
  checkPositive(named, { [`step of ${field}`]: range.step });
  requireThat((range.max - range.min) % range.step === 0, `${named} must have steps of ${field} that divide its range.`);
}

function checkCampaigns(sale: SaleEntries): void {
  const ids = new Set<string>();
  const codes = new Set<string>();
  for (const campaign of sale.campaigns) {
    const named = `Campaign ${campaign.campaignId}`;
    checkId(named, campaign.campaignId, ids);
    ids.add(campaign.campaignId);
    checkWords(named, { name: campaign.name });
    checkGiving(named, campaign.giving, sale);
    checkSpan(named, campaign);
    checkPositiveOrNone(named, { most: campaign.most });
    if (campaign.code === null) {
      requireThat(campaign.most === null, `${named} has no code and can therefore have no most.`);
      continue;
    }
    requireThat(/^[A-Z0-9]{4,40}$/.test(campaign.code), `${named} needs a code of 4 to 40 upper-case letters and digits.`);
    requireThat(!codes.has(campaign.code), `${named} has the code of another campaign.`);
    codes.add(campaign.code);
  }
}

function checkSpan(named: string, { from, until }: Pick<CampaignEntry, 'from' | 'until'>): void {
  for (const [field, instant] of Object.entries({ from, until })) {
    const isInstant =
      /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(Z|[+-]\d{2}:\d{2})$/.test(instant) && !Number.isNaN(Date.parse(instant));
    requireThat(isInstant, `${named} needs an instant with its offset from UTC as ${field}.`);
  }
  requireThat(Date.parse(from) < Date.parse(until), `${named} must end after it begins.`);
}

function checkRewards(sale: SaleEntries): void {
  const ids = new Set<string>();
  for (const reward of sale.rewards) {
    const named = `Reward ${reward.rewardId}`;
    checkId(named, reward.rewardId, ids);
    ids.add(reward.rewardId);
    checkRewardItself(named, reward);
    checkGiving(named, reward.giving, sale);
  }
}

function checkRewardItself(named: string, { title, description, points, mostEach }: RewardEntry): void {
  checkWords(named, { title, description });
  checkPositive(named, { points });
  checkPositiveOrNone(named, { mostEach });
}

function checkPoints({ tasks, checkIn, ...rules }: PointsRules): void {
  const named = 'The rule of points';
  checkPositive(named, { perYuan: rules.perYuan, fenPerPoint: rules.fenPerPoint, monthlyBudget: rules.monthlyBudget });
  checkWithin(named, 'mostPercent', rules.mostPercent, 1, MOST.pointsPercent);
  checkPositive(named, { 'checkIn.points': checkIn.points, 'checkIn.streakPoints': checkIn.streakPoints });
  checkWithin(named, 'checkIn.streakEvery', checkIn.streakEvery, 2, 366);
  const ids = new Set<string>();
  for (const task of tasks) {
    const taskNamed = `Points task ${task.taskId}`;
    checkId(taskNamed, task.taskId, ids);
    ids.add(task.taskId);
    checkWords(taskNamed, { title: task.title, description: task.description });
    checkWithin(taskNamed, 'points', task.points, 1, rules.monthlyBudget);
    requireThat(/^(\/[A-Za-z]+)+$/.test(task.path), `${taskNamed} needs a path of the console.`);
  }
}
