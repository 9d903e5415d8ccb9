import { join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from '@playwright/test';
import { buildMember, buildWorkshop, type TestMember } from '../testing/factories';
import { startGatewayProcess } from '../testing/gatewayProcess';
import { fillDatabase, onBenchServer } from './benchDatabase';
import { type BenchRun, type Finding, median, rounded, runBench } from './finding';

const WORKSHOPS = 8;
const CPU_SLOWDOWN = 4;
/** The developer tools' "Fast 4G". */
const FAST_4G = { offline: false, latency: 165, downloadThroughput: 8_100_000 / 8, uploadThroughput: 1_350_000 / 8 };
const QUIET_MS = 1_500;
const LIMIT_MS = 60_000;

interface Load {
  kilobytes: number;
  requests: number;
  paintMs: number;
  readyMs: number;
  longTaskMs: number;
}

type Seen = Pick<Load, 'paintMs' | 'readyMs' | 'longTaskMs'>;

declare global {
  /** What the watcher in the page keeps. */
  var bench: Seen;
}

interface Route {
  name: string;
  path: string;
  isSignedIn: boolean;
  /** What is there once the page shows what it is for. */
  ready: string;
  readyName: string;
  /** Published for ant-design-pro 6.0.3, measured the same way; `share` of it is the budget. */
  peer?: { name: string } & Partial<Record<keyof Load, { value: number; share?: number }>>;
}

const listPeer = {
  name: 'ant-design-pro 6 (published)',
  kilobytes: { value: 787, share: 0.55 },
  readyMs: { value: 5755, share: 0.6 },
  longTaskMs: { value: 1697, share: 0.5 },
  paintMs: { value: 3712 },
  requests: { value: 37 },
};

const routes = (workshopId: string): Route[] => [
  {
    ...{ name: '/login', path: '/login', isSignedIn: false, ready: 'form input', readyName: 'first field' },
    peer: {
      name: 'ant-design-pro 6 (published)',
      kilobytes: { value: 556, share: 0.5 },
      paintMs: { value: 2912, share: 0.65 },
      readyMs: { value: 3007 },
      longTaskMs: { value: 770 },
      requests: { value: 22 },
    },
  },
  {
    ...{ name: 'workshop list', path: '/main/myLab/workshop', isSignedIn: true },
    ...{ ready: 'main a[href*="/workshop/detail/"]', readyName: 'first workshop', peer: listPeer },
  },
  {
    ...{ name: 'workshop list as a table', path: '/main/myLab/workshop?view=table', isSignedIn: true },
    ...{ ready: 'main tbody tr', readyName: 'first row', peer: listPeer },
  },
  {
    ...{ name: 'account', path: '/main/personalCenter/costCenter/account', isSignedIn: true },
    ...{ ready: 'main tbody tr', readyName: 'first row' },
  },
  {
    ...{ name: 'workshop detail', path: `/main/myLab/workshop/detail/${workshopId}`, isSignedIn: true },
    ...{ ready: 'main h1', readyName: 'heading' },
  },
];

/** What a first visit costs on a slow phone: a real browser, a cold cache, a quarter of the processor, a mobile network. */
async function measureConsole(run: BenchRun): Promise<void> {
  await onBenchServer(async (server) => {
    const url = await server.createDatabase('console');
    let member: TestMember | null = null;
    let workshopId = '';
    await fillDatabase(url, async (db) => {
      member = await buildMember(db, {});
      const owner = { memberId: member.memberId, engineInstanceId: '00000000-0000-4000-8000-000000000000' };
      for (let n = 0; n < WORKSHOPS; n += 1) ({ workshopId } = await buildWorkshop(db, { ...owner, name: `Course ${n}` }));
    });
    if (!member) return;
    const gateway = await startGatewayProcess(join(server.folder, 'data'), {
      entry: 'build/gateway/main.js',
      env: { DATABASE_URL: url, REQUESTS_PER_SECOND: '0' },
    });
    const browser = await chromium.launch({ executablePath: findChromium(), args: ['--no-sandbox'] });
    try {
      for (const route of routes(workshopId)) {
        const loads: Load[] = [];
        for (let turn = 0; turn < (run.isQuick ? 1 : 3); turn += 1) {
          loads.push(await visit(browser, gateway.origin, route, member));
        }
        reportRoute(run, route, loads);
      }
    } finally {
      await browser.close();
      await gateway.end('SIGTERM');
    }
  });
}

function findChromium(): string {
  return process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
}

async function visit(browser: Browser, origin: string, route: Route, member: TestMember): Promise<Load> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-US' });
  try {
    if (route.isSignedIn) await signIn(context, origin, member);
    const page = await context.newPage();
    await page.addInitScript(watcherOf(route.ready));
    const traffic = await throttle(page);
    await page.goto(`${origin}${route.path}`, { timeout: LIMIT_MS });
    await page.waitForSelector(route.ready, { state: 'attached', timeout: LIMIT_MS });
    await page.waitForLoadState('networkidle', { timeout: LIMIT_MS });
    await page.waitForTimeout(QUIET_MS);
    const seen = await page.evaluate(() => globalThis.bench);
    return { ...seen, kilobytes: traffic.bytes / 1000, requests: traffic.requests };
  } finally {
    await context.close();
  }
}

