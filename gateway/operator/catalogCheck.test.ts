import { loadCatalogue } from '../catalog/catalogue';
import { images } from '../catalog/images';
import { sale } from '../catalog/sale';
import { specs } from '../catalog/specs';
import { catalogCheck, createCatalogCheck } from './catalogCheck';

function linesOf(check: typeof catalogCheck): string[] {
  const lines: string[] = [];
  check.runOffline((line) => lines.push(line), {});
  return lines;
}

describe('catalog check', () => {
  it('says what is offered, sold and given away', () => {
    const lines = linesOf(catalogCheck);

    expect(lines[0]).toBe('The catalogue is sound. Its prices are version 1.');
    expect(lines).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^ {2}cpu-64 +64 +32$/),
        expect.stringMatching(/^ {2}starter +30 +0 +¥15\.00 +– +90 +1 +500 +yes$/),
        expect.stringMatching(/^ {2}max +3 +¥299\.00 +¥2990\.00 +¥209\.00 +¥2090\.00 +400 +yes$/),
        expect.stringMatching(/^ {2}custom: 64–512 cores by 16 at ¥4\.00, .*; a year costs 10 months; students 20% off$/),
        expect.stringMatching(
          /^ {2}learn-20 +LEARN20 +coupon: 20% off a package, up to ¥100, 30 days +1000 +2026-01-01 +2028-01-01$/,
        ),
        expect.stringMatching(/^ {2}care +\(operators only\) /),
        expect.stringMatching(/^ {2}dcu-5 +500 +5 DCU, 90 days +– +yes$/),
        expect.stringMatching(/^Points: 1 a yuan, 1 fen each, paying at most 50%; check-in 5, /),
      ]),
    );
  });

  it('ends with the sentence of a fault, and says nothing before it', () => {
    const skus = sale.skus.map((sku) => ({ ...sku, studentFen: sku.listFen + 1 }));
    const lines: string[] = [];
    const check = createCatalogCheck(() => loadCatalogue({ specs, images, sale: { ...sale, skus } }));

    expect(() => check.runOffline((line) => lines.push(line), {})).toThrow('SKU starter must not cost students more than others.');
    expect(lines).toEqual([]);
  });
});
