import { sql } from 'kysely';
import { type Db, inTransaction, readNow, type Tx } from './client';

const PARTITIONED = ['workshop_event', 'lab_metric', 'tracker_event'] as const;
type Partitioned = (typeof PARTITIONED)[number];
/** How far ahead months are made. */
const MONTHS_AHEAD = 2;
/** One gateway at a time; any constant nobody else uses. */
const LOCK_KEY = 4_120_117;

/** The month `offset` months from `at`, in UTC. */
function monthOf(at: Date, offset: number): { suffix: string; from: string; to: string } {
  const first = (months: number) => new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + months, 1)).toISOString();
  return { suffix: first(offset).slice(0, 7).replace('-', '_'), from: first(offset), to: first(offset + 1) };
}

/** Makes the partitions of this month and the next ones; what the default partition caught of such a month moves into it. */
export async function ensurePartitions(db: Db): Promise<number> {
  return inTransaction(db, async (tx) => {
    await sql`select pg_advisory_xact_lock(${LOCK_KEY})`.execute(tx);
    const now = await readNow(tx);
    let made = 0;
    for (const table of PARTITIONED) {
      for (let offset = 0; offset <= MONTHS_AHEAD; offset += 1) made += await ensureMonth(tx, table, monthOf(now, offset));
    }
    return made;
  });
}

async function ensureMonth(tx: Tx, table: Partitioned, month: ReturnType<typeof monthOf>): Promise<number> {
  const name = `${table}_${month.suffix}`;
  const { rows } = await sql<{ found: string | null }>`select to_regclass(${name})::text as found`.execute(tx);
  if (rows[0]?.found) return 0;
  const [partition, parent, caught] = [sql.id(name), sql.id(table), sql.id(`${table}_default`)];
  await sql`create table ${partition} (like ${parent} including defaults including constraints)`.execute(tx);
  await sql`with moved as (delete from ${caught} where at >= ${month.from}::timestamptz and at < ${month.to}::timestamptz returning *)
    insert into ${partition} select * from moved`.execute(tx);
  await sql`alter table ${parent} attach partition ${partition} for values from (${sql.lit(month.from)}) to (${sql.lit(month.to)})`.execute(
    tx,
  );
  return 1;
}

/** Drops the months of a table that ended more than `days` ago; what the default partition holds of them is deleted. */
export async function dropOldPartitions(db: Db, table: Partitioned, days: number): Promise<string[]> {
  return inTransaction(db, async (tx) => {
    await sql`select pg_advisory_xact_lock(${LOCK_KEY})`.execute(tx);
    const oldest = new Date((await readNow(tx)).getTime() - days * 86_400_000);
    const { rows } = await sql<{ name: string }>`
      select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = ${table}::regclass and c.relname ~ '_[0-9]{4}_[0-9]{2}$'`.execute(tx);
    const dropped = rows.map(({ name }) => name).filter((name) => endOf(name) <= oldest.getTime());
    for (const name of dropped) await sql`drop table ${sql.id(name)}`.execute(tx);
    await sql`delete from ${sql.id(`${table}_default`)} where at < ${oldest}`.execute(tx);
    return dropped;
  });
}

/** When the month in a partition's name ended. */
function endOf(name: string): number {
  const [, year = '', month = ''] = /_(\d{4})_(\d{2})$/.exec(name) ?? [];
  return Date.UTC(Number(year), Number(month), 1);
}
