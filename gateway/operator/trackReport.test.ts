import { v4 as uuidv4 } from 'uuid';
import type { TrackedBatch } from '../domains/tracker/tracker.rules';
import type { TrackReport } from '../domains/tracker/trackReport.service';
import { buildTestApp, type TestApp } from '../testing/buildTestApp';
import { runCommand } from '../testing/runCommand';
import { setTestNow } from '../testing/testDatabase';
import { trackReport } from './trackReport';

const WORKSHOPS = '/main/myLab/workshop';
const view = (route: string, agoMs = 0) => ({ kind: 'pageView', agoMs, route }) as const;
const click = (element: string) => ({ kind: 'click', agoMs: 0, route: WORKSHOPS, element }) as const;
const failure = (errorType: string) =>
  ({ kind: 'error', agoMs: 0, route: WORKSHOPS, errorType, file: 'umi.1a2b3c4d.js', line: 2, column: 71 }) as const;

describe('track report', () => {
  let test: TestApp;
  beforeEach(async () => {
    test = await buildTestApp();
    await setTestNow(test.db, new Date('2026-11-20T10:00:00Z'));
  });
  afterEach(() => test.close());

  async function tell(events: TrackedBatch['events'], visit: Partial<TrackedBatch> & { isSignedIn?: boolean } = {}): Promise<void> {
    const { isSignedIn = false, ...batch } = visit;
    const member = isSignedIn ? await test.buildMember() : null;
    const body = { visitId: uuidv4(), events, ...batch };
    expect((await test.as(member).send('POST /gateway/track/events', { body })).data.accepted).toBe(events.length);
  }
  async function linesOf(options: { days?: number; json?: boolean } = {}): Promise<string[]> {
    return runCommand(test, trackReport, { days: 7, json: false, ...options });
  }
  const reportOf = async (days: number): Promise<TrackReport> => JSON.parse((await linesOf({ days, json: true })).join('\n'));

  it('says so when there is nothing to say', async () => {
    expect(await linesOf()).toEqual(['No visit told anything from 2026-11-14 to 2026-11-20 (UTC).']);
    expect(await linesOf({ days: 1 })).toEqual(['No visit told anything on 2026-11-20 (UTC).']);
  });

  it('sums up pages, visits, clicks, errors and where visits came from', async () => {
    const visitId = uuidv4();
    await tell([view('/login'), view(WORKSHOPS), click('start-lab')], { visitId, source: 'campus', eventCode: 'spring' });
    await tell([view(WORKSHOPS), click('start-lab'), click('new-workshop')], {
      visitId,
      source: 'campus',
      eventCode: 'spring',
      isSignedIn: true,
    });
    await tell([view(WORKSHOPS), failure('TypeError'), failure('RangeError'), failure('TypeError')], { source: '公众号' });

    const lines = (await linesOf({ days: 2 })).join('\n');

    expect(lines).toBe(
      [
        '4 page views in 2 visits (1 signed in), 3 clicks, 3 errors, from 2026-11-19 to 2026-11-20 (UTC).',
        '',
        'By day',
        '  day         page views  visits  signed in visits  clicks  errors',
        '  2026-11-19           0       0                 0       0       0',
        '  2026-11-20           4       2                 1       3       3',
        '',
        'Pages',
        '  route                 page views  visits',
        '  /main/myLab/workshop           3       2',
        '  /login                         1       1',
        '',
        'Clicks',
        '  element       route                 clicks  visits',
        '  start-lab     /main/myLab/workshop       2       1',
        '  new-workshop  /main/myLab/workshop       1       1',
        '',
        'Errors',
        '  error type  place                 route                 times  visits',
        '  TypeError   umi.1a2b3c4d.js:2:71  /main/myLab/workshop      2       1',
        '  RangeError  umi.1a2b3c4d.js:2:71  /main/myLab/workshop      1       1',
        '',
        'Where visits came from',
        '  source  event code  visits  page views',
        '  campus  spring           1           3',
        '  公众号     –                1           1',
      ].join('\n'),
    );
  });

  it('counts whole days in UTC, today as one, and nothing before them', async () => {
    const sinceMidnight = 10 * 3_600_000;
    await tell([view('/login', sinceMidnight), view('/login', sinceMidnight + 1)]);
    await setTestNow(test.db, new Date('2026-11-21T23:59:59.999Z'));
    await tell([view(WORKSHOPS)]);

    expect((await reportOf(1)).days).toMatchObject([{ day: '2026-11-21', pageViews: 1 }]);
    expect((await reportOf(3)).days).toMatchObject([
      { day: '2026-11-19', pageViews: 1 },
      { day: '2026-11-20', pageViews: 1 },
      { day: '2026-11-21', pageViews: 1 },
    ]);
    expect((await reportOf(2)).totals.pageViews).toBe(2);
  });

  it('shows the twenty most frequent and counts all', async () => {
    const letters = [...'abcdefghijklmnopqrstuvwxy'];
    for (const part of [letters.slice(0, 10), letters.slice(10, 20), letters.slice(20)])
      await tell(part.map((name) => view(`/${name}`)));
    await tell([view('/y')]);

    const { routes, totals } = await reportOf(1);

    expect(totals.pageViews).toBe(26);
    expect(routes).toHaveLength(20);
    expect(routes[0]).toEqual({ route: '/y', pageViews: 2, visits: 2 });
  });

  it('has times only where performance tracking told some', async () => {
    const load = (durationMs: number) => ({ kind: 'timing', agoMs: 0, route: '/login', timing: 'loaded', durationMs }) as const;
    expect((await linesOf()).join('\n')).not.toContain('Loading');
    await tell([load(100), load(300), load(9_000)]);

    expect((await reportOf(1)).timings).toEqual([{ timing: 'loaded', loads: 3, medianMs: 300, slowestTenthMs: 9_000 }]);
    expect(await linesOf()).toContain('Loading, in ms');
  });

  it('changes nothing', async () => {
    await tell([view('/login')]);
    const rows = () => test.db.selectFrom('trackerEvent').selectAll().execute();
    const before = await rows();
    await linesOf();

    expect(await rows()).toEqual(before);
  });
});
