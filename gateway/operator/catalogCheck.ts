import { type Catalogue, loadCatalogue } from '../catalog/catalogue';
import type { Giving } from '../catalog/saleEntries';
import type { OfflineCommand } from './command';
import { textTable } from './textTable';

/** The check of a catalogue that `load` reads; a fault is its `CatalogueError`. */
export function createCatalogCheck(load: () => Catalogue): OfflineCommand {
  return {
    name: 'catalog check',
    summary: 'Says what is offered, sold and given away, or what is wrong with it.',
    options: {},
    runOffline(say) {
      for (const line of linesOf(load())) say(line);
    },
  };
}

export const catalogCheck = createCatalogCheck(loadCatalogue);

function linesOf({ sale, specs, images }: Catalogue): string[] {
  return [
    `The catalogue is sound. Its prices are version ${sale.priceVersion}.`,
    ...textTable(
      'Specs and images',
      specs.map(({ specId, cpuCores, dcuPerHour }) => ({ id: specId, cpuCores, dcuPerHour })),
      ['id', 'cpuCores', 'dcuPerHour'],
    ),
    `  images: ${images.map(({ imageId }) => imageId).join(', ')}`,
    ...linesOfProducts(sale),
    ...linesOfGifts(sale),
  ];
}

function linesOfProducts({ skus, packages, custom }: Catalogue['sale']): string[] {
  const { cpuCores, monthlyDcu } = custom;
  return [
    ...textTable(
      'SKUs',
      skus.map((sku) => ({
        ...{ id: sku.skuId, dcu: sku.dcu, bonus: sku.bonusDcu, price: yuan(sku.listFen), student: yuan(sku.studentFen) },
        ...{ days: sku.validDays, atMost: sku.maxQuantity, stock: sku.stock, onSale: sku.isRetired ? 'no' : 'yes' },
      })),
      ['id', 'dcu', 'bonus', 'price', 'student', 'days', 'atMost', 'stock', 'onSale'],
    ),
    ...textTable(
      'Packages',
      packages.map((entry) => ({
        ...{ id: entry.packageId, level: entry.levelFlag, month: yuan(entry.monthFen), year: yuan(entry.yearFen) },
        ...{ studentMonth: yuan(entry.studentMonthFen), studentYear: yuan(entry.studentYearFen) },
        ...{ monthlyDcu: entry.monthlyDcu, onSale: entry.isRetired ? 'no' : 'yes' },
      })),
      ['id', 'level', 'month', 'year', 'studentMonth', 'studentYear', 'monthlyDcu', 'onSale'],
    ),
    `  custom: ${cpuCores.min}–${cpuCores.max} cores by ${cpuCores.step} at ${yuan(custom.fenPerCoreMonth)}, ` +
      `${monthlyDcu.min}–${monthlyDcu.max} DCU by ${monthlyDcu.step} at ${yuan(custom.fenPerDcu)}, a month; ` +
      `a year costs ${custom.yearInMonths} months; students ${custom.studentPercentOff}% off`,
  ];
}

function linesOfGifts({ campaigns, rewards, points }: Catalogue['sale']): string[] {
  return [
    ...textTable(
      'Campaigns',
      campaigns.map(({ campaignId, code, giving, from, until, most }) => ({
        ...{ id: campaignId, code: code ?? '(operators only)', gives: wordsOf(giving), most },
        ...{ from: from.slice(0, 10), until: until.slice(0, 10) },
      })),
      ['id', 'code', 'gives', 'most', 'from', 'until'],
    ),
    ...textTable(
      'Rewards',
      rewards.map(({ rewardId, points: cost, giving, mostEach, isRetired }) => ({
        ...{ id: rewardId, points: cost, gives: wordsOf(giving), mostEach, onOffer: isRetired ? 'no' : 'yes' },
      })),
      ['id', 'points', 'gives', 'mostEach', 'onOffer'],
    ),
    '',
    `Points: ${points.perYuan} a yuan, ${points.fenPerPoint} fen each, paying at most ${points.mostPercent}%; check-in ${points.checkIn.points}, ` +
      `every ${points.checkIn.streakEvery} days in a row ${points.checkIn.streakPoints}; ${points.tasks.map((task) => `${task.taskId} ${task.points}`).join(', ')}; ` +
      `at most ${points.monthlyBudget} a month by doing.`,
  ];
}

function wordsOf(giving: Giving): string {
  if (giving.gives === 'coupon') return `coupon: ${giving.coupon.title['en-US']}, ${giving.couponDays} days`;
  if (giving.gives === 'membership') return `${giving.packageId} for ${giving.days} days`;
  return `${giving.dcu} DCU${giving.validDays === null ? '' : `, ${giving.validDays} days`}`;
}

function yuan(fen: number): string;
function yuan(fen: number | null): string | null;
function yuan(fen: number | null): string | null {
  return fen === null ? null : `¥${(fen / 100).toFixed(2)}`;
}
