import pino from 'pino';
import { systemClock } from '../clock';
import { type Db, inTransaction } from '../db/client';
import { createLedgerService, type LedgerService } from '../domains/ledger/ledger.service';
import { planLeases } from '../domains/metering/lease.rules';
import { selectOpenSessionsForUpdate, updateMeter } from '../domains/metering/meter.repository';
import { heldMicro, LEASE_MS } from '../domains/metering/meter.rules';
import { createMeteringService, type MeteringService } from '../domains/metering/metering.service';
import { createSettlementService } from '../domains/metering/settlement.service';
import { type BenchServer, connect, fillDatabase, onBenchServer } from './benchDatabase';
import { type BenchRun, rounded, runBench } from './finding';
import { type Load, seedSessions, shapeSessions } from './tickWorld';

/** How many sessions the one-transaction-a-session way is measured on; the rest is extrapolated. */
const SINGLES = 500;
const BUDGET_MS = 5_000;
const TIMES_FASTER = 20;

const nothing: Load = { name: 'nothing due', lowLeaseEvery: 0, dueSegmentEvery: 0 };
/** What a pass every 15 s finds: leases last ten minutes and are raised at five, segments close hourly. */
const hourly: Load = { name: 'hourly mix', lowLeaseEvery: 20, dueSegmentEvery: 240 };
const leases: Load = { name: 'every lease low', lowLeaseEvery: 1, dueSegmentEvery: 0 };
const worst: Load = { name: 'every lease low and every segment due', lowLeaseEvery: 1, dueSegmentEvery: 1 };

interface Pass {
  tookMs: number;
  segments: number;
  leases: number;
}

interface Measured {
  passes: Map<Load, Pass>;
  /** Further passes until nothing is due, and the longest of them. */
  catchingUp: Pass & { passes: number };
  /** Of one transaction a session. */
  singleUs: { look: number; lease: number; segment: number };
}

/** One pass of the meter over running labs, and the same work with a transaction a session. */
async function measureTick(run: BenchRun): Promise<void> {
  const sizes = run.isQuick ? [1_000, 10_000] : [1_000, 10_000, 100_000];
  await onBenchServer(async (server) => {
    const all = new Map<number, Measured>();
    for (const sessions of sizes) all.set(sessions, await measureSize(server, sessions));
    const largest = sizes.at(-1) ?? 0;
    for (const [sessions, measured] of all) reportSize(run, sessions, measured, sessions === largest ? all.get(1_000) : undefined);
  });
}

async function measureSize(server: BenchServer, sessions: number): Promise<Measured> {
  const name = `tick_${sessions}`;
  const url = await server.createDatabase(name);
  await fillDatabase(url, (db) => seedSessions(db, sessions));
  const db = connect(url);
  try {
    const { metering, ledger } = createMeter(db);
    const passes = new Map<Load, Pass>();
    for (const load of [nothing, hourly, leases, worst]) {
      await shapeSessions(db, load);
      const { tookMs, segments, leases: raised } = await metering.tick();
      passes.set(load, { tookMs, segments, leases: raised.length });
    }
    const catchingUp = await catchUp(metering);
    await shapeSessions(db, nothing);
    const look = await measureSingles(db, ledger);
    await shapeSessions(db, leases);
    const lease = await measureSingles(db, ledger);
    await shapeSessions(db, worst);
    const segment = await measureSingles(db, ledger);
    return { passes, catchingUp, singleUs: { look, lease, segment } };
  } finally {
    await db.destroy();
    await server.dropDatabase(name);
  }
}

async function catchUp(metering: MeteringService): Promise<Measured['catchingUp']> {
  const all = { tookMs: 0, segments: 0, leases: 0, passes: 0 };
  for (;;) {
    const { segments, tookMs } = await metering.tick();
    if (segments === 0) return all;
    all.segments += segments;
    all.tookMs += tookMs;
    all.passes += 1;
  }
}

