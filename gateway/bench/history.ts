import { join } from 'node:path';
import { sql } from 'kysely';
import { addBillingDays, billingDayOf } from '../billingCalendar';
import type { Db } from '../db/client';
import { pageChanges } from '../domains/account/account.repository';
import { pageEvents } from '../domains/workshop/workshopView.repository';
import { startGatewayProcess } from '../testing/gatewayProcess';
import { connect, fillDatabase, onBenchServer } from './benchDatabase';
import { captured } from './capturedQuery';
import { SESSIONS_A_DAY, seedCommerce } from './commerceHistory';
import { type BenchRun, quantile, rounded, runBench } from './finding';
import { dropOverlapGuard, type History, seedHistory } from './historyWorld';

const FEW = 1_000;
const PAGE_SIZE = 10;
/** A page of a long history takes as long as one of a short one, give or take. */
const TOLERANCE = 1.2;

interface Ask {
  name: string;
  send(origin: string, history: History): Promise<Response>;
}

const changes = (name: string, bodyOf: (history: History) => object): Ask => ({
  name: `dcuChange/pageFind, ${name}`,
  send: (origin, history) => post(`${origin}/gateway/dcuChange/pageFind`, origin, history, bodyOf(history)),
});
const orders = (name: string, bodyOf: (history: History) => object): Ask => ({
  name: `order/pageFind, ${name}`,
  send: (origin, history) => post(`${origin}/gateway/order/pageFind`, origin, history, bodyOf(history)),
});
const reading = (name: string, pathOf: (history: History) => string): Ask => ({
  name,
  send: (origin, history) => fetch(`${origin}/gateway/${pathOf(history)}`, { headers: headersOf(origin, history) }),
});
const events = (name: string, currentOf: (history: History) => number): Ask =>
  reading(
    `workshop/events, ${name}`,
    (history) => `workshop/events?workshopId=${history.workshopId}&pageSize=${PAGE_SIZE}&current=${currentOf(history)}`,
  );

const middle = ({ rows }: History) => Math.floor(rows / PAGE_SIZE / 2);
const last = ({ rows }: History) => Math.floor(rows / PAGE_SIZE);
const ofOneWorkshop = (pageOf: (history: History) => number) => (history: History) =>
  Math.max(1, Math.floor(pageOf(history) / 100));
const asks: readonly Ask[] = [
  changes('first page', () => ({})),
  changes('a page in the middle', (history) => ({ current: middle(history) })),
  changes('last page', (history) => ({ current: last(history) })),
  changes('usage only, first page', () => ({ kind: 'usage' })),
  changes('usage only, last page', (history) => ({ kind: 'usage', current: last(history) - 1 })),
  changes('gifts only', () => ({ kind: 'gift' })),
  changes('one day', () => ({ from: new Date(Date.now() - 86_400_000).toISOString() })),
  changes('all of time by a filter', () => ({ from: '2001-01-01T00:00:00Z' })),
  changes('one workshop of a hundred', ({ workshopId }) => ({ workshopId })),
  events('first page', () => 1),
  events('a page in the middle', ofOneWorkshop(middle)),
  events('last page', ofOneWorkshop(last)),
  orders('first page', () => ({})),
  orders('a page in the middle', (history) => ({ current: middle(history) })),
  orders('last page', (history) => ({ current: last(history) })),
  orders('one day', () => ({ from: new Date(Date.now() - 86_400_000).toISOString() })),
  orders('those to be paid', () => ({ state: 'PENDING' })),
  reading('points/page, first page', () => `points/page?pageSize=${PAGE_SIZE}`),
  reading('points/page, last page', (history) => `points/page?pageSize=${PAGE_SIZE}&current=${last(history)}`),
  reading('bill/page, ten days', () => `bill/page?pageSize=${PAGE_SIZE}&${tenDays()}`),
  reading('bill/page, ten days, last page', () => `bill/page?pageSize=${PAGE_SIZE}&current=${FEW / PAGE_SIZE}&${tenDays()}`),
  reading('bill/summary, ten days', () => `bill/summary?step=day&group=workshop&${tenDays()}`),
];

