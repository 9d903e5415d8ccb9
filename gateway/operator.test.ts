import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { bundleProgram } from './testing/bundledGateway';
import { startChild } from './testing/childProcess';
import { buildMember } from './testing/factories';
import { createTestDatabase, type TestDatabase } from './testing/testDatabase';

describe('the operator’s program', () => {
  let database: TestDatabase;
  let folder: string;
  let program: Awaited<ReturnType<typeof bundleProgram>>;
  beforeAll(async () => {
    program = await bundleProgram('gateway/operator.ts');
    database = await createTestDatabase();
    folder = await mkdtemp(join(tmpdir(), 'atelier-operator-'));
  });
  afterAll(async () => {
    program.remove();
    await database.drop();
    await rm(folder, { recursive: true });
  });

  async function run(args: string[], env: Record<string, string> = { DATABASE_URL: database.url }) {
    const child = startChild(program.entry, { DATA_DIR: folder, ...env }, args);
    return { code: await child.exited, output: child.output() };
  }

  it('runs a command on the database of the installation', async () => {
    await database.pool.query(
      `insert into tracker_event (at, visit_id, is_signed_in, kind, route) values (app_now(), gen_random_uuid(), false, 'pageView', '/login')`,
    );

    const { code, output } = await run(['track', 'report', '--days', '1', '--json']);

    expect(code).toBe(0);
    expect(JSON.parse(output)).toMatchObject({ totals: { pageViews: 1, visits: 1 }, routes: [{ route: '/login', pageViews: 1 }] });
  });

  it('answers a line it cannot follow with one sentence and exit code 2, without a database', async () => {
    expect(await run(['track', 'repot'], {})).toEqual({
      code: 2,
      output: 'There is no command track repot; --help lists them all.',
    });
  });

  it('runs a command about what is built in without a database', async () => {
    const { code, output } = await run(['catalog', 'check'], {});

    expect(code).toBe(0);
    expect(output).toMatch(/^The catalogue is sound\./);
  });

  it('runs a command that changes something, as who runs it, and answers a refusal with one sentence and exit code 1', async () => {
    const { username } = await buildMember(database.db);
    const issue = (member: string) =>
      run(['coupon', 'issue', '--member', member, '--campaign', 'care', '--ref', 'T-1', '--reason', 'the outage']);

    const first = await issue(username);
    const second = await issue('nobody-here');

    expect(first).toMatchObject({ code: 0, output: expect.stringMatching(new RegExp(`^${username} was given: .*\\.$`)) });
    expect(second).toEqual({ code: 1, output: 'There is no member nobody-here.' });
    const { rows } = await database.pool.query(`select actor from audit_entry where action = 'coupon issue'`);
    expect(rows).toEqual([{ actor: userInfo().username }]);
  });

  it('lists its commands without a database', async () => {
    const { code, output } = await run(['--help'], {});

    expect(code).toBe(0);
    expect(output).toMatch(/^ {2}track report {2,}\S.*\.$/m);
  });

  it.each([
    ['there is none', {}, /^There is no database in \S+; start the gateway first or set DATABASE_URL\.$/],
    ['it does not answer', { DATABASE_URL: 'postgresql://127.0.0.1:1/x' }, /^The database cannot be used: .*ECONNREFUSED.*\.$/],
    ['a setting is wrong', { PORT: 'eighty' }, /^PORT is eighty; it must be a whole number from 0 to 65535\.$/],
  ])('says in one sentence why it cannot reach the database: %s', async (_, env, sentence) => {
    const { code, output } = await run(['track', 'report'], env);

    expect(code).toBe(1);
    expect(output).toMatch(sentence);
  });

  it('asks for a start of the gateway where the database is of an older release', async () => {
    const old = await createTestDatabase();
    await old.pool.query('drop table tracker_event');
    const { code, output } = await run(['track', 'report'], { DATABASE_URL: old.url });
    await old.drop();

    expect(code).toBe(1);
    expect(output).toBe('The database is of an older release; start this release’s gateway once.');
  });
});