function createMeter(db: Db): { metering: MeteringService; ledger: LedgerService } {
  const ledger: LedgerService = createLedgerService({ db, settleMember: (tx, memberId) => metering.settleMember(tx, memberId) });
  const metering: MeteringService = createMeteringService({
    ...{ db, clock: systemClock, ledger, priceOf: () => null, note: () => Promise.resolve(), log: pino({ level: 'silent' }) },
  });
  return { metering, ledger };
}

/** The same work, a transaction a session: look, close the segment when it is due, extend the lease when it is low. Microseconds a session. */
async function measureSingles(db: Db, ledger: LedgerService): Promise<number> {
  const settlement = createSettlementService({ ledger });
  const members = await db.selectFrom('wallet').select('memberId').orderBy('memberId').limit(SINGLES).execute();
  const startedMs = performance.now();
  for (const { memberId } of members) {
    await inTransaction(db, async (tx) => {
      const wallet = await ledger.lockWallet(tx, memberId);
      const open = await selectOpenSessionsForUpdate(tx, memberId);
      const isDue = open.some((session) => session.observedMs - session.segmentFromMs >= 3_600_000n);
      const sessions = isDue ? await settlement.closeSegments(tx, wallet, open) : open;
      if (sessions.every((session) => session.leaseLimitMs - session.observedMs >= LEASE_MS / 2n)) return;
      const limitsMs = planLeases({ lots: await ledger.lotsOf(tx, memberId), meters: sessions, atMs: Date.now() });
      for (const session of sessions) {
        const raised = { ...session, leaseLimitMs: limitsMs.get(session.sessionId) ?? session.leaseLimitMs };
        await updateMeter(tx, raised);
        await ledger.moveHolds(tx, new Map([[memberId, heldMicro(raised) - heldMicro(session)]]));
      }
    });
  }
  return ((performance.now() - startedMs) * 1000) / members.length;
}

function reportSize(run: BenchRun, sessions: number, measured: Measured, smallest: Measured | undefined): void {
  const { passes, catchingUp, singleUs } = measured;
  for (const [load, { tookMs, segments, leases: raised }] of passes) {
    const what = `meter, ${sessions.toLocaleString('en')} running labs, ${load.name}`;
    // A session whose segment is closed has its lease raised in the same transaction.
    const looksOnly = Math.max(0, sessions - Math.max(segments, raised));
    const singlesMs =
      (looksOnly * singleUs.look + segments * singleUs.segment + Math.max(0, raised - segments) * singleUs.lease) / 1000;
    run.report({
      ...{ what, measured: rounded(tookMs), unit: 'ms', budget: { of: 'measured', atMost: BUDGET_MS } },
      note: `${segments} segments closed, ${raised} leases raised`,
    });
    run.report({
      ...{ what: `${what}: one transaction a session`, measured: rounded(singlesMs), unit: 'ms' },
      ...{ base: { name: 'the pass', value: rounded(tookMs) }, budget: { atLeast: TIMES_FASTER } },
      note: `extrapolated from ${SINGLES} sessions`,
    });
  }
  if (catchingUp.passes > 0) {
    run.report({
      ...{ what: `meter, ${sessions.toLocaleString('en')} running labs, a pass of those that close the rest` },
      ...{ measured: rounded(catchingUp.tookMs / catchingUp.passes), unit: 'ms', budget: { of: 'measured', atMost: BUDGET_MS } },
      note: `${catchingUp.segments} segments in ${catchingUp.passes} passes`,
    });
  }
  if (!smallest) return;
  for (const load of [hourly, leases]) {
    const cost = ({ passes: all }: Measured, count: number) => rounded(((all.get(load)?.tookMs ?? 0) * 1000) / count);
    run.report({
      ...{ what: `meter, a session's cost, ${load.name}`, measured: cost(measured, sessions), unit: 'µs' },
      ...{ base: { name: 'at 1,000 labs', value: cost(smallest, 1_000) }, budget: { atMost: 1.2 } },
    });
  }
}

runBench(measureTick);
