import type { Catalogue } from '../../catalog/catalogue';
import { CUSTOM_PACKAGE_ID, customCeilings, packagePrice, skuPrice, YEAR_MONTHS } from '../../catalog/price.rules';
import type { OrderKind } from '../../contract/order';
import type { StoredOffer, StoredWords } from '../../db/schemaCommerce';
import { microFromDcu } from '../../dcu';
import { orderWords } from '../../locales/orderWords';
import { Refusal } from '../../refusal';
import { ceilingsOf } from '../membership/membership.rules';

export interface SkuAsk {
  skuId: string;
  quantity: number;
}

export interface PackageAsk {
  packageId: string;
  months: number;
  custom?: { cpuCores: number; monthlyDcu: number } | null;
}

/** One product as an order would sell it, before coupon, points and credit. */
export interface Offer {
  kind: OrderKind;
  productId: string;
  quantity: number;
  title: StoredWords;
  lines: readonly { title: StoredWords; quantity: number; listFen: bigint }[];
  /** What this member pays of the list. */
  ownFen: bigint;
  /** Pieces there are in all of a limited offer; null: not limited. */
  stock: number | null;
  brings: Pick<StoredOffer, 'micro' | 'bonusMicro' | 'validDays'>;
  package: Omit<NonNullable<StoredOffer['package']>, 'creditItemId'> | null;
  /** Built to measure, which is sold to verified members alone. */
  isCustom: boolean;
}

type Sale = Pick<Catalogue, 'findSku' | 'findPackage' | 'sale' | 'customPrice'>;

/** Throws SKU_UNAVAILABLE for one that is not on sale, or not in this quantity. */
export function skuOffer(catalogue: Sale, { skuId, quantity }: SkuAsk, isStudent: boolean): Offer {
  const sku = catalogue.findSku(skuId);
  if (!sku || sku.isRetired || quantity > sku.maxQuantity) throw new Refusal('SKU_UNAVAILABLE');
  const { listFen, priceFen } = skuPrice(sku, isStudent);
  const pieces = BigInt(quantity);
  const micro = (dcu: string) => String(microFromDcu(dcu) * pieces);
  return {
    ...{ kind: 'SKU', productId: skuId, quantity, title: sku.name, stock: sku.stock, package: null, isCustom: false },
    lines: [{ title: sku.name, quantity, listFen: listFen * pieces }],
    ownFen: priceFen * pieces,
    brings: { micro: micro(sku.dcu), bonusMicro: micro(sku.bonusDcu), validDays: sku.validDays },
  };
}

const NO_DCU = { micro: '0', bonusMicro: '0', validDays: null } as const;

/** Throws PACKAGE_UNAVAILABLE for one that is not on sale, or cannot be built like this. */
export function packageOffer(catalogue: Sale, ask: PackageAsk, isStudent: boolean): Offer {
  const { packageId, months, custom = null } = ask;
  // Parts say what a custom package is built from, and nothing of any other.
  if ((packageId === CUSTOM_PACKAGE_ID) !== (custom !== null)) throw new Refusal('PACKAGE_UNAVAILABLE');
  if (custom !== null) return customOffer(catalogue, { ...custom, months }, isStudent);
  const entry = catalogue.findPackage(packageId);
  if (!entry || entry.isRetired) throw new Refusal('PACKAGE_UNAVAILABLE');
  const { listFen, priceFen } = packagePrice(entry, months, isStudent);
  const title = titleOf(entry.name, months);
  return {
    ...{ kind: 'PACKAGE', productId: packageId, quantity: 1, title, stock: null, brings: NO_DCU, isCustom: false },
    lines: [{ title, quantity: 1, listFen }],
    ownFen: priceFen,
    package: {
      ...{ packageId, levelFlag: entry.levelFlag, months },
      monthlyMicro: String(microFromDcu(entry.monthlyDcu)),
      ceilings: ceilingsOf(entry.levelFlag, null),
    },
  };
}

/** Its cores and its DCU are a line each: what was built to measure says what each part costs. */
function customOffer(
  catalogue: Sale,
  { months, ...parts }: { cpuCores: number; monthlyDcu: number; months: number },
  isStudent: boolean,
): Offer {
  const { custom } = catalogue.sale;
  const { listFen, priceFen } = customPriceOf(catalogue, { ...parts, months, isStudent });
  const dcuFen = BigInt(parts.monthlyDcu * custom.fenPerDcu * (months === YEAR_MONTHS ? custom.yearInMonths : months));
  const title = titleOf(custom.name, months);
  const dcuLine = { title: orderWords('customDcu', { dcu: parts.monthlyDcu }), quantity: 1, listFen: dcuFen };
  return {
    ...{ kind: 'PACKAGE', productId: CUSTOM_PACKAGE_ID, quantity: 1, title, stock: null, brings: NO_DCU, isCustom: true },
    lines: [
      { title: orderWords('customCores', { cores: parts.cpuCores }), quantity: 1, listFen: listFen - dcuFen },
      ...(dcuFen > 0n ? [dcuLine] : []),
    ],
    ownFen: priceFen,
    package: {
      ...{ packageId: CUSTOM_PACKAGE_ID, levelFlag: 3, months },
      monthlyMicro: String(microFromDcu(String(parts.monthlyDcu))),
      ceilings: ceilingsOf(3, customCeilings(custom, parts.cpuCores)),
    },
  };
}

function customPriceOf(catalogue: Sale, ask: Parameters<Sale['customPrice']>[0]) {
  try {
    return catalogue.customPrice(ask);
  } catch (error) {
    if (error instanceof RangeError) throw new Refusal('PACKAGE_UNAVAILABLE');
    throw error;
  }
}

function titleOf(name: StoredWords, months: number): StoredWords {
  return orderWords(months === 1 ? 'packageMonth' : 'package', { name, months });
}
