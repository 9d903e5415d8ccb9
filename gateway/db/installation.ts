import { randomBytes } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import type { Db } from './client';

export interface Installation {
  id: string;
  /** Key of the HMACs that outlive a member (one signup gift a number). */
  hmacKey: Buffer;
}

/** What this installation is to itself and its engines, made once for its database; two gateways that start together agree. */
export async function openInstallation(db: Db): Promise<Installation> {
  await db
    .insertInto('installation')
    .values({ id: uuidv7(), hmacKey: randomBytes(32) })
    .onConflict((conflict) => conflict.column('isSingleton').doNothing())
    .execute();
  return db.selectFrom('installation').select(['id', 'hmacKey']).executeTakeFirstOrThrow();
}
