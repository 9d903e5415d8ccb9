import { sql } from 'kysely';
import type { Db, Tx } from '../../db/client';

/** Pieces left of a limited offer; undefined while nobody counted them. */
export async function selectStockLeft(reader: Db | Tx, skuId: string): Promise<number | undefined> {
  const row = await reader
    .selectFrom('skuStock')
    .select(['initial', 'reserved', 'sold'])
    .where('skuId', '=', skuId)
    .executeTakeFirst();
  return row && row.initial - row.reserved - row.sold;
}

export interface StockMove {
  productId: string;
  quantity: number;
}

/** Sets pieces aside; false where too few are left. The last lock of all: it is held by everybody who buys the offer. */
export async function reserveStock(tx: Tx, { productId, quantity, stock }: StockMove & { stock: number }): Promise<boolean> {
  // An offer that came into the catalogue while this gateway ran has no row yet.
  await tx
    .insertInto('skuStock')
    .values({ skuId: productId, initial: stock })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const { rows } = await sql`
    update sku_stock set reserved = reserved + ${quantity}
    where sku_id = ${productId} and reserved + sold + ${quantity} <= initial returning sku_id`.execute(tx);
  return rows.length > 0;
}

/** Gives pieces that were set aside back. */
export async function freeStock(tx: Tx, { productId, quantity }: StockMove): Promise<void> {
  await sql`update sku_stock set reserved = reserved - ${quantity} where sku_id = ${productId}`.execute(tx);
}

/** Pieces that were set aside are sold. */
export async function sellStock(tx: Tx, { productId, quantity }: StockMove): Promise<void> {
  await sql`update sku_stock set reserved = reserved - ${quantity}, sold = sold + ${quantity} where sku_id = ${productId}`.execute(
    tx,
  );
}
