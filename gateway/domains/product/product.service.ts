import type { Catalogue } from '../../catalog/catalogue';
import { skuPrice } from '../../catalog/price.rules';
import type { SkuEntry } from '../../catalog/saleEntries';
import type { ProductCalls } from '../../contract/product';
import type { Db } from '../../db/client';
import { dcuFromMicro, microFromDcu } from '../../dcu';
import type { Language } from '../../locales/messages';
import { selectLeft, upsertCampaign, upsertStock } from './product.repository';

type Picked = ProductCalls['GET /gateway/product/pick']['data'];

export interface ProductDeps {
  db: Db;
  catalogue: Catalogue;
  users: { getProofs(memberId: string): Promise<{ isStudent: boolean }> };
}

export type ProductService = ReturnType<typeof createProductService>;

/** SKUs on sale. Refuses nothing. */
export function createProductService({ db, catalogue, users }: ProductDeps) {
  const { sale } = catalogue;
  return {
    /** What is on sale at the prices of whoever asks; a visitor sees the list's. */
    async pick(memberId: string | null, language: Language): Promise<Picked> {
      const isStudent = memberId !== null && (await users.getProofs(memberId)).isStudent;
      const left = await selectLeft(db);
      const skus = sale.skus.filter((sku) => !sku.isRetired);
      return {
        priceVersion: sale.priceVersion,
        isStudentPrice: isStudent,
        skus: skus.map((sku) => presentSku(sku, { isStudent, language, left: leftOf(sku, left) })),
      };
    },

    /** Makes the counters of limited offers and codes follow the catalogue; every gateway does it as it starts. */
    async prepareCounters(): Promise<void> {
      for (const { skuId, stock } of sale.skus) if (stock !== null) await upsertStock(db, skuId, stock);
      for (const { campaignId, code, most } of sale.campaigns) if (code !== null) await upsertCampaign(db, campaignId, most);
    },
  };
}

function leftOf({ skuId, stock }: SkuEntry, left: ReadonlyMap<string, number>): number | null {
  return stock === null ? null : (left.get(skuId) ?? stock);
}

function presentSku(sku: SkuEntry, { isStudent, language, left }: { isStudent: boolean; language: Language; left: number | null }) {
  const { listFen, priceFen } = skuPrice(sku, isStudent);
  return {
    skuId: sku.skuId,
    name: sku.name[language],
    description: sku.description[language],
    dcu: dcuFromMicro(microFromDcu(sku.dcu)),
    bonusDcu: dcuFromMicro(microFromDcu(sku.bonusDcu)),
    listFen: Number(listFen),
    priceFen: Number(priceFen),
    studentFen: sku.studentFen,
    validDays: sku.validDays,
    maxQuantity: sku.maxQuantity,
    left,
  };
}
