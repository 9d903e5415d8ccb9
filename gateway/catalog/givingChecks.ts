import type { CouponKind } from '../contract/coupon';
import { checkPositive, checkPositiveOrNone, checkSomeDcu, checkWithin, checkWords, requireThat } from './entryChecks';
import type { CouponTermsEntry, Giving, SaleEntries } from './saleEntries';

const MOST_DAYS = 366;

type Products = Pick<SaleEntries, 'skus' | 'packages'>;

/** Checks what a campaign or reward gives, and that what it names exists. Throws `CatalogueError`. */
export function checkGiving(named: string, giving: Giving, products: Products): void {
  if (giving.gives === 'coupon') {
    checkPositive(named, { couponDays: giving.couponDays });
    checkTerms(named, giving.coupon, products);
  } else if (giving.gives === 'dcu') {
    checkPositiveOrNone(named, { validDays: giving.validDays });
    checkSomeDcu(named, 'dcu', giving.dcu);
  } else {
    checkWithin(named, 'days', giving.days, 1, MOST_DAYS);
    const isSold = products.packages.some(({ packageId }) => packageId === giving.packageId);
    requireThat(isSold, `${named} gives the package ${giving.packageId}, which the catalogue does not have.`);
  }
}

function checkTerms(named: string, terms: CouponTermsEntry, products: Products): void {
  checkWords(named, { title: terms.title });
  checkWorth(named, terms);
  checkWithin(named, 'minimumFen', terms.minimumFen, 0, Number.MAX_SAFE_INTEGER);
  const known = {
    SKU: products.skus.map(({ skuId }) => skuId),
    PACKAGE: products.packages.map(({ packageId }) => packageId),
  };
  const fitting = terms.scope === 'ALL' ? [...known.SKU, ...known.PACKAGE] : known[terms.scope];
  const stranger = terms.productIds.find((id) => !fitting.includes(id));
  requireThat(stranger === undefined, `${named} has a coupon for ${stranger}, which its scope does not have.`);
}

/** The figures that a kind of coupon has; those of the others stay empty. */
const figuresOf: Readonly<Record<CouponKind, readonly (keyof CouponTermsEntry)[]>> = {
  AMOUNT: ['amountFen'],
  PERCENT: ['percent', 'capFen'],
  DCU: ['dcu', 'validDays'],
};

function checkWorth(named: string, terms: CouponTermsEntry): void {
  const { kind, amountFen, percent, capFen, dcu, validDays } = terms;
  if (kind === 'AMOUNT') checkPositive(named, { amountFen });
  if (kind === 'PERCENT') {
    checkWithin(named, 'percent', percent ?? 0, 1, 100);
    checkPositive(named, { capFen });
  }
  if (kind === 'DCU') {
    checkSomeDcu(named, 'dcu', dcu);
    checkPositiveOrNone(named, { validDays });
  }
  const others = Object.values(figuresOf)
    .flat()
    .filter((field) => !figuresOf[kind].includes(field));
  const foreign = others.find((field) => terms[field] !== null);
  requireThat(foreign === undefined, `${named} has a coupon of kind ${kind} that must not say ${foreign}.`);
}
