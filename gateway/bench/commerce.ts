import { join } from 'node:path';
import { sql } from 'kysely';
import { buildMember, type TestMember } from '../testing/factories';
import { startGatewayProcess } from '../testing/gatewayProcess';
import { connect, fillDatabase, onBenchServer } from './benchDatabase';
import { type BenchRun, quantile, rounded, runBench, timeMs } from './finding';

const BUYERS = 16;
const ORDERS_A_SECOND = 80;
const P99_MS = 300;
/** Until the provider's last notice has arrived. */
const PATIENCE_MS = 60_000;

type Step = 'place' | 'pay' | 'cashier';

/** Buying DCU through the built gateway: place, pay, approve on the sandbox's page, its signed notice over HTTP, fulfilled. */
async function measureCommerce(run: BenchRun): Promise<void> {
  const ordersEach = run.isQuick ? 10 : 60;
  await onBenchServer(async (server) => {
    const url = await server.createDatabase('commerce');
    const buyers: TestMember[] = [];
    await fillDatabase(url, async (db) => {
      for (let n = 0; n < BUYERS; n += 1) buyers.push(await buildMember(db, { remainDcuMicro: 0n }));
    });
    const gateway = await startGatewayProcess(join(server.folder, 'data'), {
      entry: 'build/gateway/main.js',
      env: { DATABASE_URL: url, REQUESTS_PER_SECOND: '0', NODE_ENV: 'development' },
    });
    const took: Record<Step, number[]> = { place: [], pay: [], cashier: [] };
    const db = connect(url, 1);
    const tookMs = await timeMs(async () => {
      await Promise.all(buyers.map((buyer) => shop(gateway.origin, buyer, ordersEach, took)));
      await untilFulfilled(BUYERS * ordersEach, async () => {
        const { rows } = await sql<{ n: number }>`select count(*)::int as n from "order" where state = 'FULFILLED'`.execute(db);
        return rows[0]?.n ?? 0;
      });
    });
    await db.destroy();
    run.report({
      ...{ what: `orders placed, paid and fulfilled, ${BUYERS} buyers`, measured: rounded((BUYERS * ordersEach * 1000) / tookMs) },
      ...{ unit: '1/s', budget: { atLeast: ORDERS_A_SECOND } },
    });
    for (const step of ['place', 'pay'] as const) {
      const what = `order/${step === 'place' ? 'placeSku' : 'payPending'} under that load, p99`;
      run.report({ what, measured: rounded(quantile(took[step], 0.99)), unit: 'ms', budget: { atMost: P99_MS } });
    }
    await gateway.end('SIGTERM');
  });
}

/** One buyer, one order after the other. */
async function shop(origin: string, buyer: TestMember, orders: number, took: Record<Step, number[]>): Promise<void> {
  const cookie = `sessionId=${buyer.loginSessionId}; atelier=${buyer.loginSecret}`;
  const headers = { origin, 'sec-fetch-site': 'same-origin', cookie, 'content-type': 'application/json' };
  const call = async <T>(path: string, body: object): Promise<T> => {
    const response = await fetch(`${origin}/gateway/order/${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    const envelope: { success: boolean; data: T } = JSON.parse(await response.text());
    if (!envelope.success) throw new Error(`${path} answered ${JSON.stringify(envelope)}`);
    return envelope.data;
  };
  const timed = async <T>(step: Step, work: () => Promise<T>): Promise<T> => {
    const startedMs = performance.now();
    const answer = await work();
    took[step].push(performance.now() - startedMs);
    return answer;
  };
  const wanted = { skuId: 'dcu-10', quantity: 1, expectedPayableFen: 1_000, priceVersion: 1 };
  for (let n = 0; n < orders; n += 1) {
    const { orderId } = await timed('place', () => call<{ orderId: string }>('placeSku', wanted));
    const { qrText } = await timed('pay', () => call<{ qrText: string }>('payPending', { orderId, method: 'sandbox' }));
    await timed('cashier', () => approve(origin, qrText));
  }
}

/** As a payer does: opens the page behind the code and sends its form. */
async function approve(origin: string, qrText: string): Promise<void> {
  const page = new URL(new URL(qrText).pathname, origin);
  const [, token = ''] = /name="token" value="([^"]+)"/.exec(await (await fetch(page)).text()) ?? [];
  const answer = await fetch(page, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin, 'sec-fetch-site': 'same-origin' },
    body: new URLSearchParams({ token, action: 'approve' }),
  });
  if (answer.status !== 303) throw new Error(`the cashier answered ${answer.status}`);
}

async function untilFulfilled(wanted: number, count: () => Promise<number>): Promise<void> {
  const deadlineMs = performance.now() + PATIENCE_MS;
  while ((await count()) < wanted) {
    if (performance.now() > deadlineMs) throw new Error(`${await count()} of ${wanted} orders are fulfilled`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

runBench(measureCommerce);
