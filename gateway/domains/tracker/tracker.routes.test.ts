import { v4 as uuidv4 } from 'uuid';
import { ensurePartitions } from '../../db/partitions';
import { createEnsurePartitionsLoop } from '../../jobs/ensurePartitions';
import { buildTestApp, type TestApp } from '../../testing/buildTestApp';
import { advance, setTestNow } from '../../testing/testDatabase';
import type { TrackedBatch } from './tracker.rules';

const KEY = 'POST /gateway/track/events';
const DETAIL = '/main/myLab/workshop/detail/:workshopId';
const view = { kind: 'pageView', agoMs: 0, route: DETAIL } as const;
const click = { kind: 'click', agoMs: 1_500, route: DETAIL, element: 'start-lab' } as const;
const failure = {
  kind: 'error',
  agoMs: 10,
  route: '/login',
  errorType: 'TypeError',
  file: 'umi.1a2b3c4d.js',
  line: 1,
  column: 90,
} as const;
const batch = (events: TrackedBatch['events'] = [view], more: Partial<TrackedBatch> = {}) => ({
  visitId: uuidv4(),
  events,
  ...more,
});

describe('POST /gateway/track/events', () => {
  let test: TestApp;
  beforeEach(async () => {
    test = await buildTestApp();
  });
  afterEach(() => test.close());

  const kept = () => test.db.selectFrom('trackerEvent').selectAll().orderBy('at').execute();
  /** Answers of a visitor's browser at this address. */
  const from = async (ip: string) =>
    test.app.inject({ method: 'POST', url: '/gateway/track/events', payload: batch(), remoteAddress: ip });

  it('keeps a visitor’s batch with the instants of the database’s clock', async () => {
    await setTestNow(test.db, new Date('2026-11-20T10:00:00Z'));
    const visitId = uuidv4();

    const reply = await test.as(null).send(KEY, {
      body: { visitId, source: 'campus', eventCode: '春招_2026', events: [view, click, failure] },
    });

    expect(reply.data).toEqual({ accepted: 3 });
    const visit = { visitId, isSignedIn: false, source: 'campus', eventCode: '春招_2026' };
    expect(await kept()).toMatchObject([
      { ...visit, kind: 'click', at: new Date('2026-11-20T09:59:58.500Z'), route: DETAIL, element: 'start-lab' },
      { ...visit, kind: 'error', errorType: 'TypeError', file: 'umi.1a2b3c4d.js', line: 1, column: 90, element: null },
      { ...visit, kind: 'pageView', at: new Date('2026-11-20T10:00:00Z'), errorType: null, timing: null, durationMs: null },
    ]);
  });

  it('keeps of a member that somebody was signed in, and nothing that says who', async () => {
    const member = await test.buildMember();

    await test.as(member).send(KEY, { body: batch() });

    const [row] = await kept();
    expect(row?.isSignedIn).toBe(true);
    const written = JSON.stringify(row);
    for (const secret of [member.memberId, member.loginSessionId, '127.0.0.1']) expect(written).not.toContain(secret);
  });

  it('takes what a browser’s beacon sends, and refuses another site’s', async () => {
    const beacon = (headers: Record<string, string>) =>
      test.app.inject({ method: 'POST', url: '/gateway/track/events', payload: JSON.stringify(batch()), headers });
    const json = { 'content-type': 'application/json', cookie: 'language=en', host: '127.0.0.1:8000' };

    expect((await beacon({ ...json, 'sec-fetch-site': 'same-origin' })).statusCode).toBe(200);
    expect((await beacon({ ...json, origin: 'http://127.0.0.1:8000' })).statusCode).toBe(200);
    expect((await beacon({ ...json, 'sec-fetch-site': 'cross-site' })).json()).toMatchObject({ code: 20003 });
    expect((await beacon({ ...json, 'content-type': 'text/plain', 'sec-fetch-site': 'same-origin' })).statusCode).toBe(415);
  });

  it.each([
    ['Do Not Track', { dnt: '1' }],
    ['Global Privacy Control', { 'sec-gpc': '1' }],
  ])('keeps nothing of a browser that asks for it by %s', async (_, headers) => {
    const reply = await test.as(null).send(KEY, { body: batch(), headers });

    expect(reply.data).toEqual({ accepted: 0 });
    expect(await kept()).toEqual([]);
  });

  it.each([
    ['a kind nobody knows', { ...view, kind: 'keyPress' }, 'body.events.0.kind'],
    ['a click on nothing', { kind: 'click', agoMs: 0, route: '/' }, 'body.events.0.element'],
    ['a page view with a click’s element', { ...view, element: 'start-lab' }, 'body.events.0.element'],
    ['an error without its type', { kind: 'error', agoMs: 0, route: '/', line: 3 }, 'body.events.0.errorType'],
    ['an error with its words', { ...failure, message: 'li.hua@school.edu.cn' }, 'body.events.0.message'],
    ['a timing without its length', { kind: 'timing', agoMs: 0, route: '/', timing: 'loaded' }, 'body.events.0.durationMs'],
    ['an instant to come', { ...view, agoMs: -1 }, 'body.events.0.agoMs'],
    ['an instant long past', { ...view, agoMs: 86_400_001 }, 'body.events.0.agoMs'],
    ['an id in place of its parameter', { ...view, route: `/main/myLab/workshop/detail/${uuidv4()}` }, 'body.events.0.route'],
    ['a number in its page', { ...view, route: '/main/13912345678' }, 'body.events.0.route'],
    ['a query', { ...view, route: '/login?redirect=x' }, 'body.events.0.route'],
    ['another site’s page', { ...view, route: 'https://elsewhere.example/' }, 'body.events.0.route'],
    ['a page of endless depth', { ...view, route: '/a'.repeat(9) }, 'body.events.0.route'],
    ['a generated id', { ...click, element: ':r1:' }, 'body.events.0.element'],
    ['a library’s id', { ...click, element: 'rc-tabs-more' }, 'body.events.0.element'],
    ['an id with a member’s thing in it', { ...click, element: `lab-${uuidv4()}` }, 'body.events.0.element'],
    ['words for a type', { ...failure, errorType: 'Cannot read li.hua' }, 'body.events.0.errorType'],
    ['a file’s whole address', { ...failure, file: 'https://x.example/a.js?token=1' }, 'body.events.0.file'],
  ])('refuses %s', async (_, event, field) => {
    const reply = await test.as(null).send(KEY, { body: { visitId: uuidv4(), events: [event] } });

    expect(reply).toFailWith('INVALID_INPUT');
    expect(reply.envelope.data).toMatchObject({ fields: expect.arrayContaining([expect.objectContaining({ field })]) });
    expect(await kept()).toEqual([]);
  });

  it.each([
    ['no event', { events: [] }],
    ['more events than a batch has', { events: Array(11).fill(view) }],
    ['no visit', { visitId: undefined }],
    ['a visit that is no random number', { visitId: 'li.hua' }],
    ['a member beside the visit', { memberId: uuidv4() }],
    ['an e-mail address for a source', { source: 'li.hua@school.edu.cn' }],
    ['a phone number for an event code', { eventCode: 'call-13912345678' }],
    ['a terminal’s escape for a source', { source: '\u001b[31mred' }],
  ])('refuses a batch with %s', async (_, wrong) => {
    expect(await test.as(null).send(KEY, { body: { ...batch(), ...wrong } })).toFailWith('INVALID_INPUT');
    expect(await kept()).toEqual([]);
  });

  it('refuses a body beyond 64 KB unread', async () => {
    const body = { ...batch(), padding: 'x'.repeat(65_536) };

    expect(await test.as(null).send(KEY, { body })).toFailWith('BODY_TOO_LARGE');
  });

  it('slows an address that sends more than a class does, and no other one', async () => {
    const replies = [];
    for (let sent = 0; sent < 121; sent += 1) replies.push((await from('203.0.113.7')).statusCode);
    const refused = await from('203.0.113.7');

    expect(replies.filter((status) => status === 200)).toHaveLength(120);
    expect(refused.json()).toMatchObject({ code: 20029 });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect((await from('203.0.113.8')).statusCode).toBe(200);
    expect(await kept()).toHaveLength(121);
  });

  it('bounds what all addresses send together, across gateways', async () => {
    await test.as(null).send(KEY, { body: batch() });
    await test.pool.query("update rate_limit set points = 3000 where key = 'track-all:all'");

    expect(await from('203.0.113.9')).toMatchObject({ statusCode: 429 });
    expect(await kept()).toHaveLength(1);
  });

  it('does not call kept what the database did not take', async () => {
    await test.pool.query('alter table tracker_event rename to tracker_gone');

    expect(await test.as(null).send(KEY, { body: batch() })).toFailWith('INTERNAL');
  });
});

