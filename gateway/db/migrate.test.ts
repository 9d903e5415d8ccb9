import { Client, type Pool } from 'pg';
import { ADMIN_URL_VARIABLE } from '../testing/testPostgres';
import { createDb, createPool, type Db } from './client';
import { migrateToLatest } from './migrate';

const LOCK = 4711;

describe('the migrations', () => {
  const name = `migrate_${process.pid}`;
  let admin: Client;
  let pool: Pool;
  let db: Db;

  beforeAll(async () => {
    admin = new Client({ connectionString: process.env[ADMIN_URL_VARIABLE] });
    await admin.connect();
    await admin.query(`create database ${name}`);
    const url = new URL(process.env[ADMIN_URL_VARIABLE] ?? '');
    url.pathname = `/${name}`;
    pool = createPool(url.href, { limitsMs: { connect: 10_000, lock: 30_000, statement: 30_000, idleInTransaction: 30_000 } });
    db = createDb(pool);
  });
  afterAll(async () => {
    await db.destroy();
    await admin.query(`drop database ${name} with (force)`);
    await admin.end();
  });

  async function tables(): Promise<string[]> {
    const { rows } = await pool.query(`select tablename from pg_tables where schemaname = 'public' order by 1`);
    return rows.map(({ tablename }) => tablename).filter((table) => !table.startsWith('kysely_'));
  }

  it('leave nothing behind when cut in the middle', async () => {
    const [holder, watcher] = [await pool.connect(), await pool.connect()];
    await holder.query('select pg_advisory_lock($1)', [LOCK]);
    // The migration waits right after a table in the middle of it, for as long as it takes to cut its connection.
    await watcher.query(`
      create function wait_in_the_middle() returns event_trigger language plpgsql as $$
      begin
        if exists (select from pg_event_trigger_ddl_commands() where object_identity = 'public.dcu_lot') then
          perform pg_advisory_xact_lock(${LOCK});
        end if;
      end $$`);
    await watcher.query('create event trigger wait_in_the_middle on ddl_command_end execute function wait_in_the_middle()');

    const outcome = expect(migrateToLatest(db)).rejects.toThrow(/connection/i);
    let cut = 0;
    while (cut === 0) {
      const { rowCount } = await watcher.query(
        `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and not granted and objid = $1`,
        [LOCK],
      );
      cut = rowCount ?? 0;
    }
    await outcome;

    await watcher.query('drop event trigger wait_in_the_middle');
    await watcher.query('drop function wait_in_the_middle');
    await holder.query('select pg_advisory_unlock($1)', [LOCK]);
    holder.release();
    watcher.release();
    expect(await tables()).toEqual([]);
  });

  it('go through when run again, and a third run changes nothing', async () => {
    await migrateToLatest(db);
    const first = await tables();

    await migrateToLatest(db);

    expect(first).toEqual(expect.arrayContaining(['member', 'wallet', 'workshop', 'lab_session']));
    expect(await tables()).toEqual(first);
  });

  it('run once when two gateways start together', async () => {
    await admin.query(`drop database if exists ${name}_two`);
    await admin.query(`create database ${name}_two`);
    const url = new URL(process.env[ADMIN_URL_VARIABLE] ?? '');
    url.pathname = `/${name}_two`;
    const both = [createDb(createPool(url.href)), createDb(createPool(url.href))] as const;

    await Promise.all(both.map((one) => migrateToLatest(one)));

    const { rows } = await admin.query('select count(*)::int as n from pg_database where datname = $1', [`${name}_two`]);
    expect(rows).toEqual([{ n: 1 }]);
    await Promise.all(both.map((one) => one.destroy()));
    await admin.query(`drop database ${name}_two with (force)`);
  });
});