/** List pages over a long history beside a short one in the same tables, turn by turn, through the built gateway. */
async function measureHistory(run: BenchRun): Promise<void> {
  const many = run.isQuick ? 100_000 : 1_000_000;
  await onBenchServer(async (server) => {
    const url = await server.createDatabase('history');
    const histories: History[] = [];
    await fillDatabase(url, async (db) => {
      await dropOverlapGuard(db);
      for (const rows of [FEW, many]) {
        const history = await seedHistory(db, rows);
        await seedCommerce(db, history.member, rows);
        histories.push(history);
      }
    });
    const [short, long] = histories;
    if (!short || !long) return;
    const gateway = await startGatewayProcess(join(server.folder, 'data'), {
      entry: 'build/gateway/main.js',
      env: { DATABASE_URL: url, REQUESTS_PER_SECOND: '0' },
    });
    for (const ask of asks) {
      const took: { short: number; long: number } = await compare(run, gateway.origin, ask, short, long);
      run.report({
        ...{ what: `${ask.name}, ${many.toLocaleString('en')} rows, p95`, measured: rounded(took.long), unit: 'ms' },
        ...{ base: { name: `${FEW.toLocaleString('en')} rows`, value: rounded(took.short) }, budget: { atMost: TOLERANCE } },
      });
    }
    await gateway.end('SIGTERM');
    run.report(await countSequentialScans(url, long));
  });
}

function post(url: string, origin: string, history: History, body: object): Promise<Response> {
  const headers = { ...headersOf(origin, history), 'content-type': 'application/json' };
  return fetch(url, { method: 'POST', headers, body: JSON.stringify({ pageSize: PAGE_SIZE, ...body }) });
}

/** As many lines as the short history has in all. */
function tenDays(): string {
  const today = billingDayOf(new Date());
  return `from=${addBillingDays(today, 1 - FEW / SESSIONS_A_DAY)}&to=${today}`;
}

function headersOf(origin: string, { member: { loginSessionId, loginSecret } }: History): Record<string, string> {
  return { origin, 'sec-fetch-site': 'same-origin', cookie: `sessionId=${loginSessionId}; atelier=${loginSecret}` };
}

async function compare(run: BenchRun, origin: string, ask: Ask, short: History, long: History) {
  const took: { short: number[]; long: number[] } = { short: [], long: [] };
  const once = async (history: History): Promise<number> => {
    const startedMs = performance.now();
    const response = await ask.send(origin, history);
    const answer = await response.text();
    const tookMs = performance.now() - startedMs;
    if (!response.ok || !answer.includes('"success":true'))
      throw new Error(`${ask.name} answered ${response.status}: ${answer.slice(0, 200)}`);
    return tookMs;
  };
  for (let turn = 0; turn < 20; turn += 1) for (const history of [short, long]) await once(history);
  for (let turn = 0; turn < (run.isQuick ? 60 : 150); turn += 1) {
    took.short.push(await once(short));
    took.long.push(await once(long));
  }
  return { short: quantile(took.short, 0.95), long: quantile(took.long, 0.95) };
}

/** Of every statement behind those pages, as the planner has it for the long history. */
async function countSequentialScans(url: string, { member: { memberId }, workshopId, rows }: History) {
  const filter = { memberId, kind: null, from: null, to: null, workshopId: null };
  const filters = [filter, { ...filter, kind: 'usage' as const }, { ...filter, from: new Date(0) }, { ...filter, workshopId }];
  const page = { offset: rows / 2, size: PAGE_SIZE };
  const statements: ((db: Db) => Promise<unknown>)[] = [
    ...filters.map((one) => (db: Db) => pageChanges(db, one, page)),
    (db) => pageEvents(db, { memberId, workshopId, limit: PAGE_SIZE, offset: rows / 2 }),
  ];
  const db = connect(url, 1);
  const found: string[] = [];
  for (const statement of statements) {
    const { sql: text, parameters } = await captured(url, statement);
    const { rows: lines } = await db.executeQuery<Record<string, unknown>>({
      ...sql`select 1`.compile(db),
      ...{ sql: `explain (analyze, costs off, timing off) ${text}`, parameters },
    });
    const plan = lines.flatMap((line) => Object.values(line)).join('\n');
    // Of a partition that is still empty there is nothing to scan.
    found.push(...(plan.match(/Seq Scan on (ledger_\w+|usage_segment|workshop_event\w*)(?=.*actual rows=[1-9])/g) ?? []));
  }
  await db.destroy();
  return {
    ...{ what: `sequential scans of history in ${statements.length} plans`, measured: found.length, unit: 'scans' as const },
    ...{ budget: { of: 'measured' as const, atMost: 0 }, note: [...new Set(found)].join(', ') },
  };
}

runBench(measureHistory);
