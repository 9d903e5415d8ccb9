import fc from 'fast-check';
import { loadCatalogue } from './catalogue';
import { customCeilings, customPrice, isCustomOffered, packagePrice, skuPrice } from './price.rules';
import type { PackageEntry } from './saleEntries';

const { sale, ...catalogue } = loadCatalogue();

const parts = fc.record({
  cpuCores: fc.integer({ min: 4, max: 32 }).map((steps) => steps * 16),
  monthlyDcu: fc.integer({ min: 0, max: 100 }).map((steps) => steps * 100),
  months: fc.integer({ min: 1, max: 12 }),
});

describe('the price of a SKU', () => {
  it('is the student’s for students where there is one', () => {
    expect(skuPrice({ listFen: 1000, studentFen: 800 }, true)).toEqual({ listFen: 1000n, priceFen: 800n });
    expect(skuPrice({ listFen: 1000, studentFen: 800 }, false)).toEqual({ listFen: 1000n, priceFen: 1000n });
    expect(skuPrice({ listFen: 1500, studentFen: null }, true)).toEqual({ listFen: 1500n, priceFen: 1500n });
  });
});

describe('the price of a package', () => {
  const pro = catalogue.findPackage('pro') as PackageEntry;

  it('is the month’s so many times, and for twelve months the year’s', () => {
    expect(packagePrice(pro, 1, false)).toEqual({ listFen: 9900n, priceFen: 9900n });
    expect(packagePrice(pro, 11, true)).toEqual({ listFen: 108_900n, priceFen: 75_900n });
    expect(packagePrice(pro, 12, true)).toEqual({ listFen: 99_000n, priceFen: 69_000n });
  });

  it.each([0, 13, 1.5, -1])('is none for %d months', (months) => {
    expect(() => packagePrice(pro, months, false)).toThrow(RangeError);
  });
});

describe('the price of a custom package', () => {
  it.each([
    [64, 0, 1, false, 25_600n, 25_600n],
    [64, 100, 1, true, 32_600n, 26_080n],
    [512, 10_000, 12, false, 9_048_000n, 9_048_000n],
  ])(
    'for %d cores, %d DCU and %d months (student: %s) is %s, to pay %s',
    (cpuCores, monthlyDcu, months, isStudent, listFen, priceFen) => {
      expect(catalogue.customPrice({ cpuCores, monthlyDcu, months, isStudent })).toEqual({ listFen, priceFen });
    },
  );

  it.each([
    [63, 0],
    [72, 0],
    [528, 0],
    [64, 50],
    [64, 10_100],
    [64.5, 0],
    [64, -100],
  ])('is none for parts that are not on offer: %d cores, %d DCU', (cpuCores, monthlyDcu) => {
    expect(isCustomOffered(sale.custom, { cpuCores, monthlyDcu })).toBe(false);
    expect(() => customPrice(sale.custom, { cpuCores, monthlyDcu, months: 1, isStudent: false })).toThrow(RangeError);
  });

  it('grows with every part, and is never more for a student or less than nothing', () => {
    fc.assert(
      fc.property(parts, (ask) => {
        const own = customPrice(sale.custom, { ...ask, isStudent: true });
        const others = customPrice(sale.custom, { ...ask, isStudent: false });
        expect(own.priceFen > 0n && own.priceFen <= others.priceFen).toBe(true);
        expect(own.listFen).toBe(others.priceFen);
        if (ask.cpuCores < 512) {
          const larger = customPrice(sale.custom, { ...ask, cpuCores: ask.cpuCores + 16, isStudent: false });
          expect(larger.priceFen).toBeGreaterThan(others.priceFen);
        }
      }),
    );
  });

  it('comes with ceilings of its own at the highest level', () => {
    expect(customCeilings(sale.custom, 128)).toEqual({
      ...{ levelFlag: 3, cpuCores: 128, dcuPerHour: 256, storageGb: 1000, runningLabs: 20, privateImages: 200, maxHours: 168 },
    });
  });
});
