import { type RawBuilder, sql } from 'kysely';
import { type Db, inTransaction, readNow, type Tx } from './client';

const PARTITIONED = ['workshop_event', 'lab_metric', 'tracker_event', 'audit_entry'] as const;
type Partitioned = (typeof PARTITIONED)[number];
/** Their rows change never; a trigger against TRUNCATE is the only one that partitions do not get from their table. */
const APPEND_ONLY: ReadonlySet<Partitioned> = new Set<Partitioned>(['audit_entry']);
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
  const isOfMonth = sql`at >= ${month.from}::timestamptz and at < ${month.to}::timestamptz`;
  await sql`create table ${partition} (like ${parent} including defaults including constraints)`.execute(tx);
  const moved = await sql`insert into ${partition} select * from ${caught} where ${isOfMonth}`.execute(tx);
  if (moved.numAffectedRows) await renewDefault(tx, table, sql`not (${isOfMonth})`);
  await sql`alter table ${parent} attach partition ${partition} for values from (${sql.lit(month.from)}) to (${sql.lit(month.to)})`.execute(
    tx,
  );
  await guardTruncate(tx, table, name);
  return 1;
}

/** Another default partition with only those rows; nothing is deleted, which an append-only table refuses. */
async function renewDefault(tx: Tx, table: Partitioned, isKept: RawBuilder<unknown>): Promise<void> {
  const [parent, current, old] = [sql.id(table), sql.id(`${table}_default`), sql.id(`${table}_replaced`)];
  await sql`alter table ${parent} detach partition ${current}`.execute(tx);
  await sql`alter table ${current} rename to ${old}`.execute(tx);
  await sql`create table ${current} partition of ${parent} default`.execute(tx);
  await sql`insert into ${current} select * from ${old} where ${isKept}`.execute(tx);
  await sql`drop table ${old}`.execute(tx);
  await guardTruncate(tx, table, `${table}_default`);
}

async function guardTruncate(tx: Tx, table: Partitioned, partition: string): Promise<void> {
  if (!APPEND_ONLY.has(table)) return;
  await sql`create trigger ${sql.id(`${table}_no_truncate`)} before truncate on ${sql.id(partition)}
    for each statement execute function refuse_change()`.execute(tx);
}

/** Drops the months of a table that ended more than `days` ago; what the default partition holds of them goes, too. */
export async function dropOldPartitions(db: Db, table: Partitioned, days: number): Promise<string[]> {
  return inTransaction(db, async (tx) => {
    await sql`select pg_advisory_xact_lock(${LOCK_KEY})`.execute(tx);
    const oldest = new Date((await readNow(tx)).getTime() - days * 86_400_000);
    const { rows } = await sql<{ name: string }>`
      select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = ${table}::regclass and c.relname ~ '_[0-9]{4}_[0-9]{2}$'`.execute(tx);
    const dropped = rows.map(({ name }) => name).filter((name) => endOf(name) <= oldest.getTime());
    for (const name of dropped) await sql`drop table ${sql.id(name)}`.execute(tx);
    const caught = await sql`select from ${sql.id(`${table}_default`)} where at < ${oldest} limit 1`.execute(tx);
    if (caught.rows.length > 0) await renewDefault(tx, table, sql`at >= ${oldest}`);
    return dropped;
  });
}

/** When the month in a partition's name ended. */
function endOf(name: string): number {
  const [, year = '', month = ''] = /_(\d{4})_(\d{2})$/.exec(name) ?? [];
  return Date.UTC(Number(year), Number(month), 1);
}
