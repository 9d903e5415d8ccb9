import { sql } from 'kysely';
import type { Db, Tx } from '../../db/client';

/** What is left of each limited offer. */
export async function selectLeft(reader: Db | Tx): Promise<Map<string, number>> {
  const rows = await reader.selectFrom('skuStock').select(['skuId', 'initial', 'reserved', 'sold']).execute();
  return new Map(rows.map(({ skuId, initial, reserved, sold }) => [skuId, initial - reserved - sold]));
}

/** Notes how many pieces there are of a limited offer; never fewer than were sold and set aside. */
export async function upsertStock(db: Db, skuId: string, initial: number): Promise<void> {
  await db
    .insertInto('skuStock')
    .values({ skuId, initial })
    .onConflict((conflict) =>
      conflict
        .column('skuId')
        .doUpdateSet({ initial: sql<number>`greatest(excluded.initial, sku_stock.reserved + sku_stock.sold)` })
        .where(sql<boolean>`sku_stock.initial <> greatest(excluded.initial, sku_stock.reserved + sku_stock.sold)`),
    )
    .execute();
}

/** Notes how often a code may be redeemed; never less often than it was. */
export async function upsertCampaign(db: Db, campaignId: string, most: number | null): Promise<void> {
  await db
    .insertInto('campaignTotal')
    .values({ campaignId, most })
    .onConflict((conflict) =>
      conflict
        .column('campaignId')
        .doUpdateSet({
          most: sql<number | null>`greatest(excluded.most, case when excluded.most is not null then campaign_total.redeemed end)`,
        })
        .where(sql<boolean>`campaign_total.most is distinct from excluded.most`),
    )
    .execute();
}
