import { lstat, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { startChild } from '../testing/childProcess';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embeddedPostgres';
import { hydrateSymlinks } from './postgresBinaries';
import { findPostmaster } from './postmaster';

const fast = { fsync: 'off' };

describe('the embedded PostgreSQL', () => {
  let root: string;
  let dataDir: string;
  let postgres: EmbeddedPostgres;
  const pidFile = () => join(dataDir, 'postgres', 'data', 'postmaster.pid');

  beforeAll(async () => {
    // Deep under folders only we may enter, with a path no Unix socket's address has room for.
    root = await mkdtemp(join(tmpdir(), 'atelier-embedded-'));
    dataDir = join(root, 'a-folder-with-a-rather-long-name'.repeat(3), 'data');
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    postgres = await startEmbeddedPostgres(dataDir, fast);
    await query('create table kept (word text)');
    await query(`insert into kept values ('here')`);
  });
  afterAll(async () => {
    await postgres.stop();
    await rm(root, { recursive: true, force: true });
  });

  async function query(text: string): Promise<Record<string, unknown>[]> {
    const client = new Client({ connectionString: postgres.url('atelier') });
    await client.connect();
    try {
      return (await client.query(text)).rows;
    } finally {
      await client.end();
    }
  }

  async function killServer(): Promise<void> {
    const pid = findPostmaster(join(dataDir, 'postgres', 'data'));
    if (!pid) throw new Error('no server runs');
    process.kill(pid, 'SIGKILL');
    while (findPostmaster(join(dataDir, 'postgres', 'data'))) await new Promise((resolve) => setTimeout(resolve, 20));
  }

  it('starts under folders that only we may enter, and leaves them so', async () => {
    expect(postgres.isAdopted).toBe(false);
    expect((await stat(dataDir)).mode & 0o777).toBe(0o700);
    expect((await stat(dataDir)).uid).toBe(process.getuid?.());
  });

  it('sorts by code point, speaks UTF-8 and gives our role no more than its own database', async () => {
    const [row] = await query(`
      select datlocprovider as provider, datlocale as locale, pg_encoding_to_char(encoding) as encoding,
        current_setting('is_superuser') as superuser, current_setting('listen_addresses') as addresses
      from pg_database where datname = current_database()`);

    expect(row).toEqual({ provider: 'b', locale: 'C.UTF-8', encoding: 'UTF8', superuser: 'off', addresses: '' });
  });

  it('outlives the killed process that started it and is adopted by the next', async () => {
    await postgres.stop();
    const starter = startChild('gateway/testing/postgresStarter.ts', {}, [dataDir]);
    await starter.line(/started/);
    const pid = await readFile(pidFile(), 'utf8');
    await starter.end('SIGKILL');

    postgres = await startEmbeddedPostgres(dataDir, fast);

    expect(postgres.isAdopted).toBe(true);
    expect(await readFile(pidFile(), 'utf8')).toBe(pid);
    expect(await query('select word from kept')).toEqual([{ word: 'here' }]);
  });

  it('starts again after it was killed, though its number now belongs to another process', async () => {
    await killServer();
    const [, ...rest] = (await readFile(pidFile(), 'utf8')).split('\n');
    await writeFile(pidFile(), [process.pid, ...rest].join('\n'));

    postgres = await startEmbeddedPostgres(dataDir, fast);

    expect(postgres.isAdopted).toBe(false);
    expect(await query('select word from kept')).toEqual([{ word: 'here' }]);
  });

  it('is started once by two that start at the same time', async () => {
    await postgres.stop();

    const both = await Promise.all([startEmbeddedPostgres(dataDir, fast), startEmbeddedPostgres(dataDir, fast)]);

    postgres = both[0];
    expect(await query('select word from kept')).toEqual([{ word: 'here' }]);
  });

  it('clears away what a first start that was killed had begun', async () => {
    const other = join(root, 'cut');
    await mkdir(join(other, 'postgres', 'data.4194304'), { recursive: true, mode: 0o700 });

    const started = await startEmbeddedPostgres(other, fast);
    await started.stop();

    expect((await readdir(join(other, 'postgres'))).sort()).toEqual(['data', 'server.log']);
  });

  it('refuses data of another major version in one sentence', async () => {
    const old = join(root, 'old');
    await mkdir(join(old, 'postgres', 'data'), { recursive: true, mode: 0o700 });
    await writeFile(join(old, 'postgres', 'data', 'PG_VERSION'), '12\n');

    await expect(startEmbeddedPostgres(old)).rejects.toThrow(/was written by PostgreSQL 12; this release brings 18\.$/);
  });
});

describe('the libraries of the embedded PostgreSQL', () => {
  it('are linked where the package could not, once', async () => {
    const root = await mkdtemp(join(tmpdir(), 'atelier-links-'));
    await mkdir(join(root, 'native', 'lib'), { recursive: true });
    await writeFile(join(root, 'native', 'lib', 'libpq.so.5.18'), '');
    await writeFile(
      join(root, 'native', 'pg-symlinks.json'),
      JSON.stringify([{ source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so.5' }]),
    );

    await hydrateSymlinks(root);
    await hydrateSymlinks(root);

    expect((await lstat(join(root, 'native', 'lib', 'libpq.so.5'))).isSymbolicLink()).toBe(true);
    expect(await readdir(join(root, 'native', 'lib'))).toEqual(['libpq.so.5', 'libpq.so.5.18']);
    await rm(root, { recursive: true });
  });
});
