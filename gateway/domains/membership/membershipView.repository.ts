import { sql } from 'kysely';
import type { ItemState } from '../../contract/membership';
import type { Db } from '../../db/client';
import type { StoredCeilings, StoredWords } from '../../db/schemaCommerce';

export interface ItemViewRow {
  id: string;
  name: StoredWords;
  levelFlag: number;
  source: 'ORDER' | 'GIFT';
  orderId: string | null;
  state: ItemState;
  startsAt: Date;
  endsAt: Date;
  endedAt: Date | null;
  months: number | null;
  monthlyMicro: bigint;
  carriedMicro: bigint;
  grantedMicro: bigint;
  usedMicro: bigint;
  nextGrantAt: Date | null;
  ceilings: StoredCeilings;
}

/** A page of what a member owns, newest first, each with the usage that its DCU paid for, and how many there are. */
export async function pageItems(
  db: Db,
  filter: { memberId: string; state: ItemState | null },
  { limit, offset }: { limit: number; offset: number },
): Promise<{ rows: ItemViewRow[]; total: number }> {
  const matching = db
    .selectFrom('purchasedPackageItem')
    .where('memberId', '=', filter.memberId)
    .$if(filter.state !== null, (query) => query.where('state', '=', filter.state ?? 'ACTIVE'));
  const [rows, { total }] = await Promise.all([
    matching
      .select(['id', 'name', 'levelFlag', 'source', 'orderId', 'state', 'startsAt', 'endsAt', 'endedAt', 'months', 'monthlyMicro'])
      .select(['carriedMicro', 'grantedMicro', 'nextGrantAt', 'ceilings'])
      .select(
        sql<bigint>`coalesce((select sum(u.amount) from dcu_lot l join lot_use u on u.lot_id = l.id
          join ledger_tx t on t.id = u.tx_id and t.kind = 'usage'
          where l.order_id = purchased_package_item.order_id), 0)::bigint`.as('usedMicro'),
      )
      .orderBy('createdAt', 'desc')
      .orderBy('id', 'desc')
      .limit(limit)
      .offset(offset)
      .execute(),
    matching.select((eb) => eb.fn.countAll<bigint>().as('total')).executeTakeFirstOrThrow(),
  ]);
  return { rows, total: Number(total) };
}
