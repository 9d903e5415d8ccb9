import { Migrator } from 'kysely';
import type { Db } from './client';
import * as identity from './migrations/0001_identity';
import * as ledger from './migrations/0002_ledger';
import * as workshop from './migrations/0003_workshop';
import * as tracker from './migrations/0004_tracker';
import * as audit from './migrations/0005_audit';
import * as lists from './migrations/0006_lists';
import * as orders from './migrations/0007_orders';
import * as packages from './migrations/0008_packages';
import * as paymentSandbox from './migrations/0009_paymentSandbox';
import * as usageDay from './migrations/0010_usageDay';
import * as labs from './migrations/0011_labs';

/** In order; a landed migration is never edited. Listed by hand because the gateway ships as one bundle. */
const migrations = {
  '0001_identity': identity,
  '0002_ledger': ledger,
  '0003_workshop': workshop,
  '0004_tracker': tracker,
  '0005_audit': audit,
  '0006_lists': lists,
  '0007_orders': orders,
  '0008_packages': packages,
  '0009_paymentSandbox': paymentSandbox,
  '0010_usageDay': usageDay,
  '0011_labs': labs,
};

/** Brings the schema up to date in one transaction, under the migrator's lock; running it again does nothing. */
export async function migrateToLatest(db: Db): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
  const { error } = await migrator.migrateToLatest();
  if (error) throw error;
}
