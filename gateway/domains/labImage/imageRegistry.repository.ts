import type { Selectable } from 'kysely';
import type { Db } from '../../db/client';
import type { RegistryAccountTable } from '../../db/schemaLab';

export type AccountRow = Pick<Selectable<RegistryAccountTable>, 'robotId' | 'robotName' | 'secretCipher' | 'expiresAt'>;

export function findAccount(db: Db, memberId: string): Promise<AccountRow | undefined> {
  return db
    .selectFrom('registryAccount')
    .select(['robotId', 'robotName', 'secretCipher', 'expiresAt'])
    .where('memberId', '=', memberId)
    .executeTakeFirst();
}

/** Of two made at once the later one stays; the earlier robot then is nobody's and lapses. */
export async function keepAccount(db: Db, memberId: string, account: AccountRow): Promise<void> {
  await db
    .insertInto('registryAccount')
    .values({ memberId, ...account })
    .onConflict((conflict) => conflict.column('memberId').doUpdateSet(account))
    .execute();
}
