import { sql } from 'kysely';
import { captured } from '../../bench/capturedQuery';
import { buildTestApp, type TestApp } from '../../testing/buildTestApp';
import type { TestMember } from '../../testing/factories';
import { advance } from '../../testing/testDatabase';
import { brokenInvariants, pass, sessionOf, startLab } from '../workshop/testbed';
import { pageRuns } from './labSessionList.repository';

const NOBODYS = '00000000-0000-4000-8000-000000000000';
const MINUTE = 60_000;

describe('the member’s runs', () => {
  let test: TestApp;
  let member: TestMember;
  beforeEach(async () => {
    test = await buildTestApp();
    await advance(test.db, 0);
    member = await test.buildMember({ levelFlag: 3 });
  });
  afterEach(async () => {
    expect(await brokenInvariants(test)).toEqual([]);
    await test.close();
  });

  const page = async (query: Record<string, string | number> = {}, who = member) =>
    (await test.as(who).send('GET /gateway/session/page', { query })).data;
  const filterList = async () => (await test.as(member).send('GET /gateway/session/filterList')).data;
  const stop = (workshopId: string, isForced = false) =>
    test.as(member).send('POST /gateway/workshop/stop', { body: { workshopId, isForced } });
  const remove = (sessionId: string, who: TestMember | null = member) =>
    test.as(who).send('POST /gateway/session/delete', { body: { sessionId } });
  const copy = (body: object, who: TestMember | null = member, key?: string) =>
    test.as(who).send('POST /gateway/session/copy', { body, headers: key ? { 'idempotency-key': key } : {} });

  /** A run of so many minutes; without any it goes on. */
  async function run({ minutes = 0, name = '', specId = 'cpu-half' }): Promise<{ sessionId: string; workshopId: string }> {
    const lab = await startLab(test, { member, specId });
    if (name) await test.as(member).send('POST /gateway/workshop/update', { body: { workshopId: lab.workshopId, name } });
    if (minutes > 0) {
      await advance(test.db, minutes * MINUTE);
      await stop(lab.workshopId);
      await pass(test, 2);
    }
    await advance(test.db, 1_000);
    return lab;
  }

  it('are listed newest first with what they cost, why they ended and what they were set to', async () => {
    const first = await run({ minutes: 6, name: 'Six minutes' });
    const second = await run({});

    const { list, total } = await page();

    expect(total).toBe(2);
    expect(list.map(({ sessionId }) => sessionId)).toEqual([second.sessionId, first.sessionId]);
    expect(list[1]).toMatchObject({
      ...{ workshopName: 'Six minutes', isWorkshopThere: true, stopReason: 'MEMBER', runningMs: 6 * MINUTE, dcuPerHour: 0.25 },
      ...{ costDcu: 0.025, exitCode: 0, hasOutput: false, advice: null, spec: { specId: 'cpu-half' }, image: { imageId: 'shell' } },
      setup: { maxHours: null, idleMinutes: null, env: {}, network: 'none' },
    });
    expect(list[0]).toMatchObject({ endedAt: null, stopReason: null });
    expect((await page({}, await test.buildMember())).total).toBe(0);
  });

  it('are found by name, state, reason, size and time, sorted and cut into pages', async () => {
    const long = await run({ minutes: 8, name: 'Long 100%_run' });
    const short = await run({ minutes: 2, name: 'Short run', specId: 'cpu-1' });
    const from = (await advance(test.db, 0)).toISOString();
    const open = await run({});
    const ids = async (query: Record<string, string | number>) => (await page(query)).list.map(({ sessionId }) => sessionId);

    expect(await ids({ keyword: '100%_' })).toEqual([long.sessionId]);
    expect(await ids({ keyword: 'RUN' })).toEqual([short.sessionId, long.sessionId]);
    expect(await ids({ state: 'OPEN' })).toEqual([open.sessionId]);
    expect(await ids({ state: 'ENDED', sortField: 'runningMs', sortOrder: 'ascend' })).toEqual([short.sessionId, long.sessionId]);
    expect(await ids({ stopReason: 'FORCED' })).toEqual([]);
    expect(await ids({ specId: 'cpu-1' })).toEqual([short.sessionId]);
    expect(await ids({ from })).toEqual([open.sessionId]);
    expect(await ids({ to: from, sortField: 'costDcu' })).toEqual([long.sessionId, short.sessionId]);
    expect(await ids({ sortOrder: 'ascend', pageSize: 1, current: 2 })).toEqual([short.sessionId]);
    expect(await page({ current: 9 })).toEqual({ list: [], total: 3 });
    expect(await filterList()).toEqual({
      states: [
        { state: 'OPEN', count: 1 },
        { state: 'ENDED', count: 2 },
      ],
      stopReasons: [{ stopReason: 'MEMBER', count: 2 }],
      specs: [
        { specId: 'cpu-half', name: expect.any(String), count: 2 },
        { specId: 'cpu-1', name: expect.any(String), count: 1 },
      ],
    });
  });

  it('stay when their workshop is deleted, and say that it is gone', async () => {
    const { sessionId, workshopId } = await run({ minutes: 2, name: 'Gone' });
    await test.as(member).send('POST /gateway/workshop/delete', { body: { workshopId } });
    await pass(test, 2);

    expect((await page()).list).toMatchObject([{ sessionId, workshopName: 'Gone', isWorkshopThere: false }]);
    expect((await copy({ sessionId })).data.name).toBe('Gone 2');
  });

  it('are taken out of the list once ended, and their bill stays', async () => {
    const { sessionId, workshopId } = await run({ minutes: 6 });
    const open = await run({});

    expect(await remove(open.sessionId)).toFailWith('SESSION_OPEN');
    expect(await remove(sessionId, null)).toFailWith('UNAUTHORIZED');
    expect(await remove(sessionId, await test.buildMember())).toFailWith('NOT_FOUND');
    expect(await remove(NOBODYS)).toFailWith('NOT_FOUND');
    expect((await remove(sessionId.toUpperCase())).data).toEqual({ sessionId });

    expect(await remove(sessionId)).toFailWith('NOT_FOUND');
    expect((await page()).list.map((row) => row.sessionId)).toEqual([open.sessionId]);
    expect((await filterList()).stopReasons).toEqual([]);
    expect(await test.as(member).send('GET /gateway/workshop/logs', { query: { workshopId, sessionId } })).toFailWith('NOT_FOUND');
    const bill = await test.as(member).send('GET /gateway/bill/segments', { query: { sessionId } });
    expect(bill.data).toMatchObject({ list: [expect.anything()] });
    expect((await sessionOf(test, sessionId)).chargedMicro).toBe(25_000n);
  });

  it('are copied into workshops of their own, named one after the other, with everything they were set to', async () => {
    const setup = { maxHours: 3, idleMinutes: 60, env: { SEED: '1' } };
    const body = { name: 'Model', specId: 'cpu-1', imageId: 'python-3', ...setup, startNow: true };
    const made = (await test.as(member).send('POST /gateway/workshop/create', { body })).data;
    const sessionId = made.session?.sessionId ?? '';
    await stop(made.workshopId);
    await test.as(member).send('POST /gateway/workshop/update', { body: { workshopId: made.workshopId, maxHours: 9, env: {} } });

    const first = (await copy({ sessionId })).data;
    const second = (await copy({ sessionId, startNow: true })).data;
    const named = (await copy({ sessionId, name: ' My own ' })).data;

    expect(first).toMatchObject({
      name: 'Model 2',
      state: 'STOPPED',
      ...setup,
      spec: { specId: 'cpu-1' },
      image: { imageId: 'python-3' },
    });
    expect(second).toMatchObject({ name: 'Model 3', state: 'QUEUED' });
    expect(named.name).toBe('My own');
    expect(await copy({ sessionId, name: 'MODEL' })).toFailWith('WORKSHOP_NAME_TAKEN');
  });

  it('are copied once for a key, and under the same limits as anything new', async () => {
    const { sessionId } = await run({ minutes: 2, name: 'Kept' });
    const [one, two] = await Promise.all([
      copy({ sessionId }, member, 'copy-key-0001'),
      copy({ sessionId }, member, 'copy-key-0001'),
    ]);
    expect(one.data).toEqual(two.data);
    expect(await copy({ sessionId, startNow: true }, member, 'copy-key-0001')).toFailWith('IDEMPOTENCY_CONFLICT');
    expect(await copy({ sessionId }, null)).toFailWith('UNAUTHORIZED');
    expect(await copy({ sessionId }, await test.buildMember())).toFailWith('NOT_FOUND');
    expect(await copy({ sessionId: NOBODYS })).toFailWith('NOT_FOUND');

    test.engine.simulate.setReachable(false);
    expect(await copy({ sessionId })).toFailWith('ENGINE_UNAVAILABLE');
    test.engine.simulate.setReachable(true);
    test.engine.simulate.setMissingCommands(['bash']);
    expect(await copy({ sessionId })).toFailWith('IMAGE_UNAVAILABLE');
    test.engine.simulate.setMissingCommands([]);
    const others = Array.from({ length: 48 }, () => test.buildWorkshop({ memberId: member.memberId }));
    await Promise.all(others);
    expect(await copy({ sessionId })).toFailWith('WORKSHOP_LIMIT');
  });

  it('that are taken away while they are copied leave no copy', async () => {
    const { sessionId } = await run({ minutes: 2 });
    const { missingCommands } = test.engine;
    jest.spyOn(test.engine, 'missingCommands').mockImplementationOnce(async (commands) => {
      await remove(sessionId);
      return missingCommands(commands);
    });

    expect(await copy({ sessionId })).toFailWith('NOT_FOUND');

    expect((await test.as(member).send('GET /gateway/workshop/page')).data.total).toBe(1);
  });

  it('that are copied and taken away at once are copied whole or not at all', async () => {
    const { sessionId } = await run({ minutes: 2 });

    const [copied, removed] = await Promise.all([copy({ sessionId }), remove(sessionId)]);

    expect(removed.envelope.success).toBe(true);
    if (!copied.envelope.success) expect(copied).toFailWith('NOT_FOUND');
    const { total } = (await test.as(member).send('GET /gateway/workshop/page')).data;
    expect(total).toBe(copied.envelope.success ? 2 : 1);
    expect(await copy({ sessionId })).toFailWith('NOT_FOUND');
  });

  it('are found by an index however many others there are', async () => {
    const { workshopId, sessionId } = await run({ minutes: 2 });
    const strangers = await test.buildMember();
    const { workshopId: theirs } = await test.buildWorkshop({ memberId: strangers.memberId });
    await test.db.transaction().execute(async (tx) => {
      await sql`set local session_replication_role = replica`.execute(tx);
      await sql`insert into lab_session (id, workshop_id, member_id, generation, engine_instance_id, spec_id, image_id, queued_at, ended_at, stop_reason,
        rate_micro_per_hour, price_version, price_fixed_until, lease_limit_ms, held_micro)
        select uuidv7(), ${theirs}, ${strangers.memberId}, n, engine_instance_id, spec_id, image_id, queued_at, ended_at, stop_reason,
          rate_micro_per_hour, 1, queued_at, 0, 0 from generate_series(1, 20000) n, (select * from lab_session where id = ${sessionId}) s`.execute(
        tx,
      );
      await sql`analyze lab_session`.execute(tx);
    });
    const first = { sortField: 'startedAt', sortOrder: 'descend', limit: 10, offset: 0 } as const;
    const query = await captured(test.url, (db) => pageRuns(db, { memberId: member.memberId, ...first }));
    const { rows } = await test.pool.query<Record<string, string>>(`explain ${query.sql}`, [...query.parameters]);
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');

    expect(plan).toContain('lab_session_member');
    expect(plan).not.toContain('Seq Scan on lab_session');
    expect((await page()).list).toMatchObject([{ workshopId }]);
  });
});
