import { type Catalogue, loadCatalogue } from './catalogue';
import { CatalogueError } from './entryChecks';
import { images } from './images';
import { sale } from './sale';
import type { CampaignEntry, CouponTermsEntry, Giving, SaleEntries } from './saleEntries';
import { specs } from './specs';

/** The catalogue with one thing changed. */
function withSale(change: (draft: SaleEntries) => void): () => Catalogue {
  const draft = structuredClone(sale);
  change(draft);
  return () => loadCatalogue({ specs, images, sale: draft });
}

function first<T>(list: readonly T[]): T {
  const [entry] = list;
  if (entry === undefined) throw new Error('the list is empty');
  return entry;
}

const terms: CouponTermsEntry = {
  title: { 'en-US': 'x', 'zh-CN': 'x' },
  ...{ kind: 'AMOUNT', amountFen: 100, percent: null, capFen: null, dcu: null, validDays: null },
  ...{ scope: 'ALL', productIds: [], minimumFen: 0 },
};
const withGiving = (giving: Giving) => withSale((draft) => Object.assign(first(draft.rewards), { giving }));
const withTerms = (change: Partial<CouponTermsEntry>) =>
  withGiving({ gives: 'coupon', coupon: { ...terms, ...change }, couponDays: 30 });
const withSku = (change: Partial<SaleEntries['skus'][number]>) => withSale((draft) => Object.assign(first(draft.skus), change));
const withPackage = (change: Partial<SaleEntries['packages'][number]>) =>
  withSale((draft) => Object.assign(first(draft.packages), change));
const withCustom = (change: Partial<SaleEntries['custom']>) => withSale((draft) => Object.assign(draft.custom, change));
const withCampaign = (change: Partial<CampaignEntry>) => withSale((draft) => Object.assign(first(draft.campaigns), change));
const withPoints = (change: Partial<SaleEntries['points']>) => withSale((draft) => Object.assign(draft.points, change));

describe('what is sold', () => {
  it('is sound as shipped, with the prices that were decided', () => {
    const catalogue = loadCatalogue();

    expect(catalogue.sale.priceVersion).toBe(1);
    expect(
      catalogue.sale.skus.map(({ skuId, dcu, bonusDcu, listFen, studentFen }) => [skuId, dcu, bonusDcu, listFen, studentFen]),
    ).toEqual([
      ['starter', '30', '0', 1500, null],
      ['dcu-10', '10', '0', 1000, 800],
      ['dcu-50', '50', '0', 5000, 4000],
      ['dcu-100', '100', '5', 10000, 8000],
      ['dcu-500', '500', '40', 50000, 40000],
      ['dcu-1000', '1000', '120', 100000, 80000],
    ]);
    expect(
      catalogue.sale.packages.map((entry) => [
        ...[entry.packageId, entry.levelFlag, entry.monthlyDcu],
        ...[entry.monthFen, entry.yearFen, entry.studentMonthFen, entry.studentYearFen],
      ]),
    ).toEqual([
      ['standard', 1, '30', 2900, 29000, 1900, 19000],
      ['pro', 2, '120', 9900, 99000, 6900, 69000],
      ['max', 3, '400', 29900, 299000, 20900, 209000],
    ]);
  });

  it('is found by its id, retired or not', () => {
    const catalogue = withSku({ isRetired: true })();

    expect(catalogue.findSku('starter')?.listFen).toBe(1500);
    expect(catalogue.findPackage('pro')?.levelFlag).toBe(2);
    expect(catalogue.findReward('dcu-5')?.points).toBe(500);
    expect(catalogue.findCampaign('care')?.code).toBeNull();
    expect([
      catalogue.findSku('pro'),
      catalogue.findPackage('dcu-10'),
      catalogue.findCampaign('x'),
      catalogue.findReward('x'),
    ]).toEqual(Array(4).fill(undefined));
  });

  it('is found by a code however it is typed, and never by none', () => {
    const { campaignByCode } = loadCatalogue();

    expect(['WELCOME2026', ' welcome2026 ', 'Gift7'].map((code) => campaignByCode(code)?.campaignId)).toEqual([
      'welcome-2026',
      'welcome-2026',
      'gift-7',
    ]);
    expect([campaignByCode(''), campaignByCode('null'), campaignByCode('CARE')]).toEqual([undefined, undefined, undefined]);
  });
});