function signIn(context: BrowserContext, origin: string, { loginSessionId, loginSecret }: TestMember): Promise<void> {
  return context.addCookies([
    { name: 'sessionId', value: loginSessionId, url: origin },
    { name: 'atelier', value: loginSecret, url: origin, httpOnly: true },
  ]);
}

/** Counts what comes over the wire, headers and calls included, from here on. */
async function throttle(page: Page): Promise<{ bytes: number; requests: number }> {
  const traffic = { bytes: 0, requests: 0 };
  const session = await page.context().newCDPSession(page);
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    traffic.bytes += encodedDataLength;
    traffic.requests += 1;
  });
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', FAST_4G);
  await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
  return traffic;
}

/** Runs in the page before anything else: when it first paints, when it is ready, and how long tasks block it beyond 50 ms. */
function watcherOf(ready: string): string {
  return `
    window.bench = { paintMs: 0, readyMs: 0, longTaskMs: 0 };
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) window.bench.longTaskMs += Math.max(0, entry.duration - 50);
    }).observe({ type: 'longtask', buffered: true });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntriesByName('first-contentful-paint')) window.bench.paintMs = entry.startTime;
    }).observe({ type: 'paint', buffered: true });
    new MutationObserver((_changes, observer) => {
      if (!document.querySelector(${JSON.stringify(ready)})) return;
      window.bench.readyMs = performance.now();
      observer.disconnect();
    }).observe(document, { childList: true, subtree: true });`;
}

function reportRoute(run: BenchRun, { name, readyName, peer }: Route, loads: readonly Load[]): void {
  const measures: { key: keyof Load; what: string; unit: Finding['unit'] }[] = [
    { key: 'kilobytes', what: 'bytes', unit: 'K' },
    { key: 'requests', what: 'requests', unit: 'requests' },
    { key: 'paintMs', what: 'first paint', unit: 'ms' },
    { key: 'readyMs', what: readyName, unit: 'ms' },
    { key: 'longTaskMs', what: 'long tasks', unit: 'ms' },
  ];
  for (const { key, what, unit } of measures) {
    const base = peer?.[key];
    run.report({
      ...{ what: `${name}: ${what}`, measured: rounded(median(loads.map((load) => load[key])), 4), unit },
      ...(peer && base ? { base: { name: peer.name, value: base.value } } : {}),
      ...(base?.share === undefined ? {} : { budget: { atMost: base.share } }),
    });
  }
}

runBench(measureConsole);