describe('what the tracker told', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await buildTestApp();
  });
  afterAll(() => test.close());

  it('lies in a partition a month and is forgotten after 90 days', async () => {
    const log = test.app.log;
    const loop = createEnsurePartitionsLoop({ ...test, ...test.services, log });
    const partitions = async () => {
      const { rows } = await test.pool.query<{ name: string }>(
        'select tableoid::regclass::text as name from tracker_event order by at',
      );
      return rows.map(({ name }) => name);
    };
    await setTestNow(test.db, new Date('2026-08-05T10:00:00Z'));
    await ensurePartitions(test.db);
    await test.as(null).send(KEY, { body: batch() });
    await setTestNow(test.db, new Date('2026-08-25T10:00:00Z'));
    await test.as(null).send(KEY, { body: batch() });
    expect(await partitions()).toEqual(['tracker_event_2026_08', 'tracker_event_2026_08']);

    await setTestNow(test.db, new Date('2026-11-20T10:00:00Z'));
    await loop.runOnce();
    expect(await partitions()).toEqual(['tracker_event_2026_08']);

    await advance(test.db, 30 * 86_400_000);
    await loop.runOnce();
    expect(await partitions()).toEqual([]);
    const { rows } = await test.pool.query("select to_regclass('tracker_event_2026_08') as found");
    expect(rows).toEqual([{ found: null }]);
  });

  it('is nothing where the operator switched tracking off', async () => {
    const off = await buildTestApp({ config: { isTrackerOn: false } });

    const reply = await off.as(null).send(KEY, { body: batch() });

    expect(reply.data).toEqual({ accepted: 0 });
    expect(await off.db.selectFrom('trackerEvent').selectAll().execute()).toEqual([]);
    await off.close();
  });
});