describe('a catalogue that must not be sold from', () => {
  it.each([
    [
      'no price version',
      withSale((draft) => Object.assign(draft, { priceVersion: 0 })),
      'The sale needs a positive whole number as priceVersion.',
    ],
    ['a SKU twice', withSku({ skuId: 'dcu-10' }), 'SKU dcu-10 stands twice in the catalogue.'],
    ['a package named like a SKU', withPackage({ packageId: 'dcu-10' }), 'Package dcu-10 stands twice in the catalogue.'],
    ['a package with the custom one’s id', withPackage({ packageId: 'custom' }), 'Package custom stands twice in the catalogue.'],
    ['an id in capitals', withSku({ skuId: 'Starter' }), 'SKU Starter has an id that is not short, lower-case and plain.'],
    ['a price of nothing', withSku({ listFen: 0 }), 'SKU starter needs a positive whole number as listFen.'],
    ['half a fen', withSku({ listFen: 0.5 }), 'SKU starter needs a positive whole number as listFen.'],
    ['a dearer student', withSku({ studentFen: 1501 }), 'SKU starter must not cost students more than others.'],
    ['no DCU', withSku({ dcu: '0' }), 'SKU starter needs a dcu above nothing.'],
    ['seven decimals', withSku({ dcu: '1.0000001' }), 'SKU starter has a dcu that is not a DCU amount: 1.0000001.'],
    ['a negative bonus', withSku({ bonusDcu: '-1' }), 'SKU starter has a bonusDcu that is not a DCU amount: -1.'],
    ['no stock at all', withSku({ stock: 0 }), 'SKU starter needs a positive whole number as stock.'],
    ['a hundred pieces', withSku({ maxQuantity: 100 }), 'SKU starter needs a whole number from 1 to 99 as maxQuantity.'],
    ['no words in one language', withSku({ name: { 'en-US': 'x', 'zh-CN': '' } }), 'SKU starter has no name in zh-CN.'],
    ['a dear year', withPackage({ yearFen: 34_801 }), 'Package standard must not cost more by the year than by twelve months.'],
    [
      'a dear student year',
      withPackage({ studentYearFen: 22_801 }),
      'Package standard for students must not cost more by the year',
    ],
    [
      'half a student price',
      withPackage({ studentYearFen: null }),
      'Package standard needs student prices for both the month and the year',
    ],
    ['a dearer student month', withPackage({ studentMonthFen: 2901 }), 'Package standard must not cost students more than others.'],
    ['a level nobody sells', withPackage({ isRetired: true }), 'Level 1 must be sold by exactly one package, not 0.'],
    ['a level sold twice', withPackage({ levelFlag: 2 }), 'Level 1 must be sold by exactly one package, not 0.'],
    ['a cheap high level', withPackage({ monthFen: 9901 }), 'Package pro must not cost less than the one of the level below.'],
    [
      'steps beside the range',
      withCustom({ cpuCores: { min: 64, max: 500, step: 16 } }),
      'The custom package must have steps of cpuCores that divide its range.',
    ],
    [
      'a range upside down',
      withCustom({ monthlyDcu: { min: 100, max: 0, step: 100 } }),
      'The custom package needs a whole number from 100 to 1000000',
    ],
    [
      'a narrow custom package',
      withCustom({ cpuCores: { min: 32, max: 64, step: 16 } }),
      'The custom package must not have fewer cpuCores than level 3.',
    ],
    ['a free custom package', withCustom({ fenPerDcu: 0 }), 'The custom package needs a positive whole number as fenPerDcu.'],
    [
      'a custom year of 13 months',
      withCustom({ yearInMonths: 13 }),
      'The custom package needs a whole number from 1 to 12 as yearInMonths.',
    ],
    [
      'a code in small letters',
      withCampaign({ code: 'welcome' }),
      'Campaign welcome-2026 needs a code of 4 to 40 upper-case letters and digits.',
    ],
    ['a code twice', withCampaign({ code: 'LEARN20' }), 'Campaign learn-20 has the code of another campaign.'],
    ['a campaign twice', withCampaign({ campaignId: 'care' }), 'Campaign care stands twice in the catalogue.'],
    [
      'an end before the beginning',
      withCampaign({ until: '2025-01-01T00:00:00+08:00' }),
      'Campaign welcome-2026 must end after it begins.',
    ],
    [
      'a day instead of an instant',
      withCampaign({ from: '2026-01-01' }),
      'Campaign welcome-2026 needs an instant with its offset from UTC as from.',
    ],
    [
      'a limit without a code',
      withCampaign({ code: null, most: 5 }),
      'Campaign welcome-2026 has no code and can therefore have no most.',
    ],
    ['a campaign of none', withCampaign({ most: 0 }), 'Campaign welcome-2026 needs a positive whole number as most.'],
    [
      'a gift of a package nobody has',
      withGiving({ gives: 'membership', packageId: 'gold', days: 7 }),
      'Reward coupon-5 gives the package gold, which the catalogue does not have.',
    ],
    [
      'a gift of no days',
      withGiving({ gives: 'membership', packageId: 'pro', days: 0 }),
      'Reward coupon-5 needs a whole number from 1 to 366 as days.',
    ],
    ['a gift of no DCU', withGiving({ gives: 'dcu', dcu: '0.0', validDays: 1 }), 'Reward coupon-5 needs a dcu above nothing.'],
    ['a coupon of nothing', withTerms({ amountFen: null }), 'Reward coupon-5 needs a positive whole number as amountFen.'],
    ['a coupon of two kinds', withTerms({ percent: 10 }), 'Reward coupon-5 has a coupon of kind AMOUNT that must not say percent.'],
    [
      'a share of more than all',
      withTerms({ kind: 'PERCENT', amountFen: null, percent: 101, capFen: 1 }),
      'Reward coupon-5 needs a whole number from 1 to 100 as percent.',
    ],
    [
      'a share without a cap',
      withTerms({ kind: 'PERCENT', amountFen: null, percent: 10 }),
      'Reward coupon-5 needs a positive whole number as capFen.',
    ],
    [
      'a coupon for what is not sold',
      withTerms({ productIds: ['gold'] }),
      'Reward coupon-5 has a coupon for gold, which its scope does not have.',
    ],
    [
      'a coupon beyond its scope',
      withTerms({ scope: 'SKU', productIds: ['pro'] }),
      'Reward coupon-5 has a coupon for pro, which its scope does not have.',
    ],
    [
      'points that pay all',
      withPoints({ mostPercent: 51 }),
      'The rule of points needs a whole number from 1 to 50 as mostPercent.',
    ],
    [
      'a task beyond the budget',
      withPoints({ monthlyBudget: 49 }),
      'Points task first-lab needs a whole number from 1 to 49 as points.',
    ],
    [
      'a task elsewhere',
      withSale((draft) => Object.assign(first(draft.points.tasks), { path: 'https://x.y' })),
      'Points task first-lab needs a path of the console.',
    ],
  ])('is refused with one sentence: %s', (_what, load, sentence) => {
    expect(load).toThrow(CatalogueError);
    expect(load).toThrow(sentence);
    expect(load).toThrow(/^[A-Z][^.]*(\d\.\d[^.]*)*\.$/);
  });
});
