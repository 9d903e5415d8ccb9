import { sql } from 'kysely';
import type { Db, Tx } from '../../db/client';
import type { ComputeEngine } from '../../drivers/compute/computeEngine';

export type EngineInstanceService = ReturnType<typeof createEngineInstanceService>;

/** Which engine instances share this database, and when the gateway of each was last alive. */
export function createEngineInstanceService({ db, engine }: { db: Db; engine: Pick<ComputeEngine, 'instanceId' | 'kind'> }) {
  return {
    /** Makes this gateway's own instance known. Touches no known row, so that members do not queue behind each other here. */
    async makeKnown(tx: Tx): Promise<void> {
      await tx
        .insertInto('engineInstance')
        .values({ id: engine.instanceId, kind: engine.kind })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },

    /** Says that this gateway is alive. */
    async beat(): Promise<void> {
      await db
        .insertInto('engineInstance')
        .values({ id: engine.instanceId, kind: engine.kind, lastSeenAt: sql<Date>`app_now()` })
        .onConflict((conflict) => conflict.column('id').doUpdateSet({ lastSeenAt: sql<Date>`app_now()` }))
        .execute();
    },

    /** Milliseconds since the gateway of an instance last said that it lives; undefined for an unknown one. */
    async silenceOf(instanceId: string): Promise<number | undefined> {
      const row = await db
        .selectFrom('engineInstance')
        .select(sql<number>`(extract(epoch from app_now() - last_seen_at) * 1000)::float8`.as('silentMs'))
        .where('id', '=', instanceId)
        .executeTakeFirst();
      return row?.silentMs;
    },
  };
}
