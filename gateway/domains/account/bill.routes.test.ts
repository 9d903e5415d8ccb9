import { sql } from 'kysely';
import { buildTestApp, type TestApp } from '../../testing/buildTestApp';
import type { TestMember } from '../../testing/factories';
import { setTestNow } from '../../testing/testDatabase';
import { brokenInvariants } from '../workshop/testbed';
import { runLab } from './labRun';

import '../../testing/matchers';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
// Half past nine in the evening there.
const NOW = new Date('2036-03-01T13:30:00Z');
const SPAN = { from: '2036-03-01', to: '2036-03-31' };
const PAGE = 'GET /gateway/bill/page';
const SUMMARY = 'GET /gateway/bill/summary';
const SEGMENTS = 'GET /gateway/bill/segments';
const EXPORT = 'GET /gateway/bill/export';

describe('bills', () => {
  let test: TestApp;
  let member: TestMember;
  beforeAll(async () => {
    test = await buildTestApp();
  });
  beforeEach(async () => {
    await setTestNow(test.db, NOW);
    member = await test.buildMember();
  });
  afterEach(async () => {
    expect(await brokenInvariants(test)).toEqual([]);
  });
  afterAll(() => test.close());

  const page = async (query: Record<string, string | number> = {}, who = member) =>
    (await test.as(who).send(PAGE, { query: { ...SPAN, ...query } })).data;

  it.each([PAGE, SUMMARY, SEGMENTS, EXPORT] as const)('%s asks a visitor to sign in', async (call) => {
    const query: Record<string, string> =
      call === SEGMENTS ? { sessionId: member.memberId } : { ...SPAN, ...(call === SUMMARY ? { step: 'day', group: 'spec' } : {}) };
    expect(await test.as(null).send(call, { query })).toFailWith('UNAUTHORIZED');
  });

  it('are empty before anything ran', async () => {
    expect(await page()).toEqual({ list: [], total: 0, totalDcu: 0 });
    const { data } = await test.as(member).send(SUMMARY, { query: { ...SPAN, step: 'month', group: 'workshop' } });
    expect(data).toEqual({ totalDcu: 0, observedMs: 0, series: [], groups: [], utcOffset: '+08:00' });
  });

  it('have a line for each run on each day of the billing time zone, which sum to the charge', async () => {
    const { workshopId, sessionId } = await runLab(test, member, 4 * HOUR + 7, { name: 'Night shift' });

    const { list, total, totalDcu } = await page();

    expect([total, totalDcu]).toEqual([2, 14.400007]);
    const shared = { sessionId, workshopId, workshopName: 'Night shift', specName: '1 core · 2 GB' };
    expect(list).toEqual([
      { ...shared, day: '2036-03-02', observedMs: 90 * MINUTE + 7, dcu: 5.400007, segments: expect.any(Number) },
      { ...shared, day: '2036-03-01', observedMs: 150 * MINUTE, dcu: 9, segments: expect.any(Number) },
    ]);
    expect(await page({ to: '2036-03-01' })).toMatchObject({ total: 1, totalDcu: 9 });
    expect(await page({ from: '2036-02-01', to: '2036-02-29' })).toMatchObject({ total: 0 });
  });

  it('are summed by day, month, workshop and size', async () => {
    const first = await runLab(test, member, 4 * HOUR, { name: 'First' });
    await runLab(test, member, HOUR, { workshopId: first.workshopId });
    const second = await runLab(test, member, HOUR, { name: 'Second', rateMicroPerHour: 36_000_000n });
    const summary = async (step: string, group: string) =>
      (await test.as(member).send(SUMMARY, { query: { ...SPAN, step, group } })).data;

    expect(await summary('day', 'workshop')).toEqual({
      ...{ totalDcu: 54, observedMs: 6 * HOUR, utcOffset: '+08:00' },
      series: [
        { period: '2036-03-01', dcu: 9, observedMs: 150 * MINUTE },
        { period: '2036-03-02', dcu: 45, observedMs: 210 * MINUTE },
      ],
      groups: [
        { groupId: second.workshopId, name: 'Second', dcu: 36, observedMs: HOUR, sessions: 1 },
        { groupId: first.workshopId, name: 'First', dcu: 18, observedMs: 5 * HOUR, sessions: 2 },
      ],
    });
    expect(await summary('month', 'spec')).toMatchObject({
      series: [{ period: '2036-03', dcu: 54 }],
      groups: [{ groupId: 'cpu-1', name: '1 core · 2 GB', sessions: 3 }],
    });
  });

  it('open to segments, which come to the charge when they are computed again', async () => {
    const { sessionId } = await runLab(test, member, 150 * MINUTE + 1);
    const open = async (query: object, who = member) => test.as(who).send(SEGMENTS, { query: { sessionId, ...query } });

    const { data } = await open({ pageSize: 100 });
    expect(data).toMatchObject({ chargedDcu: 9.000001, recomputedDcu: 9.000001, isExact: true, specName: '1 core · 2 GB' });
    expect(data.total).toBe(data.list.length);
    expect(data.list.reduce((sum, segment) => sum + segment.observedMs, 0)).toBe(150 * MINUTE + 1);
    expect(data.list.map(({ segment }) => segment)).toEqual(data.list.map((_segment, index) => index + 1));
    expect((await open({ current: 2, pageSize: 2 })).data.list[0]).toEqual(data.list[2]);
    expect(await open({}, await test.buildMember())).toFailWith('NOT_FOUND');
  });

  it('show a difference between charge and segments instead of hiding it', async () => {
    const { sessionId } = await runLab(test, member, HOUR);
    const charge = (micro: number) =>
      test.db.transaction().execute(async (tx) => {
        await sql`set local session_replication_role = replica`.execute(tx);
        await sql`update lab_session set charged_micro = charged_micro + ${micro}::bigint where id = ${sessionId}::uuid`.execute(
          tx,
        );
      });
    await charge(5);

    const { data } = await test.as(member).send(SEGMENTS, { query: { sessionId } });

    expect(data).toMatchObject({ chargedDcu: 3.600005, recomputedDcu: 3.6, isExact: false });
    await charge(-5);
  });

  it('come as a file that a spreadsheet reads as text, in the reader’s language', async () => {
    const { sessionId } = await runLab(test, member, HOUR, { name: '=1+1,"two"' });
    await runLab(test, member, HOUR, { name: '普通' });
    const file = async (language: string, query: Record<string, string> = {}) =>
      test.as(member).send(EXPORT, { query: { ...SPAN, ...query }, headers: { 'accept-language': language } });

    const reply = await file('en-US');
    expect(reply.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(reply.headers['content-disposition']).toBe('attachment; filename="atelier-2036-03-01-2036-03-31.csv"');
    const lines = reply.data.split('\r\n');
    expect(lines[0]).toBe('\uFEFFDay (UTC+8),Workshop,Size,Hours,DCU,Charges,Run');
    expect(lines.find((line) => line.endsWith(sessionId))).toMatch(
      new RegExp(`^2036-03-01,"'=1\\+1,""two""",1 core · 2 GB,1\\.000000,3\\.600000,\\d+,${sessionId}$`),
    );
    expect(lines).toHaveLength(4);
    expect((await file('zh-CN')).data.split('\r\n')[0]).toBe('\uFEFF日期（UTC+8）,工坊,规格,小时,DCU,扣费次数,运行编号');
    expect((await file('en-US', { from: '2036-02-01', to: '2036-02-02' })).data.split('\r\n')).toHaveLength(2);
    expect(await file('en-US', { to: '2036-02-30' })).toFailWith('INVALID_INPUT');
  });

  it('are kept of a workshop that is deleted, under its name', async () => {
    const { workshopId } = await runLab(test, member, HOUR, { name: 'Gone' });
    await test.as(member).send('POST /gateway/workshop/delete', { body: { workshopId } });

    expect((await page({ workshopId })).list.map(({ workshopName }) => workshopName)).toEqual(['Gone']);
    expect((await page({ workshopId }, await test.buildMember())).total).toBe(0);
  });

  it('are read by index however many others there are', async () => {
    await runLab(test, member, HOUR);
    const { rows } = await sql<{ 'QUERY PLAN': string }>`
      explain select * from usage_day d where d.member_id = ${member.memberId}::uuid and d.day between '2036-03-01' and '2036-03-31'
      order by d.day desc, d.session_id desc limit 10`.execute(test.db);
    expect(rows.map((row) => Object.values(row)[0]).join('\n')).toContain('usage_day_pkey');
  });
});
